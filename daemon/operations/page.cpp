#include <nlohmann/json.hpp>

#include "daemon/operations/operation.h"

namespace a2h::operations {

void handle_page_link(Runtime& runtime, const Call& call, const Reply& reply) {
    const std::string person =
        call.text("person").empty() ? std::string(kOwner) : call.text("person");
    runtime.answers.with_pin(
        call.agent_id(), call.text("pin"), [](store::Database&) -> Result<void> { return {}; },
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
