#include "daemon/config/config.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "daemon/config/alias_variables.h"
#include "daemon/config/approval_rules.h"
#include "daemon/config/option.h"
#include "daemon/config/people.h"
#include "daemon/config/reading.h"
#include "daemon/config/source.h"
#include "daemon/notify/channel_options.h"

namespace a2h {
namespace config {
namespace {

constexpr std::string_view kLists[] = {"channel", "person", "approval_rule"};

bool is_list(std::string_view name) {
    return std::find(std::begin(kLists), std::end(kLists), name) != std::end(kLists);
}

/// Finds entries that are neither an option nor a list that we know.
Result<void> check_tables(const Source& source) {
    for (const auto& [name, line] : source.tables) {
        if (is_list(name))
            return source.error_at(line, name + " must be written as [[" + name + "]]");
        const bool known =
            std::any_of(options().begin(), options().end(),
                        [&table = name](const Option& row) { return table_of(row.name) == table; });
        if (!known) return source.error_at(line, unknown_setting(name, nearest_option(name)));
    }
    for (const auto& [name, tables] : source.lists) {
        if (!is_list(name)) return source.error_at(tables.front().line, unknown_setting(name, {}));
    }
    return {};
}

Result<void> read_file_options(Loaded& loaded, const Source& source) {
    for (const Entry& entry : source.entries) {
        if (is_list(entry.name)) {
            return source.error_at(entry.line,
                                   entry.name + " must be written as [[" + entry.name + "]]");
        }
        A2H_TRY(read_entry(loaded.config, options(), entry, source));
        loaded.origins[entry.name] = {Origin::Kind::File, entry.line};
    }
    return {};
}

Result<void> read_variables(Loaded& loaded, const Variables& variables) {
    for (const Option& option : options()) {
        const std::string name = environment_name(option.name);
        const std::string text = variables(name);
        if (text.empty()) continue;
        const auto value = parse_value(option.kind.shape, text);
        if (!value || !fits(option.kind, *value)) {
            return invalid("environment variable " + name + ": " + must_be(option));
        }
        option.set(loaded.config, *value);
        loaded.origins[std::string(option.name)] = {Origin::Kind::Environment, 0};
    }
    return {};
}

/// The line of the first option of `table` in the file; 0 if there is none.
int first_line(const Loaded& loaded, std::string_view table) {
    int first = 0;
    for (const auto& [name, origin] : loaded.origins) {
        if (table_of(name) != table || origin.kind != Origin::Kind::File) continue;
        if (first == 0 || origin.line < first) first = origin.line;
    }
    return first;
}

/// Checks that concern several options together.
Result<void> check_together(const Loaded& loaded, const Source& source) {
    const Config& config = loaded.config;
    if (config.web_tls_certificate.empty() != config.web_tls_key.empty()) {
        return source.error_at(first_line(loaded, "web"),
                               "web.tls_certificate and web.tls_key belong together");
    }
    const bool has_model =
        std::any_of(loaded.origins.begin(), loaded.origins.end(),
                    [](const auto& one) { return table_of(one.first) == "model"; });
    if (has_model && !loaded.origins.contains("model.api")) {
        return source.error_at(first_line(loaded, "model"), "model.api is missing");
    }
    if (const auto model = model::check(config.model); !model) {
        return source.error_at(first_line(loaded, "model"), model.error().message);
    }
    return {};
}

}  // namespace

Origin origin_of(const Origins& origins, std::string_view option) {
    const auto found = origins.find(option);
    return found == origins.end() ? Origin{} : found->second;
}

std::string process_variable(const std::string& name) {
    const char* const value = std::getenv(name.c_str());
    return value == nullptr ? std::string() : std::string(value);
}

std::string nearest_option(std::string_view name) {
    return nearest_in(options(), name);
}

Result<Loaded> parse(std::string_view toml, std::string_view file_name,
                     const Variables& variables) {
    A2H_ASSIGN_OR_RETURN(const auto source, read_source(toml, file_name));
    Loaded loaded{default_config(), {}};
    Config& config = loaded.config;
    A2H_TRY(check_tables(source));
    A2H_TRY(read_file_options(loaded, source));
    A2H_TRY(read_variables(loaded, variables));
    A2H_TRY(read_alias_variables(loaded, variables));
    A2H_TRY(check_together(loaded, source));
    A2H_TRY(read_people(config, source, origin_of(loaded.origins, "notify.channels").line));
    const Person* owner = find_person(config.approval.people, owner_of(config.approval.people));
    const bool has_own = owner != nullptr && !owner->language.empty();
    config.approval.language = has_own ? i18n::language_of(owner->language) : config.language;
    A2H_TRY(read_approval_rules(config, source));
    return loaded;
}

Result<Loaded> load(const std::filesystem::path& file, const Variables& variables) {
    std::error_code error;
    if (!std::filesystem::exists(file, error) && !error) {
        return parse("", file.string(), variables);
    }
    std::ifstream in(file, std::ios::binary);
    if (!in.is_open() || !std::filesystem::is_regular_file(file, error)) {
        return fail(ErrorCode::Unavailable, file.string() + " cannot be read");
    }
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return parse(text, file.string(), variables);
}

Result<void> check_channels(const Loaded& loaded, const std::filesystem::path& file) {
    const auto complete = notify::complete_channels(loaded.config.notify);
    return complete ? Result<void>() : fail(complete.error().with_context(file.string()));
}

}  // namespace config

Result<Config> load_config(const std::filesystem::path& file) {
    A2H_ASSIGN_OR_RETURN(auto loaded, config::load(file));
    return std::move(loaded.config);
}

}  // namespace a2h
