#include "daemon/pipeline/receiver.h"

#include <future>
#include <memory>
#include <utility>

#include "core/base/log.h"
#include "core/base/text.h"
#include "core/store/contact_store.h"
#include "core/store/inbox_store.h"

namespace a2h::pipeline {
namespace {

Contact first_message_contact(const InboxMessage& message) {
    Contact contact;
    contact.agent_id = message.agent_id;
    contact.peer_id = message.sender_id;
    contact.source = ContactSource::FirstMessage;
    contact.added_at_ms = message.received_at_ms;
    return contact;
}

/// A message on its way through the writer, which may outlive the call that waits for it. The loop
/// reads `message` meanwhile, so that only the loop may change it.
struct Arrival {
    InboxMessage message;
    store::InsertResult inserted = {};
    std::promise<Result<void>> committed = {};
};

/// Message, task and contact in the writer's transaction.
Result<void> insert_with_contact(store::Database& db, Arrival& arrival) {
    const auto inserted = store::insert_inbox(db, arrival.message);
    if (!inserted) return fail(inserted.error());
    arrival.inserted = *inserted;
    if (inserted->outcome != store::InsertOutcome::Inserted) return {};
    return store::add_contact(db, first_message_contact(arrival.message));
}

}  // namespace

Receiver::Receiver(std::string agent_id, wire::SigningKeys keys, const Clock& clock,
                   store::Writer& writer, Poster& loop, KeyRing& key_ring, Events events)
    : agent_id_(std::move(agent_id)),
      keys_(std::move(keys)),
      clock_(clock),
      writer_(writer),
      loop_(loop),
      key_ring_(key_ring),
      events_(std::move(events)) {}

Result<void> Receiver::on_message(std::string_view payload) {
    wire::ParseOutcome outcome = wire::parse_envelope(payload, agent_id_);
    if (outcome.refused) {
        store_refused(outcome.refused->reason, outcome.refused->detail,
                      outcome.refused->claimed_sender, payload.size());
        return {};
    }
    if (outcome.parsed->envelope.sender_id == agent_id_) {
        accept_own(*outcome.parsed, payload.size());
        return {};
    }
    return accept(std::move(*outcome.parsed), payload);
}

void Receiver::accept_own(const wire::ParsedEnvelope& parsed, std::size_t size_bytes) {
    const Envelope& envelope = parsed.envelope;
    if (envelope.message_type == kSelfTestType && wire::check_hmac(parsed, keys_.agent_key)) {
        loop_.post([this, id = envelope.message_id] { events_.self_test_returned(id); });
        return;
    }
    store_refused(Refusal::OwnEcho, "the sender is this agent", envelope.sender_id, size_bytes);
}

Result<void> Receiver::accept(wire::ParsedEnvelope parsed, std::string_view payload) {
    Envelope& envelope = parsed.envelope;
    const auto key = key_ring_.find(agent_id_, envelope.sender_id);
    if (!key) return fail(key.error());
    const auto check = wire::check_sender_signature(parsed, key->key_id, key->public_key);
    if (check == wire::SignatureCheck::Invalid) {
        store_refused(Refusal::BadSignature, "sender_signature does not fit the pinned key",
                      envelope.sender_id, payload.size());
        return {};
    }
    const bool verified = check == wire::SignatureCheck::Valid;
    return store_accepted(InboxMessage{
        .id = 0,
        .agent_id = agent_id_,
        .sender_id = std::move(envelope.sender_id),
        .message_id = std::move(envelope.message_id),
        .message_type = std::move(envelope.message_type),
        .trace_id = std::move(envelope.trace_id),
        .payload_json = std::move(envelope.payload_json),
        .payload_hash = std::move(envelope.payload_hash),
        .envelope_json = std::string(payload),
        .provenance = verified ? Provenance::Verified : Provenance::Unverified,
        .source = verified && key->is_platform ? SourceClass::Platform : SourceClass::Peer,
        .sent_at_ms = parsed.sent_at_ms,
        .received_at_ms = clock_.now_ms(),
    });
}

Result<void> Receiver::store_accepted(InboxMessage message) {
    auto arrival = std::make_shared<Arrival>(Arrival{std::move(message)});
    auto committed = arrival->committed.get_future();
    // The loop is told by the writer, not by this thread, which takes its time to wake up.
    writer_.submit(
        store::Writer::Priority::Urgent,
        [arrival](store::Database& db) { return insert_with_contact(db, *arrival); },
        [arrival, &loop = loop_, accepted = events_.accepted](Result<void> result) {
            if (result && arrival->inserted.outcome == store::InsertOutcome::Inserted) {
                loop.post([arrival, accepted] {
                    arrival->message.id = arrival->inserted.inbox_id;
                    accepted(arrival->message);
                });
            }
            arrival->committed.set_value(std::move(result));
        });
    loop_.post([arrival, expected = events_.expected] { expected(arrival->message); });
    if (committed.wait_for(kCommitWaitMax) != std::future_status::ready) {
        return fail(ErrorCode::Timeout, "the message could not be committed within 2 s");
    }
    return committed.get();
}

void Receiver::store_refused(Refusal reason, std::string_view detail,
                             std::string_view claimed_sender, std::size_t size_bytes) {
    RefusedMessage refused{.id = 0,
                           .agent_id = agent_id_,
                           .claimed_sender = preview(claimed_sender),
                           .reason = reason,
                           .detail = preview(detail),
                           .size_bytes = static_cast<std::int64_t>(size_bytes),
                           .received_at_ms = clock_.now_ms()};
    log::debug("Message refused", {{"agent", agent_id_}, {"reason", to_string(reason)}});
    // Nobody waits: losing the record of a refused message in a crash loses no mail.
    writer_.submit(
        store::Writer::Priority::Grouped,
        [refused = std::move(refused)](store::Database& db) {
            return store::insert_refused(db, refused);
        },
        [](Result<void>) {});
}

}  // namespace a2h::pipeline
