// The PIN of each person: set with a code that is sent only to them, or, by the owner, with the old
// PIN.

#include <nlohmann/json.hpp>

#include "core/store/approval_store.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "daemon/answers/answers.h"
#include "daemon/config/current.h"
#include "daemon/consent/action.h"
#include "daemon/consent/pins.h"
#include "daemon/consent/proof.h"
#include "daemon/kernel/kernel.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"
#include "daemon/outcome/commits.h"

namespace a2h::operations {
namespace {

struct PinParts {
    const kernel::Kernel& kernel;
    const Current<Config>& config;
    const consent::HumanSecrets& secrets;
    consent::Pins& pins;
    std::filesystem::path human_file;
    answers::Answers& answers;
    const outcome::Commits& commits;
};

/// Runs once the person is proved, in the same transaction, so that file and audit row exist
/// together.
store::Writer::Work keep_pin(const PinParts& parts, const std::string& person, const char* proof,
                             const std::string& hash) {
    return [&parts, person, proof, hash](store::Database& db) -> Result<void> {
        A2H_TRY(store::append_audit(db, {}, "pin.set",
                                    wire::text_object({{"person", person}, {"proof", proof}}),
                                    parts.kernel.clock.now_ms()));
        return consent::save_pin(parts.human_file, parts.pins, parts.secrets,
                                 owner_of(parts.config->approval.people), person, hash);
    };
}

void handle_pin_code(const PinParts& parts, const Call& call, const Reply& reply) {
    const std::string person = call.text("person");
    parts.kernel.write(
        store::Writer::Priority::Urgent,
        [&parts, use = consent::PinUse{call.agent_id(), {}, person}](store::Database& db) {
            return consent::offer_pin(db, use, parts.config->approval, parts.kernel.clock.now_ms());
        },
        [&parts, action = call.action, person, reply](const Result<void>& offered) {
            if (!offered) return reply(error_result(action, offered.error()));
            parts.commits.rows_written();
            reply(ok_result(action,
                            {{"person", person}, {"minutes", consent::kPinOfferLife.count()}}));
        });
}

void handle_pin_set(const PinParts& parts, const Call& call, const Reply& reply) {
    const std::string person = person_of(parts.config, call);
    const bool by_code = !call.text("code").empty();
    const auto done = [action = call.action, person, by_code, reply](const Result<void>& set) {
        if (set) return reply(ok_result(action, {{"person", person}}));
        reply(by_code ? error_result(action, set.error())
                      : error_result_of_pin(action, set.error()));
    };
    if (!by_code && call.text("pin").empty())
        return done(fail(ErrorCode::InvalidArgument, "give either the code or the previous PIN"));
    parts.kernel.run_blocking<std::string>(
        [pin = call.text("new_pin")] { return wire::hash_pin(pin); },
        [&parts, agent_id = call.agent_id(), person, by_code, code = call.text("code"),
         pin = call.text("pin"), done](const std::string& hash) {
            if (hash.empty())
                return done(fail(ErrorCode::Unavailable, "a2hd is too busy; try again later"));
            auto work = keep_pin(parts, person, by_code ? "code" : "pin", hash);
            if (by_code) {
                parts.answers.with_pin_code(agent_id, person, code, std::move(work), done);
            } else {
                parts.answers.with_pin(agent_id, person, pin, std::move(work), done);
            }
        },
        [] { return std::string(); });
}

}  // namespace

void add_pin(Table& table, const AllParts& all) {
    const PinParts parts{all.kernel,     all.config,  all.secrets, all.pins,
                         all.human_file, all.answers, all.commits};
    table.add("pin.code", with(parts, handle_pin_code));
    table.add("pin.set", with(parts, handle_pin_set));
}

}  // namespace a2h::operations
