#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/control/framing.h"
#include "core/wire/json_text.h"
#include "tests/fuzz/targets.h"

namespace a2h::fuzz {
namespace {

constexpr std::size_t kLineBytesMax = 48;

/// The lines of `bytes`, found in the simplest way.
std::vector<control::LineSplitter::Line> expected_lines(std::string_view bytes) {
    std::vector<control::LineSplitter::Line> lines;
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        std::string_view line = bytes.substr(0, end);
        bytes.remove_prefix(end == bytes.npos ? bytes.size() : end + 1);
        if (line.size() > kLineBytesMax) {
            lines.push_back({.text = {}, .too_long = true});
        } else if (end != std::string_view::npos) {
            if (line.ends_with('\r')) line.remove_suffix(1);
            if (!line.empty()) lines.push_back({.text = std::string(line), .too_long = false});
        }
    }
    return lines;
}

void check_members(std::string_view line) {
    (void)control::raw_member(line, "id");
    const auto value = wire::parse_json(line);
    if (!value || !value->is_object()) return;
    for (const auto& [name, member] : value->items()) {
        const bool plain = std::none_of(name.begin(), name.end(), [](char c) {
            return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
        });
        const auto raw = control::raw_member(line, name);
        // A name may be written with escapes that it does not need.
        if (!plain || (!raw && line.find('\\') != line.npos)) continue;
        A2H_CHECK(raw);
        const auto again = wire::parse_json(*raw);
        A2H_CHECK(again && *again == member);
    }
}

}  // namespace

/// The first byte says in pieces of how many bytes the rest arrives.
void control_frames(std::string_view input) {
    if (input.empty()) return;
    const std::size_t piece = 1 + static_cast<unsigned char>(input[0]);
    input.remove_prefix(1);
    const auto expected = expected_lines(input);
    control::LineSplitter splitter(kLineBytesMax);
    std::size_t count = 0;
    for (std::size_t at = 0; at < input.size(); at += piece) {
        splitter.append(input.substr(at, piece));
        while (const auto line = splitter.next()) {
            A2H_CHECK(count < expected.size());
            A2H_CHECK(line->text == expected[count].text);
            A2H_CHECK(line->too_long == expected[count].too_long);
            check_members(line->text);
            ++count;
        }
    }
    A2H_CHECK(count == expected.size());
    check_members(input);
}

}  // namespace a2h::fuzz
