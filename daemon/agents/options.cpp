#include "daemon/agents/options.h"

#include "core/base/check.h"

namespace a2h::agents {

std::string_view to_string(Introductions value) {
    switch (value) {
        case Introductions::Ask:
            return "ask";
        case Introductions::Known:
            return "known";
        case Introductions::Never:
            return "never";
    }
    A2H_CHECK(false);
}

std::optional<Introductions> parse_introductions(std::string_view text) {
    for (const auto value : {Introductions::Ask, Introductions::Known, Introductions::Never}) {
        if (text == to_string(value)) return value;
    }
    return std::nullopt;
}

}  // namespace a2h::agents
