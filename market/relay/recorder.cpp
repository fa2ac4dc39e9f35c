#include "market/relay/recorder.h"

#include "core/wire/envelope.h"
#include "market/broker/access.h"
#include "market/exchange/mail.h"
#include "market/store/agent_store.h"
#include "market/store/message_store.h"

namespace a2h::market {

Result<void> Recorder::record(std::string_view topic, std::string_view payload) {
    const auto target = agent_of_topic(topic);
    const auto outcome = wire::parse_envelope(payload, target.value_or(""));
    if (!target || !outcome.parsed) {
        ++dropped_;
        return {};
    }
    const Envelope& envelope = outcome.parsed->envelope;
    if (envelope.sender_id == own_sender_id_ || envelope.sender_id == *target) return {};
    A2H_ASSIGN_OR_RETURN(const auto sender,
                         database_.read_with(store::find_agent, envelope.sender_id));
    if (!sender || sender->revoked || !wire::check_hmac(*outcome.parsed, sender->agent_key)) {
        ++dropped_;
        return {};
    }
    // A time that cannot be read counts as unknown and is never a reason to refuse.
    const UnixMs sent_at_ms = outcome.parsed->sent_at_ms;
    if (sent_at_ms != 0 && sent_at_ms < kept_since(clock_.now_ms(), kept_)) {
        ++dropped_;
        return take_mail(database_, payload, clock_.now_ms());
    }
    const RecordedMessage message{.sender_id = envelope.sender_id,
                                  .target_id = envelope.target_id,
                                  .message_id = envelope.message_id,
                                  .trace_id = envelope.trace_id,
                                  .envelope_json = std::string(payload),
                                  .recorded_at_ms = clock_.now_ms()};
    const auto stored = database_.write_with(store::record_message, message);
    if (stored) {
        ++recorded_;
        return take_mail(database_, payload, clock_.now_ms());
    }
    // For example an id with a NUL, which no database accepts; otherwise it would be delivered
    // again for ever.
    if (stored.error().code != ErrorCode::InvalidArgument) return stored;
    ++dropped_;
    return {};
}

}  // namespace a2h::market
