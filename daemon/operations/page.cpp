#include <nlohmann/json.hpp>

#include "core/store/approval_store.h"
#include "core/wire/canonical.h"
#include "daemon/answers/answers.h"
#include "daemon/config/current.h"
#include "daemon/consent/action.h"
#include "daemon/kernel/kernel.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {

namespace {

struct PageParts {
    const kernel::Kernel& kernel;
    const Current<Config>& config;
    answers::Answers& answers;
    PageLinks* links;
};

void handle_page_link(const PageParts& parts, const Call& call, const Reply& reply) {
    const std::string person = person_of(parts.config, call);
    parts.answers.with_pin(
        call.agent_id(), person, call.text("pin"),
        [&clock = parts.kernel.clock, person](store::Database& db) {
            return store::append_audit(db, {}, "page.proved",
                                       wire::text_object({{"person", person}, {"proof", "pin"}}),
                                       clock.now_ms());
        },
        [&parts, action = call.action, person, reply](const Result<void>& proved) {
            if (!proved) {
                reply(error_result_of_pin(action, proved.error()));
                return;
            }
            const auto link =
                parts.links != nullptr
                    ? parts.links->make_link(person)
                    : Result<std::string>(fail(ErrorCode::Unavailable,
                                               "the page is not served; a2hd's log says why"));
            reply(link ? ok_result(action, {{"url", *link}, {"person", person}, {"minutes", 5}})
                       : error_result(action, link.error()));
        });
}

}  // namespace

void add_page(Table& table, const AllParts& all) {
    const PageParts parts{all.kernel, all.config, all.answers, all.page_links};
    table.add("page.link", with(parts, handle_page_link));
}

}  // namespace a2h::operations
