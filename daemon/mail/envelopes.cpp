#include "daemon/mail/envelopes.h"

#include <utility>

#include "core/wire/envelope.h"

namespace a2h::mail {

void Envelopes::prepare(const OutboxMessage& message) {
    const UnixMs now_ms = clock_.now_ms();
    auto envelope = sign(message, now_ms);
    if (!envelope) return;  // `take` meets the error again
    if (prepared_.size() >= kPreparedMax) prepared_.clear();
    prepared_[message.message_id] = {std::move(*envelope), now_ms};
}

Result<std::string> Envelopes::take(const OutboxMessage& message) {
    const UnixMs now_ms = clock_.now_ms();
    if (auto node = prepared_.extract(message.message_id)) {
        Prepared& prepared = node.mapped();
        if (now_ms - prepared.signed_at_ms < kPreparedFor.count())
            return std::move(prepared.envelope);
    }
    return sign(message, now_ms);
}

Result<std::string> Envelopes::sign(const OutboxMessage& message, UnixMs now_ms) const {
    return wire::sign_envelope(message, agents_.at(message.agent_id)->identity.account.keys,
                               now_ms);
}

}  // namespace a2h::mail
