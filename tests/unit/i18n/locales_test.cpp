// Every message exists in both languages, with the same arguments. What is wrong with a file is
// found by locales/catalogue.py (tests/tidy/locales_test.py) before there is a program.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "core/i18n/messages.h"
#include "embedded/locales.h"

namespace {

using a2h::embedded::Message;

/// Names in braces; a set, because languages repeat differently.
std::set<std::string> arguments_of(std::string_view message) {
    static const std::regex name(R"(\{([a-z0-9_]+)\})");
    const std::string text(message);
    std::set<std::string> names;
    for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at) {
        names.insert((*at)[1]);
    }
    return names;
}

std::string read(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("every message has its text in both languages, with the same arguments") {
    REQUIRE(a2h::embedded::message_count() > 0);
    for (std::size_t i = 0; i < a2h::embedded::message_count(); ++i) {
        const Message message = a2h::embedded::message(i);
        CAPTURE(message.key);
        CHECK(arguments_of(message.english) == arguments_of(message.chinese));
        // Between Chinese sentences stands nothing.
        CHECK((!message.english.empty() || message.key.ends_with("_gap")));
        CHECK((!message.chinese.empty() || message.key.ends_with("_gap")));
        CHECK(a2h::i18n::text(a2h::i18n::Language::English, message.key) == message.english);
        CHECK(a2h::i18n::text(a2h::i18n::Language::Chinese, message.key) == message.chinese);
    }
}

TEST_CASE("keys are sorted, so that binary search finds one") {
    for (std::size_t i = 1; i < a2h::embedded::message_count(); ++i) {
        CHECK(a2h::embedded::message(i - 1).key < a2h::embedded::message(i).key);
    }
}

TEST_CASE("the page's script gets its own area, and nothing else") {
    const auto english = nlohmann::json::parse(*a2h::embedded::script_texts("texts.en.json"));
    const auto chinese = nlohmann::json::parse(*a2h::embedded::script_texts("texts.zh.json"));
    CHECK(english.size() == chinese.size());
    std::size_t of_area = 0;
    for (std::size_t i = 0; i < a2h::embedded::message_count(); ++i) {
        const Message message = a2h::embedded::message(i);
        if (!message.key.starts_with("app.")) continue;
        ++of_area;
        CHECK(english[std::string(message.key)] == message.english);
        CHECK(chinese[std::string(message.key)] == message.chinese);
    }
    CHECK(of_area > 0);
    CHECK(english.size() == of_area);
    CHECK(!a2h::embedded::script_texts("texts.fr.json"));
}

// A text that ends in a point is the beginning of a key that is put together.
TEST_CASE("every key that the code names in a call of text() exists") {
    static const std::regex call(
        R"(\btext\(\s*[a-zA-Z_.:>()\s-]+,\s*"([a-z_]+\.[a-z0-9_.]*[a-z0-9_])\")");
    const std::filesystem::path root = A2H_SOURCE_DIR;
    int found = 0;
    for (const char* folder : {"cli", "core", "daemon", "market", "mcp"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
            if (entry.path().extension() != ".cpp") continue;
            const std::string source = read(entry.path());
            for (std::sregex_iterator at(source.begin(), source.end(), call), end; at != end;
                 ++at) {
                ++found;
                const std::string key = (*at)[1];
                if (key.ends_with('.')) continue;  // the rest is put together at run time
                CAPTURE(entry.path().string());
                CAPTURE(key);
                CHECK(a2h::i18n::has_key(a2h::i18n::Language::English, key));
                CHECK(a2h::i18n::has_key(a2h::i18n::Language::Chinese, key));
            }
        }
    }
    CHECK(found > 0);
}
