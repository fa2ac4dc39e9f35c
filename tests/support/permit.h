#pragma once

#include "core/domain/outbox.h"
#include "core/domain/permit.h"
#include "core/platform/requests.h"
#include "core/store/outbox_store.h"
#include "core/wire/permit_digest.h"

namespace a2h::test {

struct PermitMaker {
    static Permit permit_of(const OutboxMessage& message) {
        return {Right::Answer, "test", wire::permit_digest(message)};
    }
    static Judged judged(Right right, const std::string& digest = {}) { return {right, digest}; }
    static Permit permit_of(std::string_view agent_id, const platform::Request& request) {
        return {Right::OwnHand, "test", platform::permit_digest(agent_id, request)};
    }
};

/// Inserts a message as if a rule had answered with it.
inline Result<store::OutboxPlace> insert_outbox(store::Database& db, const OutboxMessage& message) {
    return store::insert_outbox(db, message, PermitMaker::permit_of(message));
}

}  // namespace a2h::test
