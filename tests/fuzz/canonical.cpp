#include "core/wire/canonical.h"

#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/wire/json_text.h"
#include "tests/fuzz/targets.h"

namespace a2h::fuzz {

void canonical(std::string_view input) {
    const auto value = wire::parse_json(input);
    if (!value) return;
    // Printing may lengthen a text: 1e20 has 4 characters and becomes 21.
    constexpr wire::JsonLimits kRoomy{.bytes_max = 16 * 1024 * 1024};
    const std::string text = wire::canonical_json(*value);
    A2H_CHECK(is_utf8(text));
    const auto again = wire::parse_json(text, kRoomy);
    A2H_CHECK(again);
    A2H_CHECK(wire::canonical_json(*again) == text);

    for (const std::string& go : wire::go_forms(*value, text)) {
        const auto from_go = wire::parse_json(go, kRoomy);
        A2H_CHECK(from_go);
        A2H_CHECK(wire::canonical_json(*from_go) == text);
    }
}

}  // namespace a2h::fuzz
