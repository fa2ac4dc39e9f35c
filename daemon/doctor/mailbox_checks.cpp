#include "daemon/doctor/mailbox_checks.h"

#include <chrono>

#include "core/base/time_text.h"
#include "daemon/doctor/facts.h"

namespace a2h::doctor {

namespace {

using Trip = Result<health::Listening::RoundTrip>;

Findings check_connection(const Facts& facts) {
    Findings findings;
    for (const AgentFacts& agent : facts.agents) {
        const mqtt::State& state = agent.connection;
        if (state.connected) {
            findings.push_back(
                say(facts, State::Ok, "connection_ok",
                    {{"agent", agent.id}, {"since", to_local_time(state.connected_since_ms)}},
                    agent.id));
        } else if (!facts.serves) {
            findings.push_back(say(facts, State::NotChecked, "connection_not_served",
                                   {{"agent", agent.id}}, agent.id));
        } else if (agent.follows) {
            findings.push_back(
                say(facts, State::Ok, "connection_follows", {{"agent", agent.id}}, agent.id));
        } else {
            findings.push_back(say(facts, State::Failed, "connection_none",
                                   {{"agent", agent.id}, {"why", state.last_error}}, agent.id));
        }
    }
    return findings;
}

Findings check_for_another_instance(const Facts& facts) {
    Findings findings;
    for (const AgentFacts& agent : facts.agents) {
        const bool fought = agent.connection.taken_over;
        const State state = fought ? State::Failed : facts.serves ? State::Ok : State::NotChecked;
        const char* key = fought          ? "instance_other"
                          : agent.follows ? "instance_leads"
                          : facts.serves  ? "instance_alone"
                                          : "instance_not_served";
        findings.push_back(say(facts, state, key, {{"agent", agent.id}}, agent.id));
    }
    return findings;
}

/// Whether the mail of a lost session was fetched.
Finding history_finding(const Facts& facts, const AgentFacts& agent) {
    const HistoryFetches& history = agent.history;
    const bool partial = history.sessions_lost > 0 && !history.everybody;
    const std::string agent_id = agent.id;
    if (!facts.serves)
        return say(facts, State::NotChecked, "connection_not_served", {{"agent", agent_id}},
                   agent_id);
    if (history.is_owed)
        return say(facts, State::Warning, "history_owed", {{"agent", agent_id}}, agent_id);
    if (history.asked_ms == 0)
        return say(facts, State::Ok, "history_not_asked", {{"agent", agent_id}}, agent_id);
    const std::string_view key = partial             ? "history_partial"
                                 : history.everybody ? "history_ok"
                                                     : "history_known";
    return say(facts, partial ? State::Warning : State::Ok, key,
               {{"agent", agent_id},
                {"time", to_local_time(history.asked_ms)},
                {"count", std::to_string(history.fetched)},
                {"lost", std::to_string(history.sessions_lost)}},
               agent_id);
}

Findings check_history(const Facts& facts) {
    Findings findings;
    for (const AgentFacts& agent : facts.agents)
        findings.push_back(history_finding(facts, agent));
    return findings;
}

constexpr Check kMailboxChecks[] = {
    {"connection", check_connection},
    {"other_instance", check_for_another_instance},
    {"history", check_history},
};

}  // namespace

Finding round_trip_finding(const Facts& facts, const std::string& agent, const Trip& trip) {
    if (trip) {
        return say(facts, State::Ok, "round_trip_ok",
                   {{"agent", agent}, {"took", std::to_string(trip->took.count())}}, agent);
    }
    if (!facts.serves) {
        return say(facts, State::NotChecked, "connection_not_served", {{"agent", agent}}, agent);
    }
    const bool lost = trip.error().code == ErrorCode::Timeout;
    return say(facts, lost ? State::Failed : State::NotChecked,
               lost ? "round_trip_lost" : "round_trip_none",
               {{"agent", agent}, {"why", trip.error().message}}, agent);
}

Finding broker_clock_finding(const Facts& facts, const std::string& agent, const Trip& trip) {
    constexpr std::chrono::seconds kStepMax{1};
    if (!trip) return say(facts, State::NotChecked, "clock_broker_none", {{"agent", agent}}, agent);
    const bool even = std::chrono::abs(trip->clock_step) < kStepMax;
    return say(facts, even ? State::Ok : State::Warning,
               even ? "clock_broker_ok" : "clock_broker_step",
               {{"step", std::to_string(trip->clock_step.count())}}, agent);
}

std::span<const Check> mailbox_checks() {
    return kMailboxChecks;
}

}  // namespace a2h::doctor
