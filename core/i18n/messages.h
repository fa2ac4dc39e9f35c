#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace a2h::i18n {

enum class Language { English, Chinese };

/// From a POSIX locale name: zh* means Chinese, all others English.
Language language_of(std::string_view locale_name);
/// From LC_ALL, LC_MESSAGES and LANG in the order of precedence of POSIX; an empty variable counts
/// as unset.
///
/// Thread:  any, as long as the environment does not change.
Language language_of_environment();
/// BCP 47 tag for web pages: "en" or "zh-CN".
std::string_view language_tag(Language language);

using Arguments = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// The message `key` of locales/{en, zh_CN}/{area}.po (area = the part of the key before the first
/// dot) with `{name}` replaced. Names inside arguments are not replaced, and a name without an
/// argument stays as it is. An argument between double quotation marks keeps none of its own
/// (`with_single_quotes`), so that others' words end where the quotation ends. A key that does not
/// exist is our bug and ends the process; a test compares the keys of both languages.
///
/// Thread:  any.
std::string text(Language language, std::string_view key, Arguments arguments = {});

/// Whether the catalogue contains `key`.
bool has_key(Language language, std::string_view key);

}  // namespace a2h::i18n
