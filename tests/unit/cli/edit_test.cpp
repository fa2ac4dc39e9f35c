#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "cli/json_edit.h"
#include "cli/settings_file.h"
#include "cli/toml_edit.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::cli;
using nlohmann::json;
using nlohmann::ordered_json;

namespace fs = std::filesystem;

namespace {

const std::vector<std::string> kPath = {"servers", "a2h"};
const ordered_json kEntry = {{"command", "/bin/a"}};

std::string edited(std::string_view text, JsonDialect dialect = JsonDialect::WithComments) {
    const auto out = set_json_entry(text, kPath, kEntry, dialect);
    REQUIRE_MESSAGE(out, out.error().message);
    return *out;
}

std::string json_refusal(std::string_view text, JsonDialect dialect = JsonDialect::WithComments) {
    const auto out = set_json_entry(text, kPath, kEntry, dialect);
    REQUIRE_FALSE(out);
    CHECK(out.error().code == ErrorCode::InvalidArgument);
    return out.error().message;
}

std::string edited_toml(std::string_view text) {
    const auto out = set_toml_entry(text, {"mcp_servers", "a2h"},
                                    {{"command", "\"/bin/a\""}, {"args", "[\"x\"]"}});
    REQUIRE_MESSAGE(out, out.error().message);
    return *out;
}

constexpr const char* kTable = "[mcp_servers.a2h]\ncommand = \"/bin/a\"\nargs = [\"x\"]\n";

std::string whole(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("an empty file becomes one with our entry") {
    const char* expected =
        "{\n  \"servers\": {\n    \"a2h\": {\n      \"command\": \"/bin/a\"\n    }\n  }\n}\n";
    CHECK(edited("") == expected);
    CHECK(edited(" \n ") == expected);
    CHECK(edited("{}\n", JsonDialect::Strict) == expected);
}

TEST_CASE("our entry is added after the others in the file's own style") {
    CHECK(edited("{\n\t\"servers\": {\n\t\t\"b\": {} // mine\n\t},\n\t\"c\": 1\n}\n") ==
          "{\n\t\"servers\": {\n\t\t\"b\": {}, // mine\n\t\t\"a2h\": {\n\t\t\t\"command\": "
          "\"/bin/a\"\n\t\t}\n\t},\n\t\"c\": 1\n}\n");
    CHECK(edited("{\r\n  \"c\": 1\r\n}") ==
          "{\r\n  \"c\": 1,\r\n  \"servers\": {\r\n    \"a2h\": {\r\n      \"command\": "
          "\"/bin/a\"\r\n    }\r\n  }\r\n}");
    CHECK(edited("{\"servers\":{}}").starts_with("{\"servers\":{\n"));
    CHECK(edited("\xef\xbb\xbf{}").starts_with("\xef\xbb\xbf{"));
}

TEST_CASE("comments and commas before a bracket are kept, and no comma is doubled") {
    CHECK(edited("{\n  // a } in a comment\n  \"c\": [1, 2,], /* and, */\n}\n") ==
          "{\n  // a } in a comment\n  \"c\": [1, 2,], /* and, */\n  \"servers\": {\n    \"a2h\": "
          "{\n      \"command\": \"/bin/a\"\n    }\n  }\n}\n");
    CHECK(edited("{\"c\": 1 // x,\n}") ==
          "{\"c\": 1, // x,\n  \"servers\": {\n    \"a2h\": {\n      \"command\": \"/bin/a\"\n    "
          "}\n  }\n}");
}

TEST_CASE("an existing entry keeps its other members and its place") {
    const std::string text =
        "{\"servers\": {\"a2h\": {\"env\": {}, \"command\": \"old\"}, \"b\": 1}}";
    const std::string out = edited(text);
    const json value = json::parse(out, nullptr, false);
    CHECK(value["servers"]["a2h"] == json{{"env", json::object()}, {"command", "/bin/a"}});
    CHECK(out.ends_with(", \"b\": 1}}"));
    CHECK(edited(out) == out);
    // What is not an object is replaced.
    CHECK(json::parse(edited("{\"servers\": {\"a2h\": null}}"), nullptr, false)["servers"]["a2h"] ==
          json{{"command", "/bin/a"}});
}

TEST_CASE("names are compared after escapes are decoded") {
    const std::string out = edited(R"({"servers": {"\u0061\u0032h": {"command": "old"}}})");
    CHECK(json::parse(out, nullptr, false)["servers"].size() == 1);
}

TEST_CASE("text that is not JSON of the dialect is refused with its line") {
    CHECK(json_refusal("{\n\"a\": }\n").find("line 2") != std::string::npos);
    CHECK(json_refusal("{} x").find("line 1") != std::string::npos);
    CHECK(json_refusal("{\"a\": 1,}", JsonDialect::Strict).find("line 1") != std::string::npos);
    CHECK(json_refusal("{ // c\n}", JsonDialect::Strict).find("JSON") != std::string::npos);
    CHECK(json_refusal("{\"a\": 1e400}").find("too large") != std::string::npos);
    CHECK(json_refusal("[]").find("not contain a JSON object") != std::string::npos);
    CHECK(json_refusal("{\"a\": \"\xff\"}").find("UTF-8") != std::string::npos);
    CHECK(json_refusal("{\"servers\": []}").find("\"servers\" is not an object") !=
          std::string::npos);
    CHECK(json_refusal("{\"servers\": {}, \"servers\": {}}").find("more than once") !=
          std::string::npos);
    for (const char* text : {"{", "{/*", "{\"a", "{\"a\": 1 /", "{,}", "{\"a\":1,,}"})
        json_refusal(text);
}

TEST_CASE("an edit changes only our entry, whatever the file looks like") {
    std::mt19937 random(7);
    const auto pick = [&](std::vector<std::string> texts) {
        return texts[random() % texts.size()];
    };
    const auto space = [&] {
        return pick({"", " ", "\n", "\n\t", " // c, {\n", "/* ] \" */", "\r\n  "});
    };
    for (int round = 0; round < 2000; ++round) {
        CAPTURE(round);
        std::string members;
        json before = json::object();
        const int count = static_cast<int>(random() % 4);
        for (int i = 0; i < count; ++i) {
            const std::string name = pick({"servers", "x\\\"{", "other", "深"}) + (i ? "2" : "");
            const std::string value = pick({"{}", "{\"b\": [1, {\"c\": \"}\"}]}", "{\"a2h\": {}}"});
            members += (i == 0 ? "" : ",") + space() + "\"" + name + "\"" + space() + ":" +
                       space() + value + space();
        }
        const std::string comma = count > 0 ? pick({"", ","}) : "";
        const std::string text = space() + "{" + members + comma + space() + "}" + space();
        CAPTURE(text);
        const auto out = set_json_entry(text, kPath, kEntry, JsonDialect::WithComments);
        if (!out) {
            // Only a name that was picked twice.
            CHECK(out.error().message.find("more than once") != std::string::npos);
            continue;
        }
        CHECK(edited(*out) == *out);
    }
}

TEST_CASE("a TOML file gets our table at its end") {
    CHECK(edited_toml("") == kTable);
    CHECK(edited_toml("a = 1 # one") == "a = 1 # one\n\n" + std::string(kTable));
    CHECK(edited_toml("[mcp_servers.b]\ncommand = \"b\"\n") ==
          "[mcp_servers.b]\ncommand = \"b\"\n\n" + std::string(kTable));
    CHECK(edited_toml("a = 1\r\n").find("[mcp_servers.a2h]\r\n") != std::string::npos);
}

TEST_CASE("an existing table keeps its other keys, comments and tables") {
    const std::string text =
        "# top\n[mcp_servers.a2h] # ours\nargs = [\n  \"[old]\", # x\n]\n# note\n"
        "startup_timeout_sec = 20\ncommand = \"old\"\n\n[mcp_servers.a2h.env]\nA = \"1\"\n[z]\n";
    const std::string out = edited_toml(text);
    CHECK(out ==
          "# top\n[mcp_servers.a2h] # ours\nargs = [\"x\"]\n# note\n"
          "startup_timeout_sec = 20\ncommand = \"/bin/a\"\n\n[mcp_servers.a2h.env]\nA = "
          "\"1\"\n[z]\n");
    CHECK(edited_toml(out) == out);
    CHECK(edited_toml("[ mcp_servers . \"a2h\" ]") ==
          "[ mcp_servers . \"a2h\" ]\ncommand = \"/bin/a\"\nargs = [\"x\"]\n");
}

TEST_CASE("one value is set where it stands, behind its commented default, or at the beginning") {
    const auto set = [](std::string_view text, std::vector<std::string> path, std::string key) {
        const auto out = set_toml_entry(text, path, {{std::move(key), "9"}});
        REQUIRE_MESSAGE(out, out.error().message);
        return *out;
    };
    CHECK(set("# 中\n[a] # one\n\"中\" = \"中\"\nb =  12_0   # 中 two\nc = 1\n", {"a"}, "b") ==
          "# 中\n[a] # one\n\"中\" = \"中\"\nb =  9   # 中 two\nc = 1\n");
    CHECK(set("[a]\r\nb = [\r\n 1, # x\r\n]\r\nc = 1\r\n", {"a"}, "b") ==
          "[a]\r\nb = 9\r\nc = 1\r\n");
    CHECK(set("[a]\n# about b\n#b = 4\n\n#bc = 1\n[z]\n#b = 4", {"a"}, "b") ==
          "[a]\n# about b\n#b = 4\nb = 9\n\n#bc = 1\n[z]\n#b = 4");
    CHECK(set("[a]\n[z]\n# b = 4", {"z"}, "b") == "[a]\n[z]\n# b = 4\nb = 9\n");
    CHECK(set("[a]\nc = 1", {"a"}, "b") == "[a]\nb = 9\nc = 1");
    CHECK(set("# top\n#b = 1\n[a]\n", {}, "b") == "# top\n#b = 1\nb = 9\n[a]\n");
    CHECK(set("[a]\n#b = 1\n", {}, "b") == "b = 9\n[a]\n#b = 1\n");
    CHECK(set("b = 1 # x\n", {}, "b") == "b = 9 # x\n");
    CHECK(set("a = {c = 1, b = 2}", {"a"}, "b") == "a = {c = 1, b = 9}");
    CHECK(set("a.b = 2\n", {"a"}, "b") == "a.b = 9\n");
    CHECK(set("[a]\nb = 9 # same\n", {"a"}, "b") == "[a]\nb = 9 # same\n");
}

TEST_CASE("TOML that is broken, or holds our entry in another form, is refused") {
    for (const char* text :
         {"a = ", "mcp_servers = 7", "mcp_servers = {}", "mcp_servers.a2h.command = \"x\"",
          "[mcp_servers]\na2h = {command = \"x\"}", "[[mcp_servers]]\n",
          "s = '''\n[mcp_servers.a2h]\n'''\n[mcp_servers]\na2h.command = \"x\"\n"}) {
        CAPTURE(text);
        const auto out = set_toml_entry(text, {"mcp_servers", "a2h"},
                                        {{"command", "\"/bin/a\""}, {"args", "[]"}});
        REQUIRE_FALSE(out);
        CHECK(out.error().code == ErrorCode::InvalidArgument);
    }
}

TEST_CASE("a settings file is replaced at once, with a copy of what it was") {
    const test::TempDir dir;
    const fs::path file = dir.path() / "new" / "settings.json";
    CHECK(read_settings(file).value() == "");
    CHECK(replace_settings(file, "", "one").value() == fs::path());
    CHECK(whole(file) == "one");
    fs::permissions(file, fs::perms(0640));
    const auto backup = replace_settings(file, "one", "two");
    REQUIRE(backup);
    CHECK(whole(*backup) == "one");
    CHECK(whole(file) == "two");
    CHECK((fs::status(file).permissions() & fs::perms::all) == fs::perms(0640));
    CHECK(std::distance(fs::directory_iterator(file.parent_path()), {}) == 2);
}

TEST_CASE("a file that changed in between is not overwritten") {
    const test::TempDir dir;
    const fs::path file = dir.path() / "settings.json";
    std::ofstream(file) << "theirs";
    const auto replaced = replace_settings(file, "as it was", "ours");
    REQUIRE_FALSE(replaced);
    CHECK(replaced.error().code == ErrorCode::Conflict);
    CHECK(whole(file) == "theirs");
}

TEST_CASE("a link to the settings stays a link") {
    const test::TempDir dir;
    const fs::path real = dir.path() / "real";
    const fs::path link = dir.path() / "link";
    std::ofstream(real) << "one";
    fs::create_symlink(real, link);
    REQUIRE(replace_settings(link, "one", "two"));
    CHECK(fs::is_symlink(link));
    CHECK(whole(real) == "two");
}

TEST_CASE("a path that cannot be read or written as a file is refused") {
    const test::TempDir dir;
    CHECK(read_settings(dir.path()).error().code == ErrorCode::InvalidArgument);
    std::ofstream(dir.path() / "file") << "x";
    const auto below_a_file = replace_settings(dir.path() / "file" / "settings.json", "", "x");
    REQUIRE_FALSE(below_a_file);
    CHECK(below_a_file.error().code == ErrorCode::Unavailable);
    std::ofstream(dir.path() / "large") << std::string(5 * 1024 * 1024, ' ');
    CHECK(read_settings(dir.path() / "large").error().code == ErrorCode::InvalidArgument);
}
