// Writes docs/tools.md and docs/tools.zh_CN.md from what a2h-mcp lists: A2H_ACCEPT=1 writes, else
// stale files fail. The Chinese texts are docs/tools.zh_CN.json, line by line under the English
// line that they translate, so that a changed line wants a new translation.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "core/catalogue/arguments.h"
#include "mcp/tools.h"

using namespace a2h::mcp;
using nlohmann::json;
using nlohmann::ordered_json;

namespace {

const std::filesystem::path kDocs = A2H_SOURCE_DIR "/docs";

/// The words of the page other than the catalogue's texts.
struct PageWords {
    const char* file;
    const char* title;
    const char* other_language;
    const char* introduction;
    const char* toolset;
    const char* arguments;
    const char* no_arguments;
    const char* required;
    const char* defaults_to;
    const char* read_only;
    const char* changes;
    const char* destructive;
    const char* idempotent;
    const char* open_world;
    const char* comma;
    const char* separator;
    const char* opening;
    const char* closing;
};

constexpr PageWords kEnglish = {
    .file = "tools.md",
    .title = "Tools of a2h-mcp",
    .other_language = "[中文](tools.zh_CN.md)",
    .introduction =
        "This page is generated from the catalogue by `tests/unit/mcp/tools_doc_test.cpp` (run\n"
        "`A2H_ACCEPT=1 build/tests/unit_mcp` after a change); do not edit it.\n\n"
        "By default the toolsets core, works, orders and approvals are listed. `--toolsets`, "
        "`--tools`,\n"
        "`--exclude-tools` and `--read-only` select others.\n\n"
        "Every result is `{ok, action, data}` or `{ok: false, action, error: {code, message, "
        "next}}`.\n"
        "A result that is longer than a model should read is cut: `data.next_cursor` leads to the\n"
        "rest, and the last line of the text says so.",
    .toolset = "Toolset",
    .arguments = "| argument | type | meaning |",
    .no_arguments = "No arguments.",
    .required = "required",
    .defaults_to = "default",
    .read_only = "changes nothing",
    .changes = "changes something",
    .destructive = "may replace or end existing data",
    .idempotent = "repeating the call has no further effect",
    .open_world = "reaches the market or other agents",
    .comma = ", ",
    .separator = "; ",
    .opening = " (",
    .closing = ")",
};

constexpr PageWords kChinese = {
    .file = "tools.zh_CN.md",
    .title = "a2h-mcp 的工具",
    .other_language = "[English](tools.md)",
    .introduction =
        "本页由 `tests/unit/mcp/tools_doc_test.cpp` 根据操作目录生成（改动之后运行 `A2H_ACCEPT=1 "
        "build/tests/unit_mcp`），请勿直接编辑。\n\n"
        "不作选择时列出 core、works、orders、approvals 四个工具组；用 `--toolsets`、`--tools`、"
        "`--exclude-tools`、`--read-only` 另行选择。\n"
        "所有结果都是 `{ok, action, data}` 或 `{ok: false, action, error: {code, message, "
        "next}}`。超出模型合适阅读长度的结果会提前截止：`data.next_cursor` "
        "指向其余部分，文字的最后一行会说明。",
    .toolset = "工具组",
    .arguments = "| 参数 | 类型 | 含义 |",
    .no_arguments = "没有参数。",
    .required = "必填",
    .defaults_to = "默认",
    .read_only = "不改变任何内容",
    .changes = "会作改动",
    .destructive = "可能替换或终止已有内容",
    .idempotent = "同样的调用重复多次，效果不变",
    .open_world = "会联系市场或其他智能体",
    .comma = "、",
    .separator = "；",
    .opening = "（",
    .closing = "）",
};

using Translate = std::function<std::string(const std::string&)>;

std::string translated_lines(const std::string& text, const Translate& translate) {
    std::istringstream in(text);
    std::string all;
    for (std::string line; std::getline(in, line);)
        all += translate(line) + "\n\n";
    return all;
}

std::string type_of(const ordered_json& property, const PageWords& words) {
    std::string type = property["type"];
    if (property.contains("enum")) {
        type.clear();
        for (const ordered_json& value : property["enum"]) {
            const std::string shown = value.is_string() ? value.get<std::string>() : value.dump();
            type += (type.empty() ? "" : words.comma) + ("`" + shown + "`");
        }
    } else if (property.contains("minimum") || property.contains("maximum")) {
        type += " " + (property.contains("minimum") ? property["minimum"].dump() : "") + "–" +
                (property.contains("maximum") ? property["maximum"].dump() : "");
    }
    if (property.contains("default")) {
        const ordered_json& value = property["default"];
        type += words.separator + std::string(words.defaults_to) + " " +
                (value.is_string() ? value.get<std::string>() : value.dump());
    }
    return type;
}

/// Rows of the table, members of objects and of lists' items below what holds them. Members without
/// a description are described by what holds them.
void add_rows(std::string& out, const ordered_json& schema, const std::string& prefix,
              const PageWords& words, const Translate& translate) {
    if (schema.contains("items")) return add_rows(out, schema["items"], prefix, words, translate);
    if (!schema.contains("properties")) return;
    const auto required = schema.value("required", std::set<std::string>());
    for (const auto& [name, property] : schema["properties"].items()) {
        if (!property.contains("description")) continue;
        std::string type = type_of(property, words);
        if (required.contains(name)) type += words.separator + std::string(words.required);
        const std::string meaning = translate(property["description"]);
        out += "| `" + prefix + name + "` | " + type + " | " + meaning + " |\n";
        add_rows(out, property, prefix + name + ".", words, translate);
    }
}

std::string tool_text(const ordered_json& tool, const PageWords& words,
                      const Translate& translate) {
    const ordered_json& hints = tool["annotations"];
    std::string what = hints["readOnlyHint"] == true ? words.read_only : words.changes;
    if (hints["destructiveHint"] == true) what += std::string(words.separator) + words.destructive;
    if (hints["readOnlyHint"] == false && hints["idempotentHint"] == true) {
        what += std::string(words.separator) + words.idempotent;
    }
    if (hints["openWorldHint"] == true) what += std::string(words.separator) + words.open_world;
    std::string out = "### " + tool["name"].get<std::string>() + "\n\n**" +
                      translate(tool["title"]) + "**" + words.opening + what + words.closing +
                      "\n\n" + translated_lines(tool["description"], translate);
    if (tool["inputSchema"]["properties"].empty()) return out + words.no_arguments + "\n\n";
    out += std::string(words.arguments) + "\n|---|---|---|\n";
    add_rows(out, tool["inputSchema"], "", words, translate);
    return out + "\n";
}

std::string page_text(const PageWords& words, const Translate& translate) {
    std::string out = std::string("# ") + words.title + "\n\n" + words.other_language + "\n\n" +
                      words.introduction + "\n\n";
    std::string_view toolset;
    for (const ordered_json& tool : tool_list(Toolsets::all())) {
        const auto& name = tool["name"].get_ref<const std::string&>();
        const std::string_view its_toolset = a2h::catalogue::find_tool(name)->toolset;
        if (its_toolset != toolset) {
            toolset = its_toolset;
            out += "## " + std::string(words.toolset) + " `" + std::string(toolset) + "`\n\n";
        }
        out += tool_text(tool, words, translate);
    }
    out.pop_back();
    return out;
}

std::string file_text(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

void check_page(const PageWords& words, const Translate& translate) {
    const std::string text = page_text(words, translate);
    const std::filesystem::path file = kDocs / words.file;
    if (std::getenv("A2H_ACCEPT") != nullptr) std::ofstream(file) << text;
    const bool is_fresh = file_text(file) == text;
    CHECK_MESSAGE(is_fresh, file.string(), " is stale: run A2H_ACCEPT=1 build/tests/unit_mcp");
}

void add_titles(const json& schema, std::vector<std::string>& texts) {
    const json properties = schema.value("properties", json::object());
    for (const auto& [member, property] : properties.items()) {
        if (property.contains("title")) texts.push_back(property["title"]);
        add_titles(property, texts);
        if (property.contains("items")) add_titles(property["items"], texts);
    }
}

/// The texts that commands of a2h made from rows alone show to people.
std::vector<std::string> texts_of_commands() {
    std::vector<std::string> texts;
    for (const a2h::catalogue::Operation& operation : a2h::catalogue::operations()) {
        if (operation.command.empty()) continue;
        texts.emplace_back(operation.title);
        const json& input = a2h::catalogue::input_schema(operation);
        for (const auto& [member, property] : input["properties"].items())
            texts.push_back(property.at("description"));
        add_titles(json::parse(operation.output_schema), texts);
    }
    return texts;
}

}  // namespace

TEST_CASE("the English reference of the tools is fresh") {
    check_page(kEnglish, [](const std::string& line) { return line; });
}

TEST_CASE("the Chinese reference is fresh, lacks no line and translates none that is gone") {
    const json chinese = json::parse(file_text(kDocs / "tools.zh_CN.json"), nullptr, false);
    REQUIRE(chinese.is_object());
    std::set<std::string> used;
    check_page(kChinese, [&](const std::string& line) {
        used.insert(line);
        CHECK_MESSAGE(chinese.contains(line), "docs/tools.zh_CN.json lacks: ", line);
        return chinese.value(line, line);
    });
    for (const std::string& text : texts_of_commands()) {
        used.insert(text);
        CHECK_MESSAGE(chinese.contains(text), "docs/tools.zh_CN.json lacks: ", text);
    }
    for (const auto& [line, translation] : chinese.items())
        CHECK_MESSAGE(used.contains(line), "no tool says this any more: ", line);
}
