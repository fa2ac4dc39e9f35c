#include "daemon/stages/case_json.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"

namespace a2h::stages {
namespace {

using nlohmann::json;

/// The longest part, in code points, of the answered message that an evaluation receives.
constexpr std::size_t kAnsweredTextMax = 4'000;

/// The text members of a decision with their names.
constexpr std::array<std::pair<const char*, std::string decide::Decision::*>, 10> kDecisionTexts = {
    {{"rule_id", &decide::Decision::rule_id},
     {"why", &decide::Decision::why},
     {"reply_text", &decide::Decision::reply_text},
     {"reject_text", &decide::Decision::reject_text},
     {"holding_text", &decide::Decision::holding_text},
     {"question", &decide::Decision::question},
     {"action", &decide::Decision::action},
     {"currency", &decide::Decision::currency},
     {"order_id", &decide::Decision::order_id},
     {"works_id", &decide::Decision::works_id}}};

Unexpected corrupt() {
    return fail(ErrorCode::Corrupt, "a stored decision cannot be read");
}

Result<void> read_text(const json& object, std::string_view name, std::string& out) {
    const json& value = wire::member(object, name);
    if (value.is_null()) return {};
    if (!value.is_string()) return invalid("task_results: " + std::string(name) + " is not a text");
    out = value.get<std::string>();
    return {};
}

/// Cases of earlier versions have labels only.
AnswerOption read_option(const json& option) {
    if (option.is_string()) return option.get<std::string>();
    const auto kind = parse_option_kind(option.at("kind").get<std::string>());
    return {option.at("label").get<std::string>(), kind.value_or(OptionKind::Other)};
}

}  // namespace

std::string to_json(const decide::Decision& decision) {
    json object = json::object();
    object["kind"] = decide::to_string(decision.kind);
    for (const auto& [name, text] : kDecisionTexts)
        object[name] = decision.*text;
    object["options"] = json::array();
    for (const AnswerOption& option : decision.options)
        object["options"].push_back({{"label", option.label}, {"kind", to_string(option.kind)}});
    // As text, because canonical JSON has no integers above 2^53.
    if (decision.amount_minor) object["amount_minor"] = std::to_string(*decision.amount_minor);
    object["peer_language"] = i18n::language_tag(decision.basis.language);
    object["is_plain_offer"] = decision.is_plain_offer;
    object["accepts_offer"] = decision.accepts_offer;
    object["about"] = to_string(decision.about);
    return wire::canonical_json(object);
}

Result<decide::Decision> read_decision(std::string_view text) try {
    const json object = json::parse(text);
    decide::Decision decision;
    const auto kind = decide::parse_kind(object.at("kind").get<std::string>());
    if (!kind) return corrupt();
    decision.kind = *kind;
    for (const auto& [name, member] : kDecisionTexts)
        decision.*member = object.at(name).get<std::string>();
    for (const json& option : object.at("options"))
        decision.options.push_back(read_option(option));
    if (object.contains("amount_minor")) {
        decision.amount_minor = std::stoll(object.at("amount_minor").get<std::string>());
    }
    decision.basis.language = i18n::language_of(object.at("peer_language").get<std::string>());
    decision.is_plain_offer = object.at("is_plain_offer").get<bool>();
    // Cases of earlier versions have no such member.
    decision.accepts_offer = object.value("accepts_offer", false);
    const auto about = parse_about(object.at("about").get<std::string>());
    if (!about) return corrupt();
    decision.about = *about;
    return decision;
} catch (const std::exception&) {
    return corrupt();
}

std::string results_of(const model::Draft& draft, const decide::Input& input) {
    json answers = json::object();
    answers["peer_id"] = input.message.sender_id;
    answers["provenance"] = to_string(input.message.provenance);
    answers["text"] = std::string(truncate(input.payload.text, kAnsweredTextMax));
    json object = json::object();
    object["wish"] = model::to_string(draft.wish);
    object["text"] = draft.text;
    object["why"] = draft.why;
    if (!draft.model.empty()) object["model"] = draft.model;
    object["answers"] = std::move(answers);
    return wire::canonical_json(object);
}

Result<model::Draft> read_results(std::string_view text) {
    const json object = json::parse(text, nullptr, false);
    if (!object.is_object()) return invalid("task_results is not an object");
    model::Draft draft;
    std::string name;
    A2H_TRY(read_text(object, "wish", name));
    const auto wish = model::parse_wish(name);
    if (!wish) return invalid("task_results: wish must be reply, silent or ask");
    draft.wish = *wish;
    A2H_TRY(read_text(object, "text", draft.text));
    A2H_TRY(read_text(object, "why", draft.why));
    A2H_TRY(read_text(object, "model", draft.model));
    if (!is_utf8(draft.text) || code_point_count(draft.text) > kDraftTextMax) {
        return invalid("task_results: text is too long");
    }
    if (draft.wish == model::Wish::Reply && trim(draft.text).empty()) {
        return invalid("task_results: a reply must have text");
    }
    return draft;
}

std::string to_json(const std::vector<std::string>& texts) {
    return wire::canonical_json(json(texts));
}

std::vector<std::string> read_texts(std::string_view text) {
    std::vector<std::string> texts;
    const json list = json::parse(text, nullptr, false);
    if (!list.is_array()) return texts;
    for (const json& item : list) {
        if (item.is_string()) texts.push_back(item.get<std::string>());
    }
    return texts;
}

}  // namespace a2h::stages
