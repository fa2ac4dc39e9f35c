#include "daemon/agents/agent_mail.h"

#include <memory>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/wire/agent_messages.h"
#include "core/wire/canonical.h"
#include "daemon/agents/mail_rows.h"
#include "daemon/effects/rows.h"

namespace a2h::agents {
namespace {

using nlohmann::json;

/// Whether an id that the message introduces could be words.
bool has_bad_new_id(Taking& taking, AgentMessageType type) {
    for (const MessageMember& member : row_of(type).members) {
        if (!member.is_new_id) continue;
        const std::string name(member.name);
        const std::string id = taking.member(name);
        if (!id.empty() && has_bad_id(taking, type, name.c_str(), id)) return true;
    }
    return false;
}

Result<void> take_typed(Taking& taking, AgentMessageType type) {
    taking.payload = json::parse(taking.message.payload_json, nullptr, false);
    if (const auto fault = wire::fault_of(type, taking.payload)) {
        record_fault(taking, *fault);
        return {};
    }
    taking.payload = wire::normalized(type, std::move(taking.payload));
    if (has_bad_new_id(taking, type)) return {};
    return mail_row(type).take(taking);
}

}  // namespace

Result<outcome::Effects> take_mail(store::Database& db, const Job& job, const InboxMessage& message,
                                   bool is_from_this_home, const Options& options,
                                   const consent::Policy& policy, UnixMs now_ms) {
    json payload = json::object();
    json detail{{"peer_id", message.sender_id},
                {"provenance", to_string(message.provenance)},
                {"message_type", message.message_type}};
    Taking taking{db, message, is_from_this_home, options, policy, now_ms, payload, detail};
    taking.effects.job = job;
    Job& settled = *taking.effects.job;
    settled.rule_id = kAgentMailRule;
    settled.decision = "silent";
    settled.state = JobState::Done;
    settled.updated_at_ms = now_ms;
    settled.why = taking.text("daemon.agent_recorded");
    if (message.provenance == Provenance::Forged) {
        A2H_TRY(ignore(taking, "daemon.agent_unproved"));
    } else if (const auto type = parse_agent_message_type(message.message_type)) {
        A2H_TRY(take_typed(taking, *type));
    }
    detail["decision"] = settled.decision;
    detail["rule_id"] = settled.rule_id;
    detail["why"] = settled.why;
    taking.effects.events.push_back(effects::new_event(message.agent_id, "message.decided",
                                                       message.message_id,
                                                       wire::canonical_json(detail), now_ms));
    return std::move(taking.effects);
}

AgentMail::AgentMail(const kernel::Kernel& kernel, const Current<Config>& config,
                     const Residents& residents, const outcome::Commits& commits)
    : kernel_(kernel), config_(config), residents_(residents), commits_(commits) {}

bool AgentMail::is_from_this_home(const InboxMessage& message) const {
    return message.provenance == Provenance::Verified && residents_.is_ours(message.sender_id);
}

bool AgentMail::takes(const InboxMessage& message) const {
    const auto type = parse_agent_message_type(message.message_type);
    if (type && *type != AgentMessageType::General) return true;
    return is_from_this_home(message);
}

Result<void> AgentMail::take(store::Database& db, const Job& job, const InboxMessage& message,
                             bool from_this_home, UnixMs now_ms, Settlement& settlement) const {
    const auto config = config_.get();
    A2H_ASSIGN_OR_RETURN(auto effects, take_mail(db, job, message, from_this_home, config->agents,
                                                 config->approval, now_ms));
    settlement.effects = std::move(effects);
    A2H_ASSIGN_OR_RETURN(auto places,
                         outcome::write_effects(db, settlement.effects, config->approval));
    settlement.places = std::move(places);
    return {};
}

void AgentMail::receive(const Job& job, const InboxMessage& message, Done done) {
    auto settlement = std::make_shared<Settlement>();
    kernel_.write(
        store::Writer::Priority::Grouped,
        [this, settlement, job, message, from_this_home = is_from_this_home(message),
         now_ms = kernel_.clock.now_ms()](store::Database& db) {
            return take(db, job, message, from_this_home, now_ms, *settlement);
        },
        [this, settlement, done = std::move(done)](const Result<void>& written) {
            if (written) commits_.written(settlement->effects, settlement->places);
            done(written);
        });
}

Result<std::function<void()>> AgentMail::take_at_home(store::Database& db,
                                                      const InboxMessage& arrival) const {
    Job job;
    job.id = arrival.id;
    job.inbox_id = arrival.id;
    job.agent_id = arrival.agent_id;
    job.created_at_ms = arrival.received_at_ms;
    auto settlement = std::make_shared<Settlement>();
    A2H_TRY(take(db, job, arrival, true, arrival.received_at_ms, *settlement));
    return std::function<void()>(
        [this, settlement] { commits_.written(settlement->effects, settlement->places); });
}

}  // namespace a2h::agents
