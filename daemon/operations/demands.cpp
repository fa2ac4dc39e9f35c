#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/join.h"
#include "core/base/text.h"
#include "core/store/demand_store.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/agents/local_agents.h"
#include "daemon/collab/consent.h"
#include "daemon/collab/coordinator.h"
#include "daemon/collab/realise.h"
#include "daemon/collab/steps.h"
#include "daemon/collab/view.h"
#include "daemon/operations/ask.h"
#include "daemon/operations/may_leave.h"
#include "daemon/operations/negotiations_seen.h"
#include "daemon/operations/reading_first.h"
#include "daemon/operations/registration.h"
#include "daemon/operations/seen_offers.h"
#include "daemon/operations/sender.h"
#include "daemon/outcome/requests.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

struct DemandsParts : Sender {
    collab::Coordinator& coordinator;
};

constexpr int kEventsDefault = 50;
constexpr int kListDefault = 20;
constexpr std::chrono::milliseconds kStoryCheckEvery{100};

/// Words that others will read. A human's words are not reviewed, and within this home no review is
/// needed. If a question or an offer of an invited agent is open, the words could answer it (R46).
/// If nobody is named, the coordinator invites nobody with whom anything is open.
Result<Hold> hold_of_demand(const DemandsParts& parts, const Call& call,
                            const collab::Submission& wanted) {
    const bool stays_here =
        !wanted.invite.empty() &&
        std::all_of(wanted.invite.begin(), wanted.invite.end(),
                    [&](const std::string& id) { return parts.residents.is_ours(id); });
    if (call.caller.is_proved() || stays_here) return Hold::None;
    std::vector<store::Between> peers;
    for (const std::string& id : wanted.invite)
        peers.push_back({.agent_id = call.agent_id(), .peer_id = id});
    return hold_of_words(parts, wanted.raw_input, peers);
}

/// Returns the line of `reason_of`. If it speaks of one peer, but not exactly one is invited, the
/// line speaks of some of the agents instead.
std::string reason_with_some(Hold hold, std::size_t peers, i18n::Language language) {
    if (hold == Hold::Open && peers != 1) {
        return "\n" + i18n::text(language, "daemon.held_open_with_some");
    }
    return reason_of(hold, language);
}

consent::Ask ask_to_submit(const DemandsParts& parts, const Call& call,
                           const collab::Submission& wanted, Hold hold) {
    const i18n::Language language = parts.config->approval.language;
    const std::string invited =
        joined_with(i18n::text(language, "demand.label.and"), wanted.invite);
    consent::Ask ask;
    ask.agent_id = call.agent_id();
    consent::set_peers(ask, wanted.invite);
    ask.action = collab::kSubmitAction;
    ask.request_json = wire::canonical_json(call.arguments);
    ask.reply_text = wanted.raw_input;
    ask.question = i18n::text(language, "demand.question_submit",
                              {{"text", preview(printable(wanted.raw_input))}}) +
                   reason_with_some(hold, wanted.invite.size(), language);
    ask.context = i18n::text(
        language, invited.empty() ? "demand.submit_to_fitting" : "demand.submit_to_invited",
        {{"agents", invited}});
    ask.requested_by = "tool:demand_submit";
    ask.asked_by = call.caller.proved_by;
    return ask;
}

/// Returns what the candidates say about themselves; what they have offered came by mail.
json cards_in(const json& view) {
    return wire::array_of(wire::member(view, "candidates"), [](const json& party) {
        return json{{"agent_id", wire::member(party, "agent_id")},
                    {"user_name", wire::member(party, "display_name")},
                    {"profile_summary", wire::member(party, "reason")},
                    {"tags", wire::member(party, "tags")}};
    });
}

/// Answers once the cards that name this home are recorded (R46).
void reply_noted(const DemandsParts& parts, const Agent& agent, const std::string& action,
                 Result<json> view, const Reply& reply) {
    if (!view) return reply(error_result(action, view.error()));
    auto read = trade::offers_in(cards_in(*view), our_names(parts.agents, agent));
    note_what_waits(
        parts.kernel, agent.identity.account.agent_id, std::move(read),
        [action, view = std::move(*view), reply](const Result<void>& noted) {
            reply(noted ? ok_result(action, view) : error_result(action, noted.error()));
        });
}

void reply_view(const DemandsParts& parts, const Agent& agent, const std::string& action,
                const Result<Negotiation>& negotiation, const Reply& reply) {
    if (!negotiation) return reply(error_result(action, negotiation.error()));
    reply_noted(parts, agent, action, collab::negotiation_view(parts.kernel.reader, *negotiation),
                reply);
}

struct StoryReader {
    std::string action;
    const Agent& reader;
    std::string agent_id{};  ///< empty: of all agents
    std::string id{};
    std::optional<std::int64_t> after{};  ///< empty: no events
    int limit = kEventsDefault;
    int checks_left = 1;
    Reply reply{};
};

/// Adds `events`, `last_event` and `more_events`; false if there are none.
Result<bool> add_story(store::Database& db, const StoryReader& story, json& view) {
    A2H_ASSIGN_OR_RETURN(auto events,
                         store::negotiation_events(db, view["demand_id"].get<std::string>(),
                                                   *story.after, story.limit + 1));
    const bool has_more = static_cast<int>(events.size()) > story.limit;
    if (has_more) events.pop_back();
    json list = wire::array_of(events, collab::event_view);
    const bool has_any = !list.empty();
    view["last_event"] = has_any ? events.back().id : *story.after;
    view["more_events"] = has_more;
    view["events"] = std::move(list);
    return has_any;
}

/// For a final plan: its plan actions and their results.
Result<void> add_plan_actions(store::Database& db, const Negotiation& negotiation, json& view) {
    if (negotiation.state != NegotiationState::Finalized) return {};
    A2H_ASSIGN_OR_RETURN(const auto run, collab::read_run(db, negotiation.negotiation_id));
    if (!run) return {};
    A2H_ASSIGN_OR_RETURN(auto plan_actions, collab::plan_actions_view(db, *run));
    view["deeds"] = std::move(plan_actions);
    return {};
}

/// Answers if there is news, or if this was the last check.
Result<std::optional<json>> story_since(store::Database& db, const StoryReader& story,
                                        bool is_last) {
    A2H_ASSIGN_OR_RETURN(const auto negotiation, negotiation_named(db, story.agent_id, story.id));
    json events{{"demand_id", negotiation.demand_id}};
    if (story.after) {
        A2H_ASSIGN_OR_RETURN(const auto has_any, add_story(db, story, events));
        if (!has_any && !is_last) return std::optional<json>();
    }
    A2H_ASSIGN_OR_RETURN(auto view, collab::negotiation_view(db, negotiation));
    A2H_TRY(add_plan_actions(db, negotiation, view));
    view.update(events);
    return std::optional<json>(std::move(view));
}

void check_story(const DemandsParts& parts, const std::shared_ptr<StoryReader>& story) {
    auto data = story_since(parts.kernel.reader, *story, --story->checks_left <= 0);
    if (!data) {
        story->reply(error_result(story->action, data.error()));
    } else if (*data) {
        reply_noted(parts, story->reader, story->action, std::move(**data), story->reply);
    } else {
        parts.kernel.loop.call_after(kStoryCheckEvery,
                                     [&parts, story] { check_story(parts, story); });
    }
}

void handle_demand_submit(const DemandsParts& parts, const Call& call, const Reply& reply) {
    collab::Submission wanted = collab::submission_of(call.agent_id(), call.arguments);
    if (const auto checked = collab::check(wanted); !checked) {
        return reply(error_result(call.action, checked.error()));
    }
    wanted.is_released = call.caller.is_proved();
    const auto hold = hold_of_demand(parts, call, wanted);
    if (!hold) return reply(error_result(call.action, hold.error()));
    if (*hold != Hold::None) {
        if (call.caller.face == Face::Human) return reply(pin_required(call.action));
        return ask_human(parts, call, ask_to_submit(parts, call, wanted, *hold), reply);
    }
    parts.coordinator.submit(std::move(wanted), [&parts, &agent = call.agent, action = call.action,
                                                 reply](const Result<Negotiation>& negotiation) {
        reply_view(parts, agent, action, negotiation, reply);
    });
}

void handle_negotiation_get(const DemandsParts& parts, const Call& call, const Reply& reply) {
    auto story =
        std::make_shared<StoryReader>(StoryReader{.action = call.action, .reader = call.agent});
    story->agent_id = seen_by(call);
    story->id = call.text("demand_id");
    const auto after = call.arguments.find("events_after");
    if (after != call.arguments.end()) story->after = after->get<std::int64_t>();
    story->limit = call.number("limit", kEventsDefault);
    story->reply = reply;
    const std::chrono::seconds wait(call.number("wait_seconds", 0));
    story->checks_left = 1 + static_cast<int>(wait / kStoryCheckEvery);
    check_story(parts, story);
}

Result<json> handle_negotiation_list(const DemandsParts& parts, const Call& call) {
    return collab::list_view(parts.kernel.reader, call.agent_id(),
                             parse_negotiation_state(call.text("state")), call.number("before", 0),
                             call.number("limit", kListDefault));
}

/// Everybody who was invited learns that the negotiation has ended.
Result<std::vector<store::Between>> receivers_of_end(const DemandsParts& parts,
                                                     const Negotiation& negotiation) {
    A2H_ASSIGN_OR_RETURN(const auto parties,
                         store::parties_of(parts.kernel.reader, negotiation.negotiation_id));
    std::vector<store::Between> receivers;
    for (const Party& party : parties) {
        if (party.state == PartyState::Reserve) continue;
        receivers.push_back({.agent_id = negotiation.agent_id, .peer_id = party.agent_id});
    }
    return receivers;
}

/// An assistant's call waits for a yes if anybody outside this home learns of the end (R46).
Result<std::optional<consent::Ask>> question_before_end(const DemandsParts& parts, const Call& call,
                                                        const Negotiation& negotiation) {
    const std::optional<consent::Ask> none;
    if (call.caller.is_proved()) return none;
    A2H_ASSIGN_OR_RETURN(const auto receivers, receivers_of_end(parts, negotiation));
    A2H_ASSIGN_OR_RETURN(const auto hold, hold_of_refusal(parts, receivers));
    if (hold == Hold::None) return none;
    const i18n::Language language = parts.config->approval.language;
    consent::Ask ask;
    ask.agent_id = negotiation.agent_id;
    ask.action = collab::kCancelAction;
    ask.request_json = wire::canonical_json({{"demand_id", negotiation.demand_id}});
    ask.question = i18n::text(language, "demand.question_cancel",
                              {{"text", preview(printable(negotiation.raw_input))}}) +
                   reason_with_some(hold, receivers.size(), language);
    std::vector<std::string> ids;
    for (const store::Between& peer : receivers)
        ids.push_back(peer.peer_id);
    consent::set_peers(ask, std::move(ids));
    ask.requested_by = "tool:negotiation_cancel";
    return std::optional(std::move(ask));
}

void handle_negotiation_cancel(const DemandsParts& parts, const Call& call, const Reply& reply) {
    const auto negotiation =
        negotiation_named(parts.kernel.reader, seen_by(call), call.text("demand_id"));
    if (!negotiation) return reply(error_result(call.action, negotiation.error()));
    const auto question = question_before_end(parts, call, *negotiation);
    if (!question) return reply(error_result(call.action, question.error()));
    if (*question && call.caller.face == Face::Human) return reply(pin_required(call.action));
    if (*question) return ask_human(parts, call, **question, reply);
    parts.coordinator.cancel(
        negotiation->negotiation_id, call.caller.is_proved(),
        [&parts, &agent = call.agent, action = call.action, reply](
            const Result<Negotiation>& ended) { reply_view(parts, agent, action, ended, reply); });
}

}  // namespace

void add_demands(Table& table, const AllParts& all) {
    const Sender& sender = all.sender;
    const DemandsParts parts{{sender}, all.coordinator};
    table.add("demand.submit", after_reading(sender, with(parts, handle_demand_submit)));
    table.add("negotiation.get", with(parts, handle_negotiation_get));
    table.add("negotiation.list", with(parts, handle_negotiation_list));
    table.add("negotiation.cancel", after_reading(sender, with(parts, handle_negotiation_cancel)));
}

}  // namespace a2h::operations
