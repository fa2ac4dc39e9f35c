#include "core/i18n/messages.h"

#include <cstdlib>
#include <functional>
#include <map>

#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "embedded/locales.h"

namespace a2h::i18n {
namespace {

using Messages = std::map<std::string, std::string, std::less<>>;

/// All areas of one language in one table. The files are embedded at build time, so one that
/// cannot be read is our bug.
Messages load(std::string_view suffix) {
    Messages messages;
    for (const std::string_view name : embedded::locales_names()) {
        if (!name.ends_with(suffix)) continue;
        const auto parsed = nlohmann::json::parse(*embedded::locales(name), nullptr, false);
        A2H_CHECK(parsed.is_object());
        for (const auto& [key, message] : parsed.items()) {
            A2H_CHECK(message.is_string());
            messages.emplace(key, message.get<std::string>());
        }
    }
    return messages;
}

/// Built on first use and never changed, so that every thread may read it.
const Messages& messages_of(Language language) {
    if (language == Language::Chinese) {
        static const Messages chinese = load(".zh_CN.json");
        return chinese;
    }
    static const Messages english = load(".en.json");
    return english;
}

bool is_name(std::string_view text) {
    return !text.empty() &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == text.npos;
}

std::string replaced(std::string_view message, Arguments arguments) {
    std::string out;
    std::size_t position = 0;
    while (true) {
        const std::size_t open = message.find('{', position);
        out += message.substr(position, open - position);
        if (open == message.npos) return out;
        const std::size_t close = message.find('}', open);
        const std::string_view name =
            close == message.npos ? std::string_view() : message.substr(open + 1, close - open - 1);
        const std::pair<std::string_view, std::string_view>* found = nullptr;
        for (const auto& argument : arguments) {
            if (is_name(name) && argument.first == name) found = &argument;
        }
        out += found != nullptr ? found->second : message.substr(open, 1);
        position = found != nullptr ? close + 1 : open + 1;
    }
}

}  // namespace

Language language_of(std::string_view locale_name) {
    return locale_name.starts_with("zh") ? Language::Chinese : Language::English;
}

Language language_of_environment() {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        const char* value = std::getenv(name);
        if (value != nullptr && *value != '\0') return language_of(value);
    }
    return Language::English;
}

std::string_view language_tag(Language language) {
    return language == Language::Chinese ? "zh-CN" : "en";
}

std::string text(Language language, std::string_view key, Arguments arguments) {
    const Messages& messages = messages_of(language);
    const auto message = messages.find(key);
    A2H_CHECK(message != messages.end());
    return replaced(message->second, arguments);
}

bool has_key(Language language, std::string_view key) {
    return messages_of(language).contains(key);
}

}  // namespace a2h::i18n
