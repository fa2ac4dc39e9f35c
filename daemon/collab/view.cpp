#include "daemon/collab/view.h"

#include <charconv>
#include <map>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/store/demand_store.h"
#include "core/wire/demand_json.h"
#include "core/wire/json_member.h"
#include "daemon/collab/left_out.h"
#include "daemon/collab/plan_rules.h"

namespace a2h::collab {
namespace {

using nlohmann::json;

constexpr std::string_view kEventPrefix = "evt-";

void put_text(json& object, const char* name, const std::string& text) {
    if (!text.empty()) object[name] = text;
}

void put_time(json& object, const char* name, UnixMs at_ms) {
    if (at_ms != 0) object[name] = to_utc_time(at_ms);
}

/// Parses text from our own rows; invalid JSON is left out.
void put_parsed(json& object, const char* name, const std::string& text) {
    json parsed = json::parse(text, nullptr, false);
    if (!parsed.is_discarded()) object[name] = std::move(parsed);
}

json party_view(const Party& party) {
    json view{{"agent_id", party.agent_id},
              {"display_name", party.display_name},
              {"tags", party.tags},
              {"reason", party.reason},
              {"match_score", party.match_score},
              {"state", to_string(party.state)}};
    if (is_left_out(party)) view["left_out"] = kOpenMatter;
    put_text(view, "replaces", party.replaces);
    if (party.state == PartyState::Invited) put_time(view, "answer_by", party.answer_by_ms);
    put_time(view, "answered_at", party.answered_at_ms);
    if (party.offer) view["offer"] = wire::to_json(*party.offer);
    return view;
}

json proposal_view(const store::StoredProposal& stored) {
    const Proposal proposal = wire::parse_proposal(stored.proposal_json);
    json view = wire::to_json(proposal);
    view["version"] = stored.version;
    view.erase("created_at_ms");
    put_time(view, "created_at", proposal.created_at_ms);
    return view;
}

/// Grouped by round, in the order of arrival.
json rounds_view(const std::vector<Feedback>& all) {
    std::map<int, json> rounds;
    for (const Feedback& feedback : all) {
        json view = wire::to_json(feedback);
        view.erase("round");
        put_time(view, "at", feedback.at_ms);
        rounds[feedback.round].push_back(std::move(view));
    }
    json list = json::array();
    for (auto& [round, feedback] : rounds)
        list.push_back({{"round", round}, {"feedback", std::move(feedback)}});
    return list;
}

template <typename Row>
json views_of(const std::vector<Row>& rows, json (*view)(const Row&)) {
    return wire::array_of(rows, view);
}

}  // namespace

std::string_view status_of(const Negotiation& negotiation) {
    switch (negotiation.state) {
        case NegotiationState::Finalized:
            return "completed";
        case NegotiationState::Failed:
            return "failed";
        case NegotiationState::Created:
        case NegotiationState::Broadcasting:
        case NegotiationState::Collecting:
        case NegotiationState::Aggregating:
        case NegotiationState::ProposalSent:
        case NegotiationState::Negotiating:
            return "processing";
    }
    return "processing";
}

json summary_view(const Negotiation& negotiation) {
    json view{{"demand_id", negotiation.demand_id},
              {"channel_id", negotiation.negotiation_id},
              {"agent_id", negotiation.agent_id},
              {"status", status_of(negotiation)},
              {"state", to_string(negotiation.state)},
              {"round", negotiation.round},
              {"max_rounds", kNegotiationRoundsMax},
              {"surface_demand",
               wire::parse_understanding(negotiation.understanding_json).surface_demand},
              {"created_at", to_utc_time(negotiation.created_at_ms)},
              {"updated_at", to_utc_time(negotiation.updated_at_ms)}};
    if (negotiation.outcome != NegotiationOutcome::None)
        view["outcome"] = to_string(negotiation.outcome);
    put_text(view, "reason", negotiation.reason);
    put_text(view, "parent_channel_id", negotiation.parent_negotiation_id);
    if (!is_final(negotiation.state)) put_time(view, "deadline", negotiation.deadline_ms);
    return view;
}

Result<json> negotiation_view(store::Database& db, const Negotiation& negotiation) {
    A2H_ASSIGN_OR_RETURN(const auto parties, store::parties_of(db, negotiation.negotiation_id));
    A2H_ASSIGN_OR_RETURN(const auto proposals, store::proposals_of(db, negotiation.negotiation_id));
    A2H_ASSIGN_OR_RETURN(const auto feedback,
                         store::feedback_of(db, negotiation.negotiation_id, 0));
    A2H_ASSIGN_OR_RETURN(const auto below,
                         store::negotiations_below(db, negotiation.negotiation_id));
    json view = summary_view(negotiation);
    put_text(view, "user_id", negotiation.user_id);
    view["raw_input"] = negotiation.raw_input;
    view["understanding"] =
        wire::to_json(wire::parse_understanding(negotiation.understanding_json));
    view["on_timeout"] = to_string(negotiation.on_timeout);
    view["show_terms"] = negotiation.shows_terms;
    view["response_seconds"] = negotiation.response_seconds;
    view["feedback_seconds"] = negotiation.feedback_seconds;
    view["candidates"] = views_of(parties, party_view);
    view["proposals"] = views_of(proposals, proposal_view);
    view["binds_requester"] = false;
    const std::string& demand =
        view["understanding"]["surface_demand"].get_ref<const std::string&>();
    view["notice"] = i18n::text(language_of_text(demand), kNoticeKey);
    view["rounds"] = rounds_view(feedback);
    put_parsed(view, "gaps", negotiation.gaps_json);
    put_parsed(view, "compromise", negotiation.compromise_json);
    view["sub_negotiations"] = views_of(below, summary_view);
    return view;
}

Result<json> list_view(store::Database& db, std::string_view agent_id,
                       std::optional<NegotiationState> state, std::int64_t before, int limit) {
    A2H_ASSIGN_OR_RETURN(const auto page,
                         store::list_negotiations(db, agent_id, state, before, limit));
    json view{{"items", views_of(page.items, summary_view)}, {"more", page.next_before != 0}};
    if (page.next_before != 0) view["next_before"] = page.next_before;
    return view;
}

json event_view(const NegotiationEvent& event) {
    json view{{"event_id", std::string(kEventPrefix) + std::to_string(event.id)},
              {"event_type", event.event_type},
              {"timestamp", to_utc_time(event.at_ms)},
              {"payload", json::object()}};
    put_parsed(view, "payload", event.payload_json);
    return view;
}

std::optional<std::int64_t> read_event_id(std::string_view text) {
    if (text.starts_with(kEventPrefix)) text.remove_prefix(kEventPrefix.size());
    std::int64_t id = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error != std::errc() || end != text.data() + text.size() || id < 0) return std::nullopt;
    return id;
}

}  // namespace a2h::collab
