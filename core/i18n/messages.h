#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace a2h::i18n {

enum class Language { English, Chinese };

/// From a POSIX locale name: zh* is Chinese, all else English.
Language language_of(std::string_view locale_name);
/// From LC_ALL, LC_MESSAGES, LANG, in that order of precedence, as POSIX says: an empty variable
/// counts as unset. Thread: any, as long as nobody changes the environment.
Language language_of_environment();
/// BCP 47 tag for web pages: "en" or "zh-CN".
std::string_view language_tag(Language language);

using Arguments = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// The message `key` of locales/{en, zh_CN}/{area}.po (area = the part of the key before the first
/// point) with `{name}` replaced. What an argument brings in is never looked at
/// for names again, and a name without an argument stays as it is written. A key that does not
/// exist is our bug and ends the process; a test compares the keys of both languages.
/// Thread: any.
std::string text(Language language, std::string_view key, Arguments arguments = {});

/// Whether `text` knows `key`.
bool has_key(Language language, std::string_view key);

}  // namespace a2h::i18n
