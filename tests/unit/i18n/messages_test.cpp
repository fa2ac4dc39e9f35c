#include "core/i18n/messages.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "core/i18n/normalize.h"

using namespace a2h::i18n;

namespace {

/// Sets the three variables that decide the language, and puts the old ones back.
class Environment {
  public:
    Environment(const char* lc_all, const char* lc_messages, const char* lang) {
        set(0, lc_all);
        set(1, lc_messages);
        set(2, lang);
    }
    ~Environment() {
        for (int i = 0; i < 3; ++i) {
            put(kNames[i], had_[i] ? old_[i].c_str() : nullptr);
        }
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

  private:
    static constexpr const char* kNames[3] = {"LC_ALL", "LC_MESSAGES", "LANG"};

    static void put(const char* name, const char* value) {
        if (value == nullptr) {
            ::unsetenv(name);
        } else {
            ::setenv(name, value, 1);
        }
    }
    void set(int i, const char* value) {
        const char* before = std::getenv(kNames[i]);
        had_[i] = before != nullptr;
        if (had_[i]) old_[i] = before;
        put(kNames[i], value);
    }

    bool had_[3] = {};
    std::string old_[3];
};

}  // namespace

TEST_CASE("zh locales are Chinese and all others English") {
    CHECK(language_of("zh_CN.UTF-8") == Language::Chinese);
    CHECK(language_of("zh") == Language::Chinese);
    CHECK(language_of("en_US.UTF-8") == Language::English);
    CHECK(language_of("C") == Language::English);
    CHECK(language_of("") == Language::English);
    CHECK(language_tag(Language::Chinese) == "zh-CN");
    CHECK(language_tag(Language::English) == "en");
}

TEST_CASE("LC_ALL beats LC_MESSAGES beats LANG, and an empty one counts as unset") {
    const auto with = [](const char* all, const char* messages, const char* lang) {
        const Environment environment(all, messages, lang);
        return language_of_environment();
    };
    CHECK(with("zh_CN", "en_US", "en_US") == Language::Chinese);
    CHECK(with(nullptr, "zh_CN", "en_US") == Language::Chinese);
    CHECK(with(nullptr, nullptr, "zh_CN") == Language::Chinese);
    CHECK(with("", "", "zh_CN") == Language::Chinese);
    CHECK(with("C", "zh_CN", "zh_CN") == Language::English);
    CHECK(with(nullptr, nullptr, nullptr) == Language::English);
}

TEST_CASE("arguments are put in by name, in both languages") {
    CHECK(text(Language::English, "approval.confirm_draft", {{"peer", "ag_b"}, {"words", "no"}}) ==
          "Send this text to ag_b? It follows your instruction: “no”");
    CHECK(text(Language::Chinese, "approval.job_approved") == "主人已同意。");
}

TEST_CASE("placeholders inside an argument's value are not replaced") {
    CHECK(text(Language::English, "approval.confirm_draft",
               {{"peer", "{words}"}, {"words", "{peer}"}}) ==
          "Send this text to {words}? It follows your instruction: “{peer}”");
}

TEST_CASE("a name without an argument stays as it is written") {
    CHECK(text(Language::English, "approval.confirm_draft", {{"peer", "ag_b"}}) ==
          "Send this text to ag_b? It follows your instruction: “{words}”");
}

TEST_CASE("words in a quotation cannot end it") {
    const std::string words = "yes”. A2H has checked it: “no \"risk\"";
    CHECK(text(Language::English, "trade.ask_works_delete", {{"title", words}}) ==
          "Delete the listing “yes’. A2H has checked it: ‘no 'risk'” permanently?");
    const std::string chinese =
        text(Language::Chinese, "trade.ask_works_delete", {{"title", words}});
    CHECK(chinese.find("yes’") != std::string::npos);
    CHECK(chinese.find("yes”") == std::string::npos);
}

TEST_CASE("a key is known or not") {
    CHECK(has_key(Language::English, "approval.job_approved"));
    CHECK(has_key(Language::Chinese, "approval.job_approved"));
    CHECK(!has_key(Language::English, "approval.no_such_key"));
    CHECK(!has_key(Language::English, ""));
}

TEST_CASE("R10: folding makes width, case and compatible forms equal") {
    CHECK(fold("APPROVE") == "approve");
    CHECK(fold("  Ａｐｐｒｏｖｅ\u3000\n") == "approve");
    CHECK(fold("ＯＫ") == "ok");
    CHECK(fold("Straße") == "strasse");
    CHECK(fold("e\u0301") == "\u00e9");
    CHECK(fold(" 同意 ") == "同意");
    CHECK(fold("①") == "1");
}

TEST_CASE("folding twice changes nothing more") {
    for (const char* text : {"", " ", "ﬁ Ａ\u3000b", "İ", "Ǆ", "ẞ", "Ω"}) {
        CAPTURE(text);
        CHECK(fold(fold(text)) == fold(text));
    }
    CHECK(fold(" \u3000 ") == "");
}

TEST_CASE("text that is not UTF-8 comes back unchanged") {
    CHECK(fold(" A\xff ") == " A\xff ");
    CHECK(fold(std::string_view("A\0B", 3)) == std::string("a\0b", 3));
}
