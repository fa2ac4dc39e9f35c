// Every message exists in both languages, with the same arguments.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/i18n/messages.h"
#include "embedded/locales.h"

namespace {

constexpr std::string_view kEnglish = ".en.json";
constexpr std::string_view kChinese = ".zh_CN.json";

using Messages = std::map<std::string, std::string>;

/// Fails the test on a file that is no flat object of texts or repeats a key.
Messages messages_of(std::string_view file) {
    const auto content = a2h::embedded::locales(file);
    REQUIRE_MESSAGE(content, file);
    Messages messages;
    std::set<std::string> seen;
    const auto on_event = [&](int, nlohmann::json::parse_event_t event, nlohmann::json& value) {
        if (event == nlohmann::json::parse_event_t::key) {
            CHECK_MESSAGE(seen.insert(value.get<std::string>()).second, value, " is there twice");
        }
        return true;
    };
    const auto parsed = nlohmann::json::parse(*content, on_event, false);
    REQUIRE_MESSAGE(parsed.is_object(), file);
    for (const auto& [key, message] : parsed.items()) {
        REQUIRE_MESSAGE(message.is_string(), key);
        messages[key] = message.get<std::string>();
    }
    return messages;
}

/// Names in braces; a set, because languages repeat differently.
std::set<std::string> arguments_of(const std::string& message) {
    static const std::regex name(R"(\{([a-z0-9_]+)\})");
    std::set<std::string> names;
    for (std::sregex_iterator at(message.begin(), message.end(), name), end; at != end; ++at) {
        names.insert((*at)[1]);
    }
    return names;
}

std::vector<std::string> areas() {
    std::set<std::string> found;
    for (const std::string_view file : a2h::embedded::locales_names()) {
        found.insert(std::string(file.substr(0, file.find('.'))));
    }
    return {found.begin(), found.end()};
}

std::string read(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("every area is there in both languages with the same keys and arguments") {
    REQUIRE(!areas().empty());
    for (const std::string& area : areas()) {
        CAPTURE(area);
        const Messages english = messages_of(area + std::string(kEnglish));
        const Messages chinese = messages_of(area + std::string(kChinese));
        for (const auto& [key, message] : english) {
            CAPTURE(key);
            REQUIRE(chinese.contains(key));
            CHECK(arguments_of(message) == arguments_of(chinese.at(key)));
        }
        for (const auto& [key, message] : chinese) {
            CAPTURE(key);
            CHECK(english.contains(key));
        }
    }
}

TEST_CASE("a key begins with its area, and no message is empty") {
    for (const std::string& area : areas()) {
        for (const std::string_view suffix : {kEnglish, kChinese}) {
            for (const auto& [key, message] : messages_of(area + std::string(suffix))) {
                CAPTURE(key);
                CHECK(key.starts_with(area + "."));
                // Between Chinese sentences stands nothing.
                CHECK((!message.empty() || key.ends_with("_gap")));
            }
        }
    }
}

TEST_CASE("files are named for one of the two languages") {
    for (const std::string_view file : a2h::embedded::locales_names()) {
        CAPTURE(file);
        CHECK((file.ends_with(kEnglish) || file.ends_with(kChinese)));
    }
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
