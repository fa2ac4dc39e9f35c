#include "daemon/operations/briefs.h"

#include <nlohmann/json.hpp>

#include "core/wire/json_member.h"
#include "core/wire/task_brief.h"
#include "daemon/operations/typed_mail.h"

namespace a2h::operations {

std::optional<TaskBrief> read_brief(const Call& call, const Reply& reply) {
    const auto& snake = wire::member(call.arguments, "task_brief");
    const auto& given = snake.is_null() ? wire::member(call.arguments, "taskBrief") : snake;
    const auto missing = wire::missing_fields(given);
    auto brief = wire::read_task_brief(given);
    if (brief && missing.empty()) return std::move(*brief);
    reply(named_error(call.action, "invalid_task_brief",
                      brief ? "the brief lacks what is named" : brief.error().message,
                      "Give all of missing_fields, none empty, constraints as an array.",
                      {{"missing_fields", missing}}));
    return std::nullopt;
}

}  // namespace a2h::operations
