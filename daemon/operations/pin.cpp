// Each person's own PIN: set with a code that only they are sent, or, by the owner, with the one
// before.

#include <memory>
#include <nlohmann/json.hpp>

#include "core/store/approval_store.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "daemon/consent/action.h"
#include "daemon/consent/proof.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {
namespace {

/// What runs once the person is proved, in the same transaction: without the file no audit row, and
/// the other way round.
store::Writer::Work keep_pin(Runtime& runtime, const std::string& person, const char* proof,
                             const std::string& hash) {
    return [&runtime, person, proof, hash](store::Database& db) -> Result<void> {
        A2H_TRY(store::append_audit(db, {}, "pin.set",
                                    wire::text_object({{"person", person}, {"proof", proof}}),
                                    runtime.context.clock.now_ms()));
        return runtime.save_pin(person, hash);
    };
}

}  // namespace

void handle_pin_code(Runtime& runtime, const Call& call, const Reply& reply) {
    const std::string person = call.text("person");
    runtime.context.write(
        store::Writer::Priority::Urgent,
        [&context = runtime.context,
         use = consent::PinUse{call.agent_id(), {}, person}](store::Database& db) {
            return consent::offer_pin(db, use, context.config->approval, context.clock.now_ms());
        },
        [&runtime, action = call.action, person, reply](const Result<void>& offered) {
            if (!offered) return reply(error_result(action, offered.error()));
            runtime.on_effects();
            reply(ok_result(action,
                            {{"person", person}, {"minutes", consent::kPinOfferLife.count()}}));
        });
}

void handle_pin_set(Runtime& runtime, const Call& call, const Reply& reply) {
    const std::string person = person_of(runtime, call);
    const auto done = [action = call.action, person, reply](const Result<void>& set) {
        reply(set ? ok_result(action, {{"person", person}}) : error_result(action, set.error()));
    };
    const bool by_code = !call.text("code").empty();
    if (!by_code && call.text("pin").empty())
        return done(fail(ErrorCode::InvalidArgument, "either the code or the PIN before"));
    runtime.context.run_blocking<std::string>(
        [pin = call.text("new_pin")] { return wire::hash_pin(pin); },
        [&runtime, agent_id = call.agent_id(), person, by_code, code = call.text("code"),
         pin = call.text("pin"), done](const std::string& hash) {
            if (hash.empty())
                return done(fail(ErrorCode::Unavailable, "too much waits already; try again"));
            auto work = keep_pin(runtime, person, by_code ? "code" : "pin", hash);
            if (by_code) {
                runtime.answers.with_pin_code(agent_id, person, code, std::move(work), done);
            } else {
                runtime.answers.with_pin(agent_id, person, pin, std::move(work), done);
            }
        },
        [] { return std::string(); });
}

}  // namespace a2h::operations
