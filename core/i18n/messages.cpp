#include "core/i18n/messages.h"

#include <cstdlib>
#include <optional>

#include "core/base/check.h"
#include "core/base/text.h"
#include "embedded/locales.h"

namespace a2h::i18n {
namespace {

/// Searched in the program's own pages, so an idle daemon has no messages on its heap.
std::optional<std::string_view> find(Language language, std::string_view key) {
    std::size_t begin = 0;
    std::size_t end = embedded::message_count();
    while (begin < end) {
        const std::size_t middle = begin + (end - begin) / 2;
        const embedded::Message message = embedded::message(middle);
        if (message.key == key) {
            return language == Language::Chinese ? message.chinese : message.english;
        }
        if (message.key < key) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return std::nullopt;
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
        position = found != nullptr ? close + 1 : open + 1;
        if (found == nullptr) {
            out += message.substr(open, 1);
        } else if (out.ends_with("“") && message.substr(position).starts_with("”")) {
            out += with_single_quotes(std::string(found->second));
        } else {
            out += found->second;
        }
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
    const std::optional<std::string_view> message = find(language, key);
    A2H_CHECK(message);
    return replaced(*message, arguments);
}

bool has_key(Language language, std::string_view key) {
    return find(language, key).has_value();
}

}  // namespace a2h::i18n
