#include "daemon/agents/home_delivery.h"

#include <utility>

#include "core/store/contact_store.h"
#include "core/store/inbox_store.h"
#include "core/store/outbox_store.h"
#include "core/wire/envelope.h"
#include "daemon/effects/message_audit.h"

namespace a2h::agents {

Result<HomeDelivery> new_home_delivery(const OutboxMessage& message, const std::string& envelope,
                                       UnixMs now_ms) {
    auto outcome = wire::parse_envelope(envelope, message.target_id);
    if (outcome.refused) {
        return fail(
            ErrorCode::InvalidArgument,
            "the message would be refused: " + std::string(to_string(outcome.refused->reason)));
    }
    Envelope& parsed = outcome.parsed->envelope;
    HomeDelivery delivery;
    delivery.message = message;
    delivery.arrival = InboxMessage{
        .id = 0,
        .agent_id = message.target_id,
        .sender_id = std::move(parsed.sender_id),
        .message_id = std::move(parsed.message_id),
        .message_type = std::move(parsed.message_type),
        .trace_id = std::move(parsed.trace_id),
        .payload_json = std::move(parsed.payload_json),
        .payload_hash = std::move(parsed.payload_hash),
        .envelope_json = envelope,
        .provenance = Provenance::Verified,
        .source = SourceClass::Peer,
        .sent_at_ms = outcome.parsed->sent_at_ms,
        .received_at_ms = now_ms,
    };
    return delivery;
}

Result<bool> deliver_at_home(store::Database& db, HomeDelivery& delivery, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto ours, store::hand_over_outbox(db, delivery.message.id, now_ms));
    if (!ours) return false;
    A2H_ASSIGN_OR_RETURN(const auto inserted, store::insert_inbox(db, delivery.arrival));
    if (inserted.outcome != store::InsertOutcome::Inserted) return false;
    delivery.arrival.id = inserted.inbox_id;
    Contact contact;
    contact.agent_id = delivery.arrival.agent_id;
    contact.peer_id = delivery.arrival.sender_id;
    contact.source = ContactSource::FirstMessage;
    contact.role = delivery.sender_role;
    contact.key_id = delivery.sender_key_id;
    contact.public_key = delivery.sender_public_key;
    contact.added_at_ms = now_ms;
    A2H_TRY(store::add_contact(db, contact));
    A2H_TRY(effects::audit_end(db, delivery.message, "message.acknowledged", now_ms));
    return true;
}

}  // namespace a2h::agents
