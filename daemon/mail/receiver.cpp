#include "daemon/mail/receiver.h"

#include <future>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/log.h"
#include "core/base/text.h"
#include "core/store/contact_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/refused_store.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "daemon/kernel/fault_point.h"
#include "daemon/mail/other_instance.h"

namespace a2h::mail {
namespace {

Contact first_message_contact(const InboxMessage& message) {
    Contact contact;
    contact.agent_id = message.agent_id;
    contact.peer_id = message.sender_id;
    contact.source = ContactSource::FirstMessage;
    contact.added_at_ms = message.received_at_ms;
    return contact;
}

/// A message while the writer stores it. It may outlive the call that waits for it. The loop reads
/// `message` in the meantime, so only the loop may change it.
struct Arrival {
    InboxMessage message;
    store::SenderProof proof = {};
    std::unique_ptr<EarlyDecision> early = {};
    store::InsertResult inserted = {};
    bool is_decided = false;  ///< the decision passed to `early` has been written
    std::promise<Result<void>> committed = {};
};

/// If the early decision cannot be written, the message is stored nevertheless.
bool write_early_decision(store::Database& db, Arrival& arrival) {
    if (!arrival.early) return false;
    const auto write = arrival.early->take();
    if (!write) return false;
    return db.savepoint([&] { return write(db, arrival.inserted.inbox_id); }).has_value();
}

/// Writes message, job, contact and the loop's decision, in the writer's transaction.
Result<void> insert_with_contact(store::Database& db, Arrival& arrival) {
    A2H_ASSIGN_OR_RETURN(const auto inserted,
                         store::insert_inbox(db, arrival.message, arrival.proof));
    arrival.inserted = inserted;
    if (inserted.outcome != store::InsertOutcome::Inserted) return {};
    A2H_TRY(store::add_contact(db, first_message_contact(arrival.message)));
    A2H_FAULT_POINT("receive.3");
    arrival.is_decided = write_early_decision(db, arrival);
    return {};
}

/// Stores a message that another instance may have answered, with a finished job.
Result<store::InsertOutcome> insert_undecided(store::Database& db, const InboxMessage& message,
                                              const store::SenderProof& proof) {
    A2H_ASSIGN_OR_RETURN(const auto inserted, store::insert_inbox(db, message, proof));
    if (inserted.outcome != store::InsertOutcome::Inserted) return inserted.outcome;
    A2H_TRY(store::add_contact(db, first_message_contact(message)));
    A2H_ASSIGN_OR_RETURN(auto job, store::get_job_of_inbox(db, inserted.inbox_id));
    A2H_CHECK(job.has_value());
    job->state = JobState::Done;
    job->decision = "silent";
    job->rule_id = kOtherInstanceRule;
    job->updated_at_ms = message.received_at_ms;
    A2H_TRY(store::update_job(db, *job));
    return inserted.outcome;
}

/// Counts a message whose commit succeeded.
void count_stored(kernel::Metrics& metrics, store::InsertOutcome outcome) {
    switch (outcome) {
        case store::InsertOutcome::Inserted:
            metrics.received.add();
            break;
        case store::InsertOutcome::Duplicate:
            metrics.duplicates.add();
            break;
        case store::InsertOutcome::Conflict:
            metrics.count_refused(Refusal::ConflictingDuplicate);
            break;
    }
}

/// Thread: the loop.
void report(Arrival& arrival, bool is_new, Arrivals& arrivals) {
    if (is_new) arrival.message.id = arrival.inserted.inbox_id;
    if (arrival.is_decided && is_new) {
        arrivals.decided(arrival.message, *arrival.early);
        return;
    }
    if (arrival.early) arrivals.withdraw(arrival.message, *arrival.early);
    if (is_new) arrivals.accept(arrival.message);
}

/// What an envelope says besides its payload is part of what the sender has signed, so it is shown
/// and judged like the payload.
std::string with_besides(std::string payload_json, const std::string& besides_json) {
    if (besides_json.empty()) return payload_json;
    nlohmann::json payload = nlohmann::json::parse(payload_json);
    const char* const name = payload.contains("envelope") ? "envelope_fields" : "envelope";
    payload[name] = nlohmann::json::parse(besides_json);
    return wire::canonical_json(payload);
}

/// The hash of all that was said: other words beside the same payload are another message (R1). A
/// trace in the form of a generated id says nothing.
std::string hash_of_all(const wire::ParsedEnvelope& parsed, const std::string& payload_json) {
    const Envelope& envelope = parsed.envelope;
    const bool has_trace = !envelope.trace_id.empty() && !is_wordless_id(envelope.trace_id);
    if (parsed.besides_json.empty() && !has_trace) return envelope.payload_hash;
    return wire::sha256_hex(payload_json + (has_trace ? envelope.trace_id : std::string()));
}

/// Waits for the commit, at most `Receiver::kCommitWaitMax`.
Result<void> in_time(std::future<Result<void>>& committed) {
    if (committed.wait_for(Receiver::kCommitWaitMax) != std::future_status::ready)
        return fail(ErrorCode::Timeout, "the message could not be committed within 2 s");
    return committed.get();
}

}  // namespace

Receiver::Receiver(std::string agent_id, wire::SigningKeys keys, const Clock& clock,
                   store::Writer& writer, Poster& loop, KeyRing& key_ring, kernel::Metrics& metrics,
                   Arrivals& arrivals, SelfTests& self_tests)
    : agent_id_(std::move(agent_id)),
      keys_(std::move(keys)),
      clock_(clock),
      writer_(writer),
      loop_(loop),
      key_ring_(key_ring),
      metrics_(metrics),
      arrivals_(arrivals),
      self_tests_(self_tests) {}

Result<void> Receiver::on_message(std::string_view payload) {
    A2H_FAULT_POINT("receive.1");
    using std::chrono::steady_clock;
    const steady_clock::time_point last{steady_clock::duration{last_returned_}};
    const bool is_slow = steady_clock::now() - last >= kFastGap;
    auto result = take_in(payload, is_slow ? Then::DecideEarly : Then::DecideLater, 0);
    last_returned_ = steady_clock::now().time_since_epoch().count();
    return result;
}

Result<void> Receiver::on_history(std::string_view payload, UnixMs other_instance_before_ms) {
    return take_in(payload, Then::DecideLater, other_instance_before_ms);
}

Result<void> Receiver::take_in(std::string_view payload, Then then,
                               UnixMs other_instance_before_ms) {
    wire::ParseOutcome outcome = wire::parse_envelope(payload, agent_id_);
    if (outcome.refused) {
        return refuse(*outcome.refused, payload);
    }
    if (outcome.parsed->envelope.sender_id == agent_id_) {
        accept_own(*outcome.parsed, payload.size());
        return {};
    }
    if (outcome.parsed->sent_at_ms < other_instance_before_ms) then = Then::LeaveToHuman;
    return accept(std::move(*outcome.parsed), payload, then);
}

void Receiver::accept_own(const wire::ParsedEnvelope& parsed, std::size_t size_bytes) {
    const Envelope& envelope = parsed.envelope;
    if (envelope.message_type == kSelfTestType && wire::check_hmac(parsed, keys_.agent_key)) {
        loop_.post([&self_tests = self_tests_, agent_id = agent_id_, id = envelope.message_id] {
            self_tests.returned(agent_id, id);
        });
        return;
    }
    submit_refused(
        refused_row({Refusal::OwnEcho, "the sender is this agent", envelope.sender_id}, size_bytes),
        {});
}

Result<void> Receiver::accept(wire::ParsedEnvelope parsed, std::string_view payload, Then then) {
    Envelope& envelope = parsed.envelope;
    A2H_ASSIGN_OR_RETURN(const auto key, key_ring_.find(agent_id_, envelope.sender_id));
    const auto check = wire::check_sender_signature(parsed, key.key_id, key.public_key);
    if (check == wire::SignatureCheck::Invalid) {
        return refuse({Refusal::BadSignature, "sender_signature does not match the pinned key",
                       envelope.sender_id},
                      payload);
    }
    const bool verified = check == wire::SignatureCheck::Valid;
    std::string payload_json = with_besides(std::move(envelope.payload_json), parsed.besides_json);
    std::string payload_hash = hash_of_all(parsed, payload_json);
    InboxMessage message{
        .id = 0,
        .agent_id = agent_id_,
        .sender_id = std::move(envelope.sender_id),
        .message_id = std::move(envelope.message_id),
        .message_type = std::move(envelope.message_type),
        .trace_id = std::move(envelope.trace_id),
        .payload_json = std::move(payload_json),
        .payload_hash = std::move(payload_hash),
        .envelope_json = std::string(payload),
        .provenance = verified ? Provenance::Verified : Provenance::Unverified,
        .source = verified && key.is_platform ? SourceClass::Platform : SourceClass::Peer,
        .sent_at_ms = parsed.sent_at_ms,
        .received_at_ms = clock_.now_ms(),
    };
    store::SenderProof proof{.digest = wire::digest_of(parsed)};
    proof.is_senders = [key, agent_id = agent_id_](const std::string& envelope_json) {
        const auto stored = wire::parse_envelope(envelope_json, agent_id);
        return stored.parsed &&
               wire::check_sender_signature(*stored.parsed, key.key_id, key.public_key) ==
                   wire::SignatureCheck::Valid;
    };
    if (then == Then::LeaveToHuman) return store_undecided(std::move(message), std::move(proof));
    return store_accepted(std::move(message), std::move(proof), then == Then::DecideEarly);
}

Result<void> Receiver::store_accepted(InboxMessage message, store::SenderProof proof,
                                      bool decide_early) {
    A2H_FAULT_POINT("receive.2");
    auto arrival = std::make_shared<Arrival>(Arrival{std::move(message), std::move(proof)});
    if (decide_early) arrival->early = std::make_unique<EarlyDecision>();
    auto committed = arrival->committed.get_future();
    // The writer notifies the loop, because this thread takes longer to wake up.
    writer_.submit(
        store::Writer::Priority::Urgent,
        [arrival](store::Database& db) { return insert_with_contact(db, *arrival); },
        [arrival, &loop = loop_, &metrics = metrics_, &arrivals = arrivals_](Result<void> result) {
            A2H_FAULT_POINT("receive.4");
            if (result) count_stored(metrics, arrival->inserted.outcome);
            if (arrival->early) arrival->early->decline();
            const bool is_new =
                result && arrival->inserted.outcome == store::InsertOutcome::Inserted;
            loop.post([arrival, &arrivals, is_new] { report(*arrival, is_new, arrivals); });
            arrival->committed.set_value(std::move(result));
        });
    loop_.post([arrival, &arrivals = arrivals_] {
        arrivals.expect(arrival->message, arrival->early.get());
    });
    auto result = in_time(committed);
    A2H_FAULT_POINT("receive.5");
    return result;
}

Result<void> Receiver::store_undecided(InboxMessage message, store::SenderProof proof) {
    auto outcome = std::make_shared<store::InsertOutcome>();
    auto stored = std::make_shared<std::promise<Result<void>>>();
    auto committed = stored->get_future();
    writer_.submit(
        store::Writer::Priority::Urgent,
        [message = std::move(message), proof = std::move(proof),
         outcome](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(const auto inserted, insert_undecided(db, message, proof));
            *outcome = inserted;
            return {};
        },
        [outcome, stored, &metrics = metrics_](Result<void> result) {
            if (result) count_stored(metrics, *outcome);
            stored->set_value(std::move(result));
        });
    return in_time(committed);
}

Result<void> Receiver::refuse(const wire::RefusedEnvelope& envelope, std::string_view payload) {
    RefusedMessage row = refused_row(envelope, payload.size());
    if (!envelope.signed_part) {
        // Losing the record of such a message in a crash loses no mail.
        submit_refused(std::move(row), {});
        return {};
    }
    const wire::SignedPart& part = *envelope.signed_part;
    A2H_ASSIGN_OR_RETURN(const auto key, key_ring_.find(agent_id_, envelope.claimed_sender));
    const auto check = wire::check_sender_signature(part, key.key_id, key.public_key);
    if (check != wire::SignatureCheck::Invalid) {
        const bool is_verified = check == wire::SignatureCheck::Valid;
        row.provenance = is_verified ? Provenance::Verified : Provenance::Unverified;
        row.digest = wire::digest_of(envelope);
    }
    const RefusedMail mail{agent_id_, envelope.claimed_sender, row.digest, part,
                           std::string(payload)};
    auto stored = std::make_shared<std::promise<Result<void>>>();
    auto committed = stored->get_future();
    submit_refused(std::move(row),
                   [stored](Result<void> result) { stored->set_value(std::move(result)); });
    auto result = in_time(committed);
    if (key.public_key.empty())
        loop_.post([mail, &arrivals = arrivals_] { arrivals.refused(mail); });
    return result;
}

RefusedMessage Receiver::refused_row(const wire::RefusedEnvelope& envelope,
                                     std::size_t size_bytes) const {
    return {.id = 0,
            .agent_id = agent_id_,
            .claimed_sender = preview(envelope.claimed_sender),
            .reason = envelope.reason,
            .detail = preview(envelope.detail),
            .size_bytes = static_cast<std::int64_t>(size_bytes),
            .received_at_ms = clock_.now_ms()};
}

void Receiver::submit_refused(RefusedMessage refused, std::function<void(Result<void>)> done) {
    metrics_.count_refused(refused.reason);
    log::debug("A message was refused",
               {{"agent", agent_id_}, {"reason", to_string(refused.reason)}});
    const auto priority = done ? store::Writer::Priority::Urgent : store::Writer::Priority::Grouped;
    writer_.submit(
        priority,
        [refused = std::move(refused)](store::Database& db) {
            return store::insert_refused(db, refused);
        },
        [done = std::move(done)](Result<void> result) {
            if (done) done(std::move(result));
        });
}

}  // namespace a2h::mail
