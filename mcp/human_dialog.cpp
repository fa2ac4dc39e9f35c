#include "mcp/human_dialog.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/text.h"
#include "core/catalogue/operations.h"
#include "core/i18n/messages.h"
#include "core/wire/json_member.h"
#include "mcp/peer_text.h"

namespace a2h::mcp {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using wire::text_member;

/// Time for the released action to be carried out before the call is answered.
constexpr int kOutcomeSeconds = 10;
/// Six digits, and the blanks that people type around and between them; a2hd removes those.
constexpr std::size_t kCodeCharactersMax = 32;
/// The error code of a2hd.
constexpr std::string_view kWaitsForHuman = "PLATFORM_CONFIRMATION_REQUIRED";
/// Says what became of an approval.
constexpr std::string_view kOutcome = "approval.wait";

bool is_ok(const json& envelope) {
    return envelope.is_object() && envelope.value("ok", false);
}

bool is_decided_row(const json& approval) {
    const std::string status = text_member(approval, "status");
    return !status.empty() && status != "pending";
}

/// The language of the approval's card, so that a dialog has one language whatever this program's
/// own is.
i18n::Language language_of_card(const json& approval) {
    const std::string tag = text_member(approval, "language");
    return tag.empty() ? i18n::language_of_environment() : i18n::language_of(tag);
}

/// The open approval in an envelope (R16): of a call that needs a yes, or of a question.
std::string waiting_approval(const ordered_json& envelope) {
    const bool asked = envelope.value("action", "") == "approval.create";
    const auto part = envelope.find(envelope.value("ok", false) ? "data" : "error");
    if (part == envelope.end() || !part->is_object()) return {};
    const bool waits = part->value("code", "") == kWaitsForHuman ||
                       (asked && part->value("status", "") == "pending");
    return waits ? part->value("approval_id", "") : std::string();
}

bool needs_code(const json& approval) {
    return approval.value("dialog_needs_code", true);
}

/// False while no notification with the code was delivered to the owner, who sees the dialog.
bool has_code(const json& approval) {
    return approval.value("code_delivered", true);
}

/// The people whose yes is needed, if the owner's does not count; empty if it does.
std::string others_who_decide(const json& approval) {
    std::string names;
    if (approval.value("owner_may_approve", true)) return names;
    for (const json& name : wire::member(approval, "voters")) {
        if (!name.is_string()) continue;
        names += (names.empty() ? "" : ", ") + name.get<std::string>();
    }
    return names;
}

/// How a yes can be given here, or where else.
std::string way_to_yes(const json& approval) {
    const i18n::Language language = language_of_card(approval);
    const std::string others = others_who_decide(approval);
    if (!others.empty()) {
        return i18n::text(language, "mcp.dialog_others_decide", {{"people", others}});
    }
    if (!needs_code(approval)) return i18n::text(language, "mcp.dialog_no_code");
    if (has_code(approval)) return i18n::text(language, "mcp.dialog_needs_code");
    return i18n::text(language, "mcp.dialog_code_not_sent",
                      {{"id", text_member(approval, "approval_id")}});
}

/// Everything that a yes covers, as listed by a2hd, whatever a peer has written into it.
std::string message_of(const json& approval) {
    const auto shown = [&](const char* member) {
        return shown_whole(text_member(approval, member));
    };
    std::string message = shown("question");
    for (const json& line : wire::member(approval, "covers")) {
        const std::string known = text_member(line, "label");
        message += "\n" + shown_whole(known.empty() ? text_member(line, "member") : known) +
                   i18n::text(language_of_card(approval), "card.colon");
        // Further lines are indented more than any label.
        for (const char c : shown_whole(text_member(line, "value"))) {
            message += c;
            if (c == '\n') message += "    ";
        }
    }
    return message + "\n\n" + way_to_yes(approval);
}

/// An accepted form with a decision; nullopt for anything else.
std::optional<json> read_form(const json& answer) {
    if (text_member(answer, "action") != "accept" || !answer.contains("content")) {
        return std::nullopt;
    }
    const json& content = answer["content"];
    const std::string decision = text_member(content, "decision");
    const std::string code = text_member(content, "code");
    if (decision != "approve" && decision != "reject") return std::nullopt;
    json form = {{"decision", decision}};
    if (!plain_digits(code).empty()) form["code"] = code;
    return form;
}

std::string unanswered(const json& answer) {
    const std::string action = text_member(answer, "action");
    if (action == "decline") return "the dialog was declined";
    if (action == "cancel") return "the dialog was closed without an answer";
    if (action == "accept") return "the dialog returned without a decision";
    return "the dialog returned no answer";
}

/// Why a2hd has not taken the answer, such as a wrong code.
std::string why_refused(const Result<std::string>& refusal) {
    if (!refusal) return refusal.error().message;
    const json envelope = json::parse(*refusal, nullptr, false);
    return envelope.value("/error/message"_json_pointer, "the answer was not taken");
}

bool takes_code(const HumanDialog::Question& question) {
    return question.others.empty() && question.needs_code && question.code_delivered;
}

/// Without a delivered code, and where others decide, only a no can be given here.
json decisions_of(const HumanDialog::Question& question) {
    const bool takes_yes = question.others.empty() && !question.needs_code;
    if (!takes_yes && !takes_code(question)) return {"reject"};
    return {"approve", "reject"};
}

/// Says what a model should do while the question waits.
std::string next_while_open(const HumanDialog::Question& question) {
    const std::string& id = question.approval_id;
    if (!question.others.empty()) {
        return "Approval " + id + " still waits for the yes of " + question.others +
               ". Tell the user, then look with a2h_approval_list.";
    }
    const std::string link = question.code_delivered ? "the notification's link or " : "";
    return "Approval " + id + " still waits. Tell the user to use " + link + "`a2h approve " + id +
           "`, then look with a2h_approval_list.";
}

/// The envelope of a call whose dialog released nothing, for the reason `why`.
std::string still_waits(const catalogue::Operation& operation,
                        const HumanDialog::Question& question, const std::string& why) {
    const json error = {{"code", kWaitsForHuman},
                        {"message", why + "; nothing was released"},
                        {"next", next_while_open(question)},
                        {"approval_id", question.approval_id}};
    return json{{"ok", false}, {"action", operation.action}, {"error", error}}.dump();
}

}  // namespace

HumanDialog::HumanDialog(CallDaemon call_daemon, std::string agent)
    : call_daemon_(std::move(call_daemon)), agent_(std::move(agent)) {}

bool HumanDialog::is_shown_by(const json& capabilities, Version version) {
    if (version < Version::V2025_06_18 || !capabilities.is_object()) return false;
    const auto found = capabilities.find("elicitation");
    return found != capabilities.end() && found->is_object() &&
           (found->empty() || found->contains("form"));
}

Result<std::string> HumanDialog::call(std::string_view method, json params,
                                      std::stop_token cancelled, bool patient) const {
    if (!agent_.empty()) params["agent"] = agent_;
    return call_daemon_(
        {.method = method, .params_json = params.dump(), .repeatable = true, .patient = patient},
        std::move(cancelled));
}

Result<json> HumanDialog::row_of(const std::string& approval_id, std::stop_token cancelled,
                                 bool patient) const {
    A2H_ASSIGN_OR_RETURN(
        const auto listed,
        call("approval.list", {{"face", "assistant"}, {"approval_id", approval_id}},
             std::move(cancelled), patient));
    const json envelope = json::parse(listed, nullptr, false);
    if (!is_ok(envelope)) {
        return fail(ErrorCode::Unavailable, "a2hd did not say what became of " + approval_id);
    }
    json rows = envelope.value("/data/approvals"_json_pointer, json::array());
    if (rows.size() != 1 || !rows[0].is_object()) {
        return fail(ErrorCode::NotFound, "there is no approval " + approval_id);
    }
    return std::move(rows[0]);
}

ordered_json HumanDialog::outcome_of(const std::string& approval_id,
                                     std::stop_token cancelled) const {
    // The row of the operation says whose words are in its answer.
    return daemon_result(*catalogue::find_action(kOutcome),
                         call(kOutcome,
                              {{"face", "assistant"},
                               {"approval_id", approval_id},
                               {"timeout_seconds", kOutcomeSeconds}},
                              std::move(cancelled)));
}

bool HumanDialog::is_decided(const std::string& approval_id, std::stop_token cancelled) const {
    const auto row = row_of(approval_id, std::move(cancelled), false);
    return row && is_decided_row(*row);
}

std::optional<HumanDialog::Question> HumanDialog::question_of(const ordered_json& result,
                                                              std::stop_token cancelled) const {
    const std::string id = waiting_approval(result.at("structuredContent"));
    return id.empty() ? std::nullopt : question_about(id, std::move(cancelled));
}

std::optional<HumanDialog::Question> HumanDialog::question_about(const std::string& approval_id,
                                                                 std::stop_token cancelled) const {
    // The question was written in the language of the card, so the rest of it is as well.
    const auto row = row_of(approval_id, std::move(cancelled));
    if (!row || text_member(*row, "status") != "pending") return std::nullopt;
    // Without a list of what a yes covers, no yes is requested.
    if (!wire::member(*row, "covers").is_array()) return std::nullopt;
    return Question{approval_id,
                    text_member(*row, "digest"),
                    message_of(*row),
                    language_of_card(*row),
                    needs_code(*row),
                    has_code(*row),
                    others_who_decide(*row)};
}

ordered_json HumanDialog::form(const Question& question, Version version) {
    const auto translated = [&](std::string_view key) {
        return i18n::text(question.language, key);
    };
    ordered_json params = ordered_json::object();
    if (version >= Version::V2025_11_25) params["mode"] = "form";
    params["message"] = question.message;
    ordered_json fields = {{"decision",
                            {{"type", "string"},
                             {"title", translated("mcp.dialog_decision")},
                             {"description", translated("mcp.dialog_decision_hint")},
                             {"enum", decisions_of(question)}}}};
    if (takes_code(question)) {
        fields["code"] = {{"type", "string"},
                          {"title", translated("mcp.dialog_code")},
                          {"description", translated("mcp.dialog_code_hint")},
                          {"maxLength", kCodeCharactersMax}};
    }
    params["requestedSchema"] = {
        {"type", "object"}, {"properties", std::move(fields)}, {"required", {"decision"}}};
    return params;
}

ordered_json HumanDialog::not_shown(const catalogue::Operation& operation,
                                    const Question& question) {
    return daemon_result(operation, still_waits(operation, question,
                                                "too many dialogs are open already, so none was "
                                                "shown for this"));
}

ordered_json HumanDialog::settle(const catalogue::Operation& operation, const Question& question,
                                 const json& answer, std::stop_token cancelled) const {
    const std::string& id = question.approval_id;
    auto decision = read_form(answer);
    std::optional<Result<std::string>> refusal;
    if (decision) {
        decision->update({{"face", "human"}, {"approval_id", id}, {"digest", question.digest}});
        refusal = call("approval.elicit", std::move(*decision), cancelled);
        if (*refusal && is_ok(json::parse(**refusal, nullptr, false))) {
            return outcome_of(id, std::move(cancelled));
        }
    }
    // Its human may have answered elsewhere while the dialog was open.
    const auto row = row_of(id, cancelled);
    if (row && is_decided_row(*row)) return outcome_of(id, std::move(cancelled));
    if (!row) return daemon_result(operation, refusal ? *refusal : fail(row.error()));
    Question present = question;
    present.code_delivered = has_code(*row);
    present.others = others_who_decide(*row);
    const std::string why = refusal ? why_refused(*refusal) : unanswered(answer);
    return daemon_result(operation, still_waits(operation, present, why));
}

}  // namespace a2h::mcp
