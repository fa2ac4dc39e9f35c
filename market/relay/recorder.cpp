#include "market/relay/recorder.h"

#include "core/wire/crypto.h"
#include "core/wire/envelope.h"
#include "market/broker/access.h"
#include "market/exchange/mail.h"
#include "market/store/agent_store.h"
#include "market/store/message_store.h"

namespace a2h::market {
namespace {

/// Whether `sender` has signed the message in one of the two ways. Its receiver checks the same,
/// with the market's help.
template <typename Read>
bool is_from(const Read& read, const wire::SignedPart& part, const Agent& sender) {
    return wire::check_hmac(read, sender.agent_key) ||
           wire::check_sender_signature(part, sender.key_id, sender.public_key) ==
               wire::SignatureCheck::Valid;
}

/// Whether the receiver can be sure that `sender` has signed the message: an agent that has a key
/// signs with it, and without that signature its receiver counts the message as unverified.
bool is_sure(const wire::ParsedEnvelope& parsed, const Agent& sender) {
    return sender.public_key.empty() ||
           wire::check_sender_signature(parsed.signed_part, sender.key_id, sender.public_key) ==
               wire::SignatureCheck::Valid;
}

/// The same message may be for several receivers: its own target need not be an agent.
template <typename Read>
std::string digest_for(std::string_view target, const Read& read) {
    return wire::sha256_hex(wire::digest_of(read) + std::string(target));
}

}  // namespace

Result<void> Recorder::record(std::string_view topic, std::string_view payload) {
    const auto target = agent_of_topic(topic);
    if (!target) return drop();
    const auto outcome = wire::parse_envelope(payload, *target);
    return outcome.parsed ? record_accepted(*outcome.parsed, payload)
                          : record_refused(*outcome.refused, *target, payload);
}

Result<void> Recorder::record_accepted(const wire::ParsedEnvelope& parsed,
                                       std::string_view payload) {
    const Envelope& envelope = parsed.envelope;
    if (envelope.sender_id == own_sender_id_ || envelope.sender_id == envelope.target_id) return {};
    A2H_ASSIGN_OR_RETURN(const auto sender,
                         database_.read_with(store::find_agent, envelope.sender_id));
    if (!sender || !is_from(parsed, parsed.signed_part, *sender)) return drop();
    const RecordedMessage message{.sender_id = envelope.sender_id,
                                  .target_id = envelope.target_id,
                                  .message_id = envelope.message_id,
                                  .trace_id = envelope.trace_id,
                                  .envelope_json = std::string(payload),
                                  .recorded_at_ms = clock_.now_ms(),
                                  .digest = digest_for(envelope.target_id, parsed)};
    const bool is_apart = sender->revoked || is_too_old(parsed.sent_at_ms);
    const auto& record = is_apart ? store::record_apart : store::record_message;
    A2H_ASSIGN_OR_RETURN(const bool is_kept, count(database_.write_with(record, message)));
    const bool may_act = is_kept && !sender->revoked;
    if (!may_act) return {};
    const MailProof proof = is_sure(parsed, *sender) ? MailProof::Sure : MailProof::AgentKeyOnly;
    return take_mail(database_, payload, proof, clock_.now_ms());
}

Result<void> Recorder::record_refused(const wire::RefusedEnvelope& refused, std::string_view target,
                                      std::string_view payload) {
    const bool is_readable = refused.signed_part && payload.size() <= kPayloadBytesMax;
    if (!is_readable || refused.claimed_sender == target) return drop();
    A2H_ASSIGN_OR_RETURN(const auto sender,
                         database_.read_with(store::find_agent, refused.claimed_sender));
    if (!sender || !is_from(refused, *refused.signed_part, *sender)) return drop();
    const RecordedMessage message{.sender_id = refused.claimed_sender,
                                  .target_id = std::string(target),
                                  .message_id = {},
                                  .trace_id = {},
                                  .envelope_json = std::string(payload),
                                  .recorded_at_ms = clock_.now_ms(),
                                  .digest = digest_for(target, refused)};
    A2H_TRY(count(database_.write_with(store::record_apart, message)));
    return {};
}

Result<void> Recorder::drop() {
    ++dropped_;
    return {};
}

Result<bool> Recorder::count(const Result<void>& stored) {
    if (stored) {
        ++recorded_;
        return true;
    }
    // For example an id with a NUL, which no database accepts; otherwise it would be delivered
    // again for ever.
    if (stored.error().code != ErrorCode::InvalidArgument) return fail(stored.error());
    ++dropped_;
    return false;
}

bool Recorder::is_too_old(UnixMs sent_at_ms) const {
    // A time that cannot be read counts as unknown and is never a reason to refuse.
    return sent_at_ms != 0 && sent_at_ms < kept_since(clock_.now_ms(), kept_);
}

}  // namespace a2h::market
