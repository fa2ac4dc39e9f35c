#include "tests/bench/stored_messages.h"
#include "tests/support/permit.h"

#include <cstdio>

#include "core/store/event_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/outbox_store.h"

namespace a2h::bench {

using store::Database;

std::string peer_name(std::int64_t number) {
    return "ag_peer" + std::to_string(100'000 + number % kPeers) + "abcdefgh";
}

InboxMessage message_number(const std::string& agent_id, std::int64_t number) {
    InboxMessage message;
    message.agent_id = agent_id;
    message.sender_id = peer_name(number);
    message.message_id = "msg_" + std::to_string(1'760'000'000'000 + number) + "_0badf00d";
    message.message_type = "chat.request";
    message.trace_id = "trace_1760000000000_0badf00d";
    message.payload_json = R"({"text":"How much is the logo design, and how long does it take?"})";
    // Spread like a real hash: its first digits are part of an index.
    char hash[65];
    std::snprintf(hash, sizeof hash, "%016llx%048d",
                  static_cast<unsigned long long>(number) * 0x9E3779B97F4A7C15ULL, 0);
    message.payload_hash = hash;
    message.envelope_json = std::string(760, 'e');
    message.provenance = Provenance::Verified;
    message.sent_at_ms = message.received_at_ms = 1'760'000'000'000 + number;
    return message;
}

OutboxMessage reply_number(const std::string& agent_id, std::int64_t number) {
    OutboxMessage reply;
    reply.agent_id = agent_id;
    reply.target_id = peer_name(number);
    reply.message_id = "msg_" + std::to_string(1'770'000'000'000 + number) + "_0badf00d";
    reply.message_type = "chat.request";
    reply.trace_id = "trace_1760000000000_0badf00d";
    reply.payload_json = R"({"text":"280 CNY, three days. The listing says more."})";
    reply.effect_key = "task:" + std::to_string(number);
    reply.cause = "rule:price.listed";
    reply.next_attempt_ms = reply.created_at_ms = reply.updated_at_ms = 1'760'000'000'000 + number;
    reply.expires_at_ms = reply.created_at_ms + 259'200'000;
    return reply;
}

Result<void> write_effects(Database& db, const std::string& agent_id, std::int64_t inbox_id,
                           std::int64_t number, std::int64_t& outbox_id) {
    Job job;
    job.id = inbox_id;
    job.state = JobState::Done;
    job.rule_id = "price.listed";
    job.decision = "answer";
    job.why = "the price is in the listing";
    job.updated_at_ms = 1'760'000'000'000 + number;
    A2H_TRY(store::update_job(db, job));
    A2H_ASSIGN_OR_RETURN(const auto place, test::insert_outbox(db, reply_number(agent_id, number)));
    outbox_id = place.id;
    A2H_TRY(
        store::insert_event(db, Event{0, agent_id, "message.decided", "msg_1760000000000_0badf00d",
                                      R"({"rule":"price.listed"})", 1'760'000'000'000 + number}));
    return {};
}

Result<void> write_answered(Database& db, const std::string& agent_id, std::int64_t number) {
    A2H_ASSIGN_OR_RETURN(const auto inserted,
                         store::insert_inbox(db, message_number(agent_id, number)));
    std::int64_t outbox_id = 0;
    A2H_TRY(write_effects(db, agent_id, inserted.inbox_id, number, outbox_id));
    return store::mark_outbox_sent(db, outbox_id, 1);
}

}  // namespace a2h::bench
