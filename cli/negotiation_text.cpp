#include "cli/negotiation_text.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/sections.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

std::string standing(const Invocation& invocation, const json& data) {
    const std::string outcome = text_of(data, "outcome");
    if (!outcome.empty()) {
        const std::string reason = text_of(data, "reason");
        const std::string words = name_of(invocation, "outcome", outcome);
        if (reason.empty()) return words;
        return words + invocation.text("negotiate.colon") + name_of(invocation, "reason", reason);
    }
    const std::string state = name_of(invocation, "state", text_of(data, "state"));
    const std::string until = time_of(data, "deadline");
    return until.empty() ? state
                         : invocation.text("negotiate.until", {{"state", state}, {"time", until}});
}

void add_demand(Sections& page, const Invocation& invocation, const json& data) {
    page.head("negotiate.head_demand");
    page.line(text_of(data, "surface_demand"));
    const json& understood = at(data, "understanding");
    const std::string tags = joined(invocation, understood, "capability_tags");
    if (!tags.empty()) page.line(invocation.text("negotiate.wanted", {{"tags", tags}}));
    page.line(invocation.text("negotiate.ids", {{"demand", text_of(data, "demand_id")},
                                                {"channel", text_of(data, "channel_id")}}));
    page.line(standing(invocation, data));
}

/// A further detail: "Bob, speaker".
void add_detail(const Invocation& invocation, std::string& all, const std::string& detail) {
    if (detail.empty()) return;
    all += (all.empty() ? std::string() : invocation.text("negotiate.comma")) + detail;
}

std::string offer_text(const Invocation& invocation, const json& party) {
    const json& offer = at(party, "offer");
    std::string words = text_of(offer, "contribution");
    if (words.empty()) words = text_of(offer, "decline_reason");
    add_detail(invocation, words, price_text(offer, "price"));
    const std::string conditions = joined(invocation, offer, "conditions");
    if (conditions.empty()) return words;
    return words + invocation.text("cli.semicolon") +
           invocation.text("negotiate.only_if", {{"conditions", conditions}});
}

void add_candidates(Sections& page, const Invocation& invocation, const json& data) {
    const std::vector<json> parties = items_of(data, "candidates");
    if (!parties.empty()) page.head("negotiate.head_candidates");
    for (const json& party : parties) {
        const bool is_left_out = !text_of(party, "left_out").empty();
        const std::string state = is_left_out ? "left_out" : text_of(party, "state");
        page.line(
            invocation.text("negotiate.candidate", {{"who", person(party)},
                                                    {"state", name_of(invocation, "party", state)},
                                                    {"match", text_of(party, "match_score")}}));
        page.line(offer_text(invocation, party), 4);
    }
}

void add_parts(Sections& page, const Invocation& invocation, const json& plan) {
    for (const json& part : items_of(plan, "assignments")) {
        std::string head = person(part);
        add_detail(invocation, head, text_of(part, "role"));
        add_detail(invocation, head, price_text(part, "price"));
        page.line(head);
        page.line(text_of(part, "responsibility"), 4);
    }
}

void add_milestones(Sections& page, const Invocation& invocation, const json& plan) {
    for (const json& milestone : items_of(at(plan, "timeline"), "milestones")) {
        const std::string date = text_of(milestone, "date");
        const std::string deliverable = text_of(milestone, "deliverable");
        page.line((date.empty() ? "" : date + "  ") + text_of(milestone, "name") +
                  (deliverable.empty() ? "" : invocation.text("negotiate.colon") + deliverable));
    }
}

void add_changes(Sections& page, const json& plan) {
    const json& adjusted = at(plan, "adjustment_summary");
    page.marks("negotiate.changed", adjusted, "changes_made");
    page.marks("negotiate.granted", adjusted, "requests_addressed");
    page.marks("negotiate.not_granted", adjusted, "requests_declined");
}

/// The newest version, and what it changed.
void add_plan(Sections& page, const Invocation& invocation, const json& data) {
    const std::vector<json> plans = items_of(data, "proposals");
    if (plans.empty()) return;
    const json& plan = plans.back();
    page.head("negotiate.head_plan");
    page.line(invocation.text("negotiate.version", {{"version", text_of(plan, "version")},
                                                    {"of", text_of(data, "max_rounds")},
                                                    {"summary", text_of(plan, "summary")}}));
    add_parts(page, invocation, plan);
    add_milestones(page, invocation, plan);
    add_changes(page, plan);
}

std::string feedback_text(const Invocation& invocation, const json& data, const json& feedback) {
    const std::string who = person_by_id(data, text_of(feedback, "agent_id"));
    const bool presumed = at(feedback, "presumed") == true;
    std::string words = text_of(feedback, "adjustment_request");
    if (words.empty()) words = text_of(feedback, "reasoning");
    add_detail(invocation, words, price_text(feedback, "requested_price"));
    std::string line =
        who + invocation.text("negotiate.colon") +
        name_of(invocation, presumed ? "presumed" : "feedback", text_of(feedback, "feedback_type"));
    return words.empty() ? line : line + " – " + words;
}

void add_rounds(Sections& page, const Invocation& invocation, const json& data) {
    const std::vector<json> rounds = items_of(data, "rounds");
    if (rounds.empty()) return;
    page.head("negotiate.head_feedback");
    for (const json& round : rounds) {
        page.line(invocation.text("negotiate.round", {{"round", text_of(round, "round")}}));
        for (const json& feedback : items_of(round, "feedback"))
            page.line(feedback_text(invocation, data, feedback), 4);
    }
}

void add_gaps(Sections& page, const Invocation& invocation, const json& data) {
    const std::vector<json> gaps = items_of(data, "gaps");
    if (!gaps.empty()) page.head("negotiate.head_gaps");
    for (const json& gap : gaps) {
        page.line(invocation.text("negotiate.gap", {{"gap", text_of(gap, "gap_type")},
                                                    {"importance", text_of(gap, "importance")},
                                                    {"reason", text_of(gap, "reason")}}));
    }
}

void add_end(Sections& page, const Invocation& invocation, const json& data) {
    add_gaps(page, invocation, data);
    const json& compromise = at(data, "compromise");
    if (compromise.is_object()) {
        page.head("negotiate.head_compromise");
        page.line(text_of(compromise, "summary"));
        page.marks("negotiate.unresolved", compromise, "unresolved");
        page.marks("negotiate.suggestion", compromise, "suggestions");
    }
    const std::vector<json> below = items_of(data, "sub_negotiations");
    if (!below.empty()) page.head("negotiate.head_below");
    for (const json& one : below) {
        page.line(text_of(one, "demand_id") + "  " + text_of(one, "surface_demand") + "  (" +
                  standing(invocation, one) + ")");
    }
}

/// The result of a plan action.
std::string plan_action_state(const Invocation& invocation, const json& plan_action) {
    const json& error = at(plan_action, "error");
    if (error.is_object()) {
        return invocation.text("negotiate.plan_action_refused",
                               {{"why", text_of(error, "message")}});
    }
    const std::string id = text_of(plan_action, "approval_id");
    const std::string status = text_of(plan_action, "status");
    if (status == "pending") return invocation.text("negotiate.plan_action_pending", {{"id", id}});
    if (status.empty()) return invocation.text("negotiate.plan_action_new");
    return status == "approved"
               ? name_of(invocation, "plan_action_yes", text_of(plan_action, "outcome"))
               : name_of(invocation, "plan_action", status);
}

void add_plan_actions(Sections& page, const Invocation& invocation,
                      const std::vector<json>& plan_actions) {
    if (!plan_actions.empty()) page.head("negotiate.head_plan_actions");
    for (const json& plan_action : plan_actions) {
        const json who{{"agent_id", at(plan_action, "subject")},
                       {"display_name", at(plan_action, "display_name")}};
        const std::string key = "negotiate.make_" + text_of(plan_action, "as");
        page.line(invocation.text(key, {{"who", person(who)},
                                        {"price", price_text(plan_action, "price")},
                                        {"text", text_of(plan_action, "text")}}));
        page.line(plan_action_state(invocation, plan_action), 4);
    }
}

/// The waiting approvals, separated by commas, as `a2h approve` accepts them.
std::string open_questions(const std::vector<json>& plan_actions) {
    std::string ids;
    for (const json& plan_action : plan_actions) {
        if (text_of(plan_action, "status") != "pending") continue;
        ids += (ids.empty() ? "" : ",") + text_of(plan_action, "approval_id");
    }
    return ids;
}

/// Adds what a person can do about the plan actions of a plan.
void add_next(Sections& page, const Invocation& invocation, const json& data,
              const std::vector<json>& plan_actions) {
    const std::string ids = open_questions(plan_actions);
    if (!ids.empty()) {
        page.line(invocation.text("negotiate.plan_actions_wait"));
        page.command(invocation.hint("approve " + ids));
        page.command(invocation.hint("reject ID"));
    }
    const bool some_left = std::any_of(
        plan_actions.begin(), plan_actions.end(),
        [](const json& plan_action) { return at(plan_action, "may_be_asked") == true; });
    if (!some_left) return;
    page.line(invocation.text("negotiate.plan_actions_next"));
    page.command(invocation.hint("negotiate apply " + text_of(data, "demand_id")));
}

}  // namespace

std::string render_negotiation(const Invocation& invocation, const json& data) {
    Sections page(invocation);
    add_demand(page, invocation, data);
    add_candidates(page, invocation, data);
    add_plan(page, invocation, data);
    add_rounds(page, invocation, data);
    add_end(page, invocation, data);
    const std::vector<json> plan_actions = items_of(data, "deeds");
    add_plan_actions(page, invocation, plan_actions);
    add_next(page, invocation, data, plan_actions);
    return page.take();
}

std::string render_plan_actions(const Invocation& invocation, const json& data) {
    const std::vector<json> plan_actions = items_of(data, "items");
    if (plan_actions.empty()) return invocation.text("negotiate.no_plan_actions") + "\n";
    Sections page(invocation);
    add_plan_actions(page, invocation, plan_actions);
    add_next(page, invocation, data, plan_actions);
    return page.take();
}

std::string render_plan(const Invocation& invocation, const json& plan) {
    Sections page(invocation);
    add_parts(page, invocation, plan);
    add_milestones(page, invocation, plan);
    add_changes(page, plan);
    return page.take();
}

std::string render_gaps(const Invocation& invocation, const json& data) {
    Sections page(invocation);
    add_gaps(page, invocation, data);
    return page.take();
}

std::string render_negotiations(const Invocation& invocation, const json& data) {
    std::vector<std::vector<std::string>> rows;
    for (const json& one : items_of(data, "items")) {
        rows.push_back({text_of(one, "demand_id"), time_of(one, "created_at"),
                        standing(invocation, one), text_of(one, "surface_demand")});
    }
    if (rows.empty()) return invocation.text("negotiate.none") + "\n";
    Sections page(invocation);
    page.rows({"negotiate.column_demand", "negotiate.column_begun", "negotiate.column_state",
               "negotiate.column_wanted"},
              rows);
    return page.take();
}

std::string render_demand(const Invocation& invocation, const json& data) {
    Sections page(invocation);
    add_demand(page, invocation, data);
    return page.take();
}

}  // namespace a2h::cli
