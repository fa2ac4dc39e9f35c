#include "cli/approval_text.h"

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/terminal.h"
#include "core/base/text.h"
#include "core/wire/json_member.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

/// Everything that a yes covers. Long values and those with several lines are below their label,
/// indented more than any label.
std::string covers_text(const Invocation& invocation, const json& approval,
                        const Colours& colours) {
    const std::size_t columns = terminal_columns();
    const std::string colon = invocation.text("card.colon");
    std::string out;
    for (const json& line : items_of(approval, "covers")) {
        const std::string known = text_of(line, "label");
        const std::string label = (known.empty() ? text_of(line, "member") : known) + colon;
        const std::string value = text_of(line, "value");
        const bool fits = display_width(label) + display_width(value) + 2 <= columns &&
                          value.find('\n') == std::string::npos;
        const std::string_view head = fits ? std::string_view(label) : trim(label);
        out += "  " + colours.dim + std::string(head) + colours.reset;
        out += fits ? value + "\n" : "\n" + wrap(value, columns, 6, kHang);
    }
    return out;
}

/// Whether the yes of the person at the terminal counts, as far as is known: a2hd says it of the
/// owner.
bool may_approve(const Invocation& invocation, const json& approval) {
    return invocation.has("--person") || !approval.is_object() ||
           approval.value("owner_may_approve", true);
}

bool is_open(const json& approval) {
    return text_of(approval, "status") == "pending";
}

std::string approval_text(const Invocation& invocation, const json& approval,
                          const Colours& colours) {
    const std::size_t columns = terminal_columns();
    const bool open = is_open(approval);
    std::string out = colours.bold + text_of(approval, "approval_id") + colours.reset + "  " +
                      colours.cyan + state_of(invocation, approval) + colours.reset;
    if (!open) {
        out += "  " + text_of(approval, "action");
        for (const char* name : {"peer_id", "amount"}) {
            const std::string value = text_of(approval, name);
            if (!value.empty()) out += "  " + value;
        }
        const std::string provenance = text_of(approval, "provenance");
        if (!provenance.empty()) out += "  " + word(invocation, provenance);
    }
    out += "\n" + wrap(text_of(approval, "question"), columns, 2, kHang);
    if (open) out += covers_text(invocation, approval, colours);
    const std::string reply = text_of(approval, "reply_text");
    if (!open && !reply.empty()) {
        out += wrap(invocation.text("cli.asked_text", {{"text", with_hang(reply)}}), columns, 2,
                    kHang);
    }
    if (open && !may_approve(invocation, approval))
        out += wrap(invocation.text("notify.others_decide"), columns, 2, kHang);
    const std::string until = time_of(approval, "answer_by");
    if (open && !until.empty()) {
        out += colours.dim + "  " + invocation.text("cli.answer_by", {{"time", until}}) +
               colours.reset + "\n";
    }
    return out;
}

}  // namespace

std::string state_of(const Invocation& invocation, const json& approval) {
    if (at(approval, "closed_without_answer") == true) return word(invocation, "closed_unanswered");
    const std::string state = word(invocation, text_of(approval, "status"));
    const std::string outcome =
        at(approval, "not_yet_sent") == true ? "not_yet_sent" : text_of(approval, "outcome");
    if (outcome.empty() || outcome == "none") return state;
    return state + invocation.text("cli.comma") + word(invocation, outcome);
}

std::string render_approvals(const Invocation& invocation, const json& data) {
    const Colours colours = colours_for(stdout);
    std::string out;
    bool has_open = false;
    bool for_others = true;
    for (const json& approval : items_of(data, "approvals")) {
        if (!out.empty()) out += "\n";
        out += approval_text(invocation, approval, colours);
        has_open = has_open || is_open(approval);
        for_others = for_others && !(is_open(approval) && may_approve(invocation, approval));
    }
    if (out.empty()) return invocation.text("cli.no_approvals");
    if (wire::member(data, "more") == true) {
        out += "\n" +
               invocation.text("cli.more_approvals", {{"command", invocation.hint("page")}}) + "\n";
    }
    if (!has_open) return out.substr(0, out.size() - 1);  // the caller ends the line
    if (for_others) {
        return out + "\n" +
               invocation.text("cli.how_to_refuse", {{"reject", invocation.hint("reject ID")}});
    }
    return out + "\n" +
           invocation.text("cli.how_to_answer", {{"approve", invocation.hint("approve ID")},
                                                 {"reject", invocation.hint("reject ID")},
                                                 {"instruct", invocation.hint("instruct ID …")}});
}

std::string render_approval(const Invocation& invocation, const json& data) {
    const auto approvals = items_of(data, "approvals");
    return approvals.empty() ? std::string()
                             : approval_text(invocation, approvals.front(), colours_for(stderr));
}

std::string render_answered(const Invocation& invocation, const json& data) {
    std::string out = invocation.text("cli.answered", {{"id", text_of(data, "approval_id")},
                                                       {"state", state_of(invocation, data)}});
    const json& votes = at(data, "votes");
    if (votes.is_array() && text_of(data, "status") == "pending") {
        out += "\n" + invocation.text("cli.votes", {{"count", std::to_string(votes.size())},
                                                    {"needed", text_of(data, "votes_needed")}});
    }
    const std::string next = text_of(data, "next_approval_id");
    if (next.empty()) return out;
    return out + "\n" +
           invocation.text("cli.new_draft", {{"text", text_of(data, "next_reply_text")}}) + "\n" +
           invocation.text("cli.confirm_draft", {{"command", invocation.hint("approve " + next)}});
}

std::string render_answered_many(const Invocation& invocation, const json& data) {
    std::string out;
    for (const json& result : items_of(data, "results")) {
        const json& error = at(result, "error");
        json answered = at(result, "data").is_object() ? at(result, "data") : json::object();
        answered["approval_id"] = at(result, "approval_id");
        if (!out.empty()) out += "\n";
        out += error.is_object()
                   ? invocation.text("cli.not_answered", {{"id", text_of(result, "approval_id")},
                                                          {"why", text_of(error, "message")}})
                   : render_answered(invocation, answered);
    }
    return out;
}

std::string render_approval_stats(const Invocation& invocation, const json& data) {
    const auto value = [&](const char* name) { return text_of(data, name); };
    std::string out = invocation.text("cli.stats_asked", {{"days", value("days")},
                                                          {"asked", value("asked")},
                                                          {"mandate", value("by_mandate")},
                                                          {"open", value("open")},
                                                          {"closed", value("closed")},
                                                          {"expired", value("expired")}});
    out += "\n" + invocation.text("cli.stats_answers", {{"approved", value("approved")},
                                                        {"percent", value("yes_percent")},
                                                        {"rejected", value("rejected")},
                                                        {"instructed", value("instructed")},
                                                        {"closed", value("closed_without_answer")},
                                                        {"edited", value("edited")}});
    return out + "\n" +
           invocation.text("cli.stats_speed", {{"median", value("yes_median_s")},
                                               {"p90", value("yes_p90_s")},
                                               {"fast", value("yes_within_5s")}});
}

}  // namespace a2h::cli
