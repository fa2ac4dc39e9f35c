#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/daemon_call.h"
#include "cli/rows.h"
#include "cli/settings_file.h"
#include "cli/terminal.h"
#include "cli/toml_edit.h"
#include "core/base/text.h"
#include "core/wire/json_member.h"
#include "daemon/config/option.h"
#include "daemon/config/texts.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

std::string config_file_of(const Invocation& invocation) {
    return invocation.has("FILE") ? invocation.value("FILE")
                                  : invocation.home.config_file().string();
}

Failure wrong_config(const Invocation& invocation, const Error& error) {
    return failure(
        invocation.language, error, invocation.text("cli.config_wrong"),
        invocation.text("cli.config_wrong_next", {{"command", invocation.hint("config default")}}));
}

std::string origin_text(const Invocation& invocation, const json& row) {
    const std::string origin = wire::text_member(row, "origin");
    if (origin == "environment") return wire::text_member(row, "variable");
    if (origin != "file") return invocation.text("cli.config_default_value");
    const json& line = wire::member(row, "line");
    return invocation.text("cli.config_line",
                           {{"line", line.is_number_integer() ? line.dump() : std::string("?")}});
}

std::string json_text(const json& value) {
    return printable(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

/// The origin of a value, and the value in the file if that is different.
std::string origin_and_file(const Invocation& invocation, const json& row) {
    const std::string origin = printable(origin_text(invocation, row));
    const std::string waits_for = wire::text_member(row, "waits_for");
    if (waits_for.empty()) return origin;
    const std::string value = row.contains("file_value")
                                  ? json_text(row.at("file_value"))
                                  : invocation.text("cli.config_secret_other");
    return invocation.text(
        waits_for == "restart" ? "cli.config_waits_restart" : "cli.config_waits_reload",
        {{"origin", origin}, {"value", value}});
}

std::string value_text(const Invocation& invocation, const json& row) {
    if (!row.contains("value")) {
        const bool is_set = wire::member(row, "is_set") == true;
        return invocation.text(is_set ? "cli.config_secret_set" : "cli.config_secret_none");
    }
    return json_text(row.at("value"));
}

std::string names_of(const Invocation& invocation, const json& list) {
    std::string names;
    for (const json& name : list) {
        if (!name.is_string()) continue;
        names += (names.empty() ? "" : invocation.text("cli.list_comma")) + name.get<std::string>();
    }
    return printable(names);
}

std::string need_restart_text(const Invocation& invocation, const std::string& names) {
    return invocation.text(
        "cli.reload_need_restart",
        {{"names", names}, {"down", invocation.hint("down")}, {"up", invocation.hint("up")}});
}

/// Settings in the file that a running a2hd does not use yet; usually none.
std::string render_waiting(const Invocation& invocation, const json& data) {
    const std::string error = wire::text_member(data, "file_error");
    if (!error.empty()) {
        return "\n" + invocation.text("cli.config_file_unused", {{"why", printable(error)}});
    }
    std::string text;
    const std::string reload = names_of(invocation, wire::member(data, "wait_for_reload"));
    const std::string restart = names_of(invocation, wire::member(data, "wait_for_restart"));
    if (!reload.empty()) {
        text += "\n" + invocation.text("cli.config_wait_for_reload",
                                       {{"names", reload}, {"command", invocation.hint("reload")}});
    }
    if (!restart.empty()) text += "\n" + need_restart_text(invocation, restart);
    return text;
}

/// `name = value`, followed by the origins in one column.
std::string render_config(const Invocation& invocation, const json& data) {
    constexpr std::size_t kColumnsMax = 60;
    std::vector<std::pair<std::string, std::string>> lines;
    std::size_t columns = 0;
    for (const json& row : wire::member(data, "options")) {
        const std::string line =
            printable(wire::text_member(row, "name")) + " = " + value_text(invocation, row);
        columns = std::max(columns, std::min(display_width(line), kColumnsMax));
        lines.emplace_back(line, origin_and_file(invocation, row));
    }
    std::string text;
    for (const auto& [line, origin] : lines) {
        const std::size_t width = display_width(line);
        text +=
            line + std::string(width < columns ? columns - width : 0, ' ') + "  " + origin + "\n";
    }
    const bool is_running = wire::member(data, "is_running") == true;
    return text + "\n" +
           invocation.text(is_running ? "cli.config_of_daemon" : "cli.config_of_file",
                           {{"file", printable(wire::text_member(data, "file"))}}) +
           render_waiting(invocation, data);
}

/// Why KEY cannot be set on the command line.
Failure no_such_option(const Invocation& invocation, const std::string& name) {
    const std::string_view table = config::table_of(name);
    const bool listed = table == "person" || table == "channel" || table == "approval_rule";
    if (listed) {
        return {std::string(to_string(ErrorCode::InvalidArgument)),
                invocation.text("cli.config_listed", {{"table", table}}),
                invocation.text("cli.config_listed_next", {{"file", config_file_of(invocation)}}),
                {}};
    }
    const std::string near = config::nearest_option(name);
    const std::string next =
        near.empty()
            ? invocation.text("cli.config_see_all", {{"command", invocation.hint("config show")}})
            : invocation.text("cli.did_you_mean", {{"word", near}});
    return {std::string(to_string(ErrorCode::NotFound)),
            invocation.text("cli.config_unknown", {{"name", preview(name)}}),
            next,
            {}};
}

/// The file with KEY set, checked as a whole.
Result<std::string> file_with(const std::string& before, const config::Option& option,
                              const config::Value& value, const std::string& file) {
    std::vector<std::string> path;
    if (const auto table = config::table_of(option.name); !table.empty()) path.emplace_back(table);
    auto after = set_toml_entry(
        before, path, {{std::string(config::key_of(option.name)), config::toml_text(value)}});
    if (!after) return fail(after.error().with_context(file));
    const auto will_fit = config::parse(*after, file, config::process_variable);
    if (will_fit) return after;
    // Existing errors are reported with the lines of the original file.
    const auto fits = config::parse(before, file, config::process_variable);
    return fail(fits ? will_fit.error() : fits.error());
}

std::string set_text(const Invocation& invocation, const config::Option& option,
                     const std::string& shown_value, const std::string& file) {
    std::string text = invocation.text(
        "cli.config_was_set", {{"name", option.name}, {"value", shown_value}, {"file", file}});
    const std::string variable = config::environment_name(option.name);
    if (!config::process_variable(variable).empty()) {
        return text + "\n" + invocation.text("cli.config_overridden", {{"variable", variable}});
    }
    if (option.effect == config::Effect::Restart)
        return text + "\n" + invocation.text("cli.config_takes_restart");
    return text + "\n" +
           invocation.text("cli.config_takes_reload", {{"command", invocation.hint("reload")}});
}

std::string render_reload(const Invocation& invocation, const json& data) {
    const std::string taken = names_of(invocation, wire::member(data, "taken"));
    const std::string later = names_of(invocation, wire::member(data, "need_restart"));
    std::string text = taken.empty() ? invocation.text("cli.reload_nothing")
                                     : invocation.text("cli.reload_taken", {{"names", taken}});
    if (later.empty()) return text;
    return text + "\n" + need_restart_text(invocation, later);
}

/// The settings that a2hd uses, or would use if it was running.
Outcome run_config_show(const Invocation& invocation) {
    if (control::Client::connect(invocation.home.socket_file()))
        return call_daemon(invocation, "config.show", json::object(), render_config);
    const std::string file = config_file_of(invocation);
    const auto loaded = config::load(file);
    if (!loaded) return wrong_config(invocation, loaded.error());
    json data = config::shown(loaded->config, loaded->origins);
    data["file"] = file;
    data["is_running"] = false;
    return report("config.show", data, render_config(invocation, data));
}

Outcome run_config_check(const Invocation& invocation) {
    const std::string file = config_file_of(invocation);
    std::error_code error;
    const bool exists = std::filesystem::exists(file, error);
    if (!exists && invocation.has("FILE")) {
        return Failure{"not_found",
                       invocation.text("cli.config_no_file") + invocation.text("cli.colon") + file,
                       {},
                       {}};
    }
    const auto loaded = config::load(file);
    if (!loaded) return wrong_config(invocation, loaded.error());
    const auto channels = config::check_channels(*loaded, file);
    if (!channels) return wrong_config(invocation, channels.error());
    const auto count = loaded->origins.size();
    return report("config.check", {{"file", file}, {"exists", exists}, {"options_set", count}},
                  exists ? invocation.text("cli.config_fine",
                                           {{"file", file}, {"count", std::to_string(count)}})
                         : invocation.text("cli.config_none", {{"file", file}}));
}

Outcome run_config_default(const Invocation& invocation) {
    const std::string text = config::default_file(invocation.language);
    return report("config.default", {{"text", text}}, text);
}

Outcome run_config_set(const Invocation& invocation) {
    const std::string name = invocation.value("KEY");
    const config::Option* option = config::find_option(name);
    if (option == nullptr) return no_such_option(invocation, name);
    const auto value = config::parse_value(option->kind.shape, invocation.value("VALUE"));
    if (!value || !config::fits(option->kind, *value)) {
        return Failure{
            std::string(to_string(ErrorCode::InvalidArgument)),
            invocation.text("cli.config_bad_value",
                            {{"name", name},
                             {"allowed", config::allowed_text(invocation.language, option->kind)}}),
            {},
            {}};
    }
    const std::string file = config_file_of(invocation);
    const auto before = read_settings(file);
    if (!before)
        return failure(invocation.language, before.error(), invocation.text("cli.config_not_set"));
    const auto after = file_with(*before, *option, *value, file);
    if (!after)
        return failure(invocation.language, after.error(), invocation.text("cli.config_not_set"));
    if (*after != *before) {
        const auto written = replace_settings(file, *before, *after);
        if (!written)
            return failure(invocation.language, written.error(),
                           invocation.text("cli.config_not_set"));
    }
    const std::string shown_value =
        option->is_secret ? invocation.text("cli.config_secret_set") : config::toml_text(*value);
    return report("config.set",
                  {{"name", name}, {"file", file}, {"takes", config::to_string(option->effect)}},
                  set_text(invocation, *option, shown_value, file));
}

}  // namespace

std::vector<Command> config_rows() {
    using enum ParameterKind;
    return {
        {"config show", "config.show", "cli.config_show", {}, run_config_show},
        {"config check",
         "config.check",
         "cli.config_check",
         {{"FILE", Optional, "cli.argument_config_file"}},
         run_config_check},
        {"config set",
         "config.set",
         "cli.config_set",
         {{"KEY", Required, "cli.argument_config_key"},
          {"VALUE", Required, "cli.argument_config_value"}},
         run_config_set},
        {"config default", "config.default", "cli.config_default", {}, run_config_default},
        standard_row("reload", "config.reload", "cli.reload", {}, render_reload),
    };
}

}  // namespace a2h::cli
