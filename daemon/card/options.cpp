#include "daemon/card/options.h"

#include <string>

#include <nlohmann/json.hpp>

#include "core/i18n/normalize.h"
#include "core/wire/json_member.h"

namespace a2h::card {
namespace {

using nlohmann::json;

OptionKind kind_in(const json& kinds, const std::string& label) {
    return parse_option_kind(wire::text_member(kinds, label)).value_or(OptionKind::Other);
}

json kinds_of(const Approval& approval) {
    const json action = json::parse(approval.action_json, nullptr, false);
    return wire::member(action, "options");
}

/// Whether the option is the no, or does the same because a no says nothing.
bool is_the_no(OptionKind kind, const Approval& approval) {
    return kind == OptionKind::No || (kind == OptionKind::Close && approval.reject_text.empty());
}

}  // namespace

json kinds_json(std::span<const AnswerOption> options, bool has_text) {
    json kinds;
    for (const AnswerOption& option : options) {
        const bool has_kind = option.kind != OptionKind::Other;
        if (has_kind && (has_text || option.kind != OptionKind::Yes))
            kinds[option.label] = to_string(option.kind);
    }
    return kinds;
}

OptionKind kind_of_option(const Approval& approval, std::string_view words) {
    const json kinds = kinds_of(approval);
    const std::string folded = i18n::fold(words);
    for (const std::string& label : approval.options)
        if (i18n::fold(label) == folded) return kind_in(kinds, label);
    return OptionKind::Other;
}

std::vector<AnswerOption> further_options(const Approval& approval) {
    const json kinds = kinds_of(approval);
    std::vector<AnswerOption> further;
    for (const std::string& label : approval.options) {
        const OptionKind kind = kind_in(kinds, label);
        if (kind != OptionKind::Yes && !is_the_no(kind, approval))
            further.emplace_back(label, kind);
    }
    return further;
}

}  // namespace a2h::card
