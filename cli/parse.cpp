#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <optional>

#include "cli/command.h"
#include "cli/standard.h"
#include "cli/table_json.h"
#include "core/base/former_names.h"
#include "core/base/text.h"

namespace a2h::cli {
namespace {

using i18n::Language;

constexpr std::size_t kIndent = 24;

/// The most similar of `candidates`, if it is similar enough.
std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
    std::optional<std::string> best;
    std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const auto& candidate : candidates) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

Failure usage(std::string message, std::string next) {
    return {std::string(kUsageCode), std::move(message), std::move(next), {}};
}

Failure unknown(Language language, std::string_view key, std::string_view word,
                const std::vector<std::string>& candidates, std::string_view help) {
    const auto meant = nearest(word, candidates);
    return usage(i18n::text(language, key, {{"word", preview(word)}}),
                 meant ? i18n::text(language, "cli.did_you_mean", {{"word", *meant}})
                       : i18n::text(language, "cli.see_help", {{"command", help}}));
}

/// The placeholder of a parameter in usage lines.
std::string placeholder(const Parameter& parameter) {
    const std::string name(parameter.name);
    switch (parameter.kind) {
        case ParameterKind::Flag:
            return "[" + name + "]";
        case ParameterKind::Value:
            return "[" + name + " " + std::string(parameter.value_name) + "]";
        case ParameterKind::Required:
            return name;
        case ParameterKind::Optional:
            return "[" + name + "]";
        case ParameterKind::Words:
            return name + "…";
    }
    return name;
}

std::string row(std::string left, const std::string& right) {
    left = "  " + left;
    left.append(left.size() < kIndent ? kIndent - left.size() : 1, ' ');
    return left + right + "\n";
}

std::string rows_of(std::span<const Parameter> parameters, Language language) {
    std::string list;
    for (const auto& parameter : parameters) {
        std::string left(parameter.name);
        if (!parameter.letter.empty()) left = std::string(parameter.letter) + ", " + left;
        if (!parameter.value_name.empty()) left += " " + std::string(parameter.value_name);
        list += row(left, command_text(language, parameter.help));
    }
    return list;
}

std::string global_options(Language language) {
    return "\n" + i18n::text(language, "cli.help_options") + "\n" + rows_of(everywhere(), language);
}

std::string overview(Language language) {
    std::string help = i18n::text(language, "cli.about") + "\n\n" +
                       i18n::text(language, "cli.help_usage") + " a2h COMMAND …\n\n" +
                       i18n::text(language, "cli.help_commands") + "\n";
    for (const auto& command : commands()) {
        std::string left(command.name);
        for (const auto& parameter : command.parameters) {
            if (parameter.kind >= ParameterKind::Required) left += " " + placeholder(parameter);
        }
        help += row(left, command_text(language, command.summary));
    }
    return help + global_options(language) + "\n" + i18n::text(language, "cli.help_statuses");
}

/// The row that the words of a command line name; for a group alone, its first member.
struct Named {
    const Command* command = nullptr;
    std::string wrong;                    ///< the word that is in no row
    std::vector<std::string> candidates;  ///< the words that are possible in its place
    std::string former_name;              ///< the words, if they are a former name
};

/// Commands of earlier versions, each with as many words as the present one.
constexpr FormerName kFormerCommands[] = {{"mandate negotiate", "mandate bargain"}};

Named find_command(const std::vector<std::string>& words) {
    Named named;
    const std::string first = words.front();
    const std::string given = words.size() > 1 ? first + " " + words[1] : first;
    const std::string both(present_name(kFormerCommands, given));
    if (both != given) named.former_name = given;
    const Command* group = nullptr;
    for (const auto& command : commands()) {
        const std::string name(command.name);
        if (name == first || name == both) named.command = &command;
        if (group == nullptr && name.starts_with(first + " ")) group = &command;
    }
    if (named.command == nullptr && words.size() == 1) named.command = group;
    if (named.command != nullptr) return named;
    named.wrong = group != nullptr ? both : first;
    for (const auto& command : commands()) {
        const std::string name(command.name);
        if (group == nullptr || name.starts_with(first + " ")) named.candidates.push_back(name);
    }
    return named;
}

/// The first word that is neither an option nor the value of --home, and the word directly after
/// it.
std::vector<std::string> words_of(const std::vector<std::string>& arguments) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < arguments.size() && words.size() < 2; ++i) {
        const bool option = arguments[i].starts_with("-");
        if (!option) words.push_back(arguments[i]);
        if (option && !words.empty()) break;
        if (arguments[i] == "--home") ++i;
    }
    return words;
}

/// CLI11 splits the line; this class assigns the parts to the rows.
class LineReader {
  public:
    LineReader(const Command& command, Language language) : command_(command), language_(language) {
        app_.set_help_flag();
        app_.allow_extras();
        app_.add_option("--home", home_);
        app_.add_flag("--json", json_);
        app_.add_flag("-h,--help", help_);
        for (const auto& parameter : command.parameters) {
            std::string name(parameter.name);
            if (!parameter.letter.empty()) name += "," + std::string(parameter.letter);
            if (parameter.kind == ParameterKind::Flag) {
                app_.add_flag(name);
            } else if (parameter.kind == ParameterKind::Value) {
                app_.add_option(name);
            } else {
                positionals_.push_back(&parameter);
            }
        }
    }

    std::variant<Invocation, Print, Failure> read(const std::vector<std::string>& arguments) {
        try {
            app_.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
        } catch (const CLI::ParseError& wrong) {
            return usage(
                i18n::text(language_, "cli.wrong_option", {{"detail", preview(wrong.what())}}),
                see_help());
        }
        if (help_) return Print{help_of(command_, language_)};
        Invocation invocation;
        invocation.command = &command_;
        invocation.language = language_;
        invocation.json = json_;
        invocation.home_given = !home_.empty();
        for (const auto& parameter : command_.parameters) {
            if (parameter.kind >= ParameterKind::Required) continue;
            const CLI::Option* option = app_.get_option(std::string(parameter.name));
            if (option->count() == 0) continue;
            invocation.values[std::string(parameter.name)] =
                parameter.kind == ParameterKind::Flag ? "" : option->as<std::string>();
        }
        if (auto wrong = read_positionals(invocation)) return *wrong;
        auto home = control::find_home(home_);
        if (!home)
            return failure(language_, home.error(), i18n::text(language_, "cli.no_home"),
                           see_help());
        invocation.home = *home;
        return invocation;
    }

  private:
    std::string see_help() const {
        return i18n::text(language_, "cli.see_help",
                          {{"command", "a2h " + std::string(command_.name) + " --help"}});
    }

    std::vector<std::string> options() const {
        std::vector<std::string> names = {"--home", "--json", "--help"};
        for (const auto& parameter : command_.parameters) {
            if (parameter.kind < ParameterKind::Required) names.emplace_back(parameter.name);
        }
        return names;
    }

    /// Whether further words belong to the last one.
    bool takes_all() const {
        return !positionals_.empty() && positionals_.back()->kind == ParameterKind::Words;
    }

    std::optional<Failure> read_positionals(Invocation& invocation) const {
        std::vector<std::string> words = app_.remaining();
        const std::size_t name_words = command_.name.find(' ') == std::string_view::npos ? 1 : 2;
        const auto name_end = std::min(name_words, words.size());
        words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(name_end));
        // Everything after "--" is text, whatever it begins with.
        bool text_only = false;
        std::size_t used = 0;
        for (const auto& word : words) {
            if (word == "--" && !text_only) {
                text_only = true;
            } else if (word.size() > 1 && word.starts_with("-") && !text_only) {
                return unknown(language_, "cli.unknown_option", word, options(), help_line());
            } else if (used == positionals_.size() && takes_all()) {
                invocation.values[std::string(positionals_.back()->name)] += " " + word;
            } else if (used == positionals_.size()) {
                return usage(
                    i18n::text(language_, "cli.unexpected_argument", {{"word", preview(word)}}),
                    i18n::text(language_, "cli.quote_it"));
            } else {
                invocation.values[std::string(positionals_[used++]->name)] = word;
            }
        }
        if (used < positionals_.size() && positionals_[used]->kind != ParameterKind::Optional) {
            return usage(
                i18n::text(language_, "cli.missing_argument", {{"word", positionals_[used]->name}}),
                see_help());
        }
        return std::nullopt;
    }

    std::string help_line() const { return "a2h " + std::string(command_.name) + " --help"; }

    const Command& command_;
    Language language_;
    CLI::App app_;
    std::string home_;
    bool json_ = false;
    bool help_ = false;
    std::vector<const Parameter*> positionals_;
};

}  // namespace

std::string help_of(const Command& command, Language language) {
    std::string usage_line = "a2h " + std::string(command.name);
    for (const auto& parameter : command.parameters)
        usage_line += " " + placeholder(parameter);
    const std::string list = rows_of(command.parameters, language);
    return command_text(language, command.summary) + "\n\n" +
           i18n::text(language, "cli.help_usage") + " " + usage_line + "\n" +
           (list.empty() ? "" : "\n" + list) + global_options(language);
}

std::string Invocation::value(std::string_view name) const {
    const auto found = values.find(std::string(name));
    return found == values.end() ? std::string() : found->second;
}

std::string Invocation::text(std::string_view key, i18n::Arguments arguments) const {
    return i18n::text(language, key, arguments);
}

std::string Invocation::hint(std::string_view words) const {
    return "a2h " + (home_given ? "--home " + home.root.string() + " " : std::string()) +
           std::string(words);
}

void warn_of_former_name(const Invocation& invocation, std::string_view former,
                         std::string_view present) {
    const std::string notice =
        invocation.text("cli.former_name", {{"former", former}, {"present", present}}) + "\n";
    std::fputs(notice.c_str(), stderr);
}

std::variant<Invocation, Print, Failure> parse(const std::vector<std::string>& arguments,
                                               Language language) {
    const auto words = words_of(arguments);
    if (words.empty()) {
        const auto has = [&](std::string_view option) {
            return std::find(arguments.begin(), arguments.end(), option) != arguments.end();
        };
        if (has("--version")) return Print{"a2h " A2H_VERSION};
        return Print{has("--json") ? table_json(language) : overview(language)};
    }
    const Named named = find_command(words);
    if (named.command == nullptr) {
        return unknown(language, "cli.unknown_command", named.wrong, named.candidates,
                       "a2h --help");
    }
    auto parsed = LineReader(*named.command, language).read(arguments);
    if (auto* invocation = std::get_if<Invocation>(&parsed))
        invocation->former_name = named.former_name;
    return parsed;
}

}  // namespace a2h::cli
