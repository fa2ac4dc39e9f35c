#include "cli/notifications.h"

#include <vector>

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/rows.h"
#include "cli/terminal.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

}  // namespace

std::string render_channels(const Invocation& invocation, const json& data) {
    std::vector<std::vector<std::string>> rows;
    for (const json& item : items_of(data, "channels"))
        rows.push_back({text_of(item, "channel"), text_of(item, "kind"), text_of(item, "detail")});
    return table({invocation.text("cli.column_channel"), invocation.text("cli.column_kind"),
                  invocation.text("cli.column_result")},
                 rows, terminal_columns());
}

std::string render_notifications(const Invocation& invocation, const json& data) {
    std::vector<std::vector<std::string>> rows;
    for (const json& item : items_of(data, "items")) {
        std::string person = text_of(item, "person");
        if (const std::string other = text_of(item, "instead_of"); !other.empty())
            person = invocation.text("cli.instead_of", {{"person", person}, {"other", other}});
        rows.push_back({time_of(item, "created_at"), person, text_of(item, "channel"),
                        text_of(item, "kind"), word(invocation, text_of(item, "state")),
                        text_of(item, "outcome")});
    }
    if (rows.empty()) return invocation.text("cli.no_notifications");
    return table({invocation.text("cli.column_time"), invocation.text("cli.column_person"),
                  invocation.text("cli.column_channel"), invocation.text("cli.column_kind"),
                  invocation.text("cli.column_state"), invocation.text("cli.column_result")},
                 rows, terminal_columns());
}

std::vector<Command> notify_rows() {
    using enum ParameterKind;
    return {
        standard_row("notify test", "notify.test", "cli.notify_test",
                     {{"CHANNEL", Optional, "cli.argument_channel"}, kAgentOption},
                     render_channels),
        standard_row("notify list", "notify.list", "cli.notify_list", {kAgentOption},
                     render_notifications),
    };
}

}  // namespace a2h::cli
