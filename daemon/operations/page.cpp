#include <nlohmann/json.hpp>

#include "core/store/approval_store.h"
#include "core/wire/canonical.h"
#include "daemon/consent/action.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {

void handle_page_link(Runtime& runtime, const Call& call, const Reply& reply) {
    const std::string person = person_of(runtime, call);
    runtime.answers.with_pin(
        call.agent_id(), person, call.text("pin"),
        [&clock = runtime.context.clock, person](store::Database& db) {
            return store::append_audit(db, {}, "page.proved",
                                       wire::text_object({{"person", person}, {"proof", "pin"}}),
                                       clock.now_ms());
        },
        [&runtime, action = call.action, person, reply](const Result<void>& proved) {
            if (!proved) {
                reply(error_result(action, proved.error()));
                return;
            }
            const auto link = runtime.make_page_link(person);
            reply(link ? ok_result(action, {{"url", *link}, {"person", person}, {"minutes", 5}})
                       : error_result(action, link.error()));
        });
}

}  // namespace a2h::operations
