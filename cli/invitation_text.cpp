#include "cli/invitation_text.h"

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/approval_text.h"
#include "cli/sections.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

std::string invitation_standing(const Invocation& invocation, const json& one) {
    const std::string state = text_of(one, "state");
    if (state == "ended") {
        const std::string outcome = name_of(invocation, "outcome", text_of(one, "outcome"));
        const bool is_bound = at(one, "is_bound") == true;
        return invocation.text(is_bound ? "negotiate.ended_bound" : "negotiate.ended_free",
                               {{"outcome", outcome}});
    }
    const std::string words = name_of(invocation, "invitation_state", state);
    const std::string until = time_of(one, "answer_by");
    const bool waits = state == "new" || state == "asked_to_join" || state == "reviewing" ||
                       state == "asked_to_accept";
    if (until.empty() || !waits) return words;
    return invocation.text("negotiate.until", {{"state", words}, {"time", until}});
}

void add_own_offer(Sections& page, const Invocation& invocation, const json& offer) {
    if (!offer.is_object()) return;
    page.head("negotiate.head_offer");
    page.line(name_of(invocation, "decision", text_of(offer, "decision")));
    page.line(text_of(offer, "contribution"));
    page.line(text_of(offer, "decline_reason"));
    page.line(price_text(offer, "price"));
    const std::string conditions = joined(invocation, offer, "conditions");
    if (!conditions.empty())
        page.line(invocation.text("negotiate.only_if", {{"conditions", conditions}}));
}

void add_plan_to_judge(Sections& page, const Invocation& invocation, const json& one) {
    const json& plan = at(one, "proposal");
    if (!plan.is_object()) return;
    page.head("negotiate.head_plan");
    page.line(text_of(plan, "summary"));
    for (const json& part : items_of(plan, "assignments")) {
        std::string head = person(part);
        for (const std::string& more : {text_of(part, "role"), price_text(part, "price")}) {
            if (!more.empty()) add_to_list(invocation, head, more);
        }
        page.line(head);
        page.line(text_of(part, "responsibility"), 4);
        page.line(text_of(part, "notes"), 4);
    }
    const std::string feedback = text_of(one, "feedback_type");
    if (feedback.empty()) return;
    page.line(invocation.text("negotiate.you_said",
                              {{"choice", name_of(invocation, "feedback", feedback)}}));
}

/// The commands with which a person answers the current question.
void add_answers(Sections& page, const Invocation& invocation, const json& one) {
    const std::string state = text_of(one, "state");
    const std::string channel = text_of(one, "channel_id");
    const std::string approval = text_of(one, "approval_id");
    if (!approval.empty() && (state == "asked_to_join" || state == "asked_to_accept")) {
        page.line(invocation.text("negotiate.card_open"));
        page.command(invocation.hint("approve " + approval));
    }
    std::string command;
    if (state == "new" || state == "asked_to_join") {
        command = "invitations answer " + channel + " participate|conditional|decline";
    } else if (state == "reviewing" || state == "asked_to_accept") {
        command = "invitations feedback " + channel + " accept|negotiate|withdraw";
    }
    if (command.empty()) return;
    page.line(invocation.text("negotiate.answer_with"));
    page.command(invocation.hint(command));
}

}  // namespace

std::string render_invitations(const Invocation& invocation, const json& data) {
    std::vector<std::vector<std::string>> rows;
    for (const json& one : items_of(data, "items")) {
        rows.push_back({text_of(one, "channel_id"), text_of(one, "requester_id"),
                        invitation_standing(invocation, one),
                        text_of(at(one, "demand"), "surface_demand")});
    }
    return table_of(invocation,
                    {"negotiate.column_channel", "negotiate.column_requester",
                     "negotiate.column_state", "negotiate.column_wanted"},
                    rows, "negotiate.no_invitations");
}

std::string render_invitation(const Invocation& invocation, const json& data) {
    const std::vector<json> items = items_of(data, "items");
    if (items.empty()) return invocation.text("negotiate.no_invitations") + "\n";
    const json& one = items.front();
    const json& demand = at(one, "demand");
    Sections page(invocation);
    page.head("negotiate.head_demand");
    page.line(text_of(demand, "surface_demand"));
    const std::string tags = joined(invocation, demand, "capability_tags");
    if (!tags.empty()) page.line(invocation.text("negotiate.wanted", {{"tags", tags}}));
    page.line(invocation.text("negotiate.invited_by", {{"who", text_of(one, "requester_id")},
                                                       {"reason", text_of(one, "filter_reason")}}));
    page.line(invocation.text("negotiate.ids", {{"demand", text_of(one, "demand_id")},
                                                {"channel", text_of(one, "channel_id")}}));
    page.line(invitation_standing(invocation, one));
    add_own_offer(page, invocation, at(one, "offer"));
    add_plan_to_judge(page, invocation, one);
    add_answers(page, invocation, one);
    return page.take();
}

std::string render_said(const Invocation& invocation, const json& data) {
    // A mandate has given the yes, so it is an approval.
    if (!text_of(data, "approval_id").empty()) return render_answered(invocation, data) + "\n";
    std::string out =
        invocation.text("negotiate.said", {{"who", text_of(data, "target_id")}}) + "\n";
    if (at(data, "words_kept") == true) out += invocation.text("negotiate.words_kept") + "\n";
    return out;
}

}  // namespace a2h::cli
