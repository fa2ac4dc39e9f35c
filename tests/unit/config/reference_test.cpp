// Writes docs/configuration.md and docs/configuration.zh_CN.md from the tables of options:
// A2H_ACCEPT=1 writes, else stale files fail.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "daemon/config/option.h"

using namespace a2h;
using namespace a2h::config;

namespace {

using i18n::Language;

/// The words of the page other than the texts of the options.
struct PageWords {
    Language language;
    const char* file;
    const char* introduction;
    const char* top_level;
    const char* columns;
    const char* lists;
    const char* list_columns;
    const char* reload;
    const char* restart;
};

constexpr PageWords kEnglishPage{
    .language = Language::English,
    .file = "configuration.md",
    .introduction =
        R"(# Configuration

[中文](configuration.zh_CN.md)

This page is generated from the tables of options by `tests/unit/config/reference_test.cpp` (run
`A2H_ACCEPT=1 build/tests/unit_config` after a change); do not edit it.

a2hd reads `config.toml` in its home folder (`~/.a2h`, `A2H_HOME` or `--home`), a file in
[TOML](https://toml.io). All settings are optional, and so is the file. An unknown setting or a value
that is not allowed is an error, which names the file, the line and the allowed values. a2hd does not
start with such a file.

<!-- shown: what the commands print is on this page; tests/unit/cli runs them -->
```console
a2h config show                    # every setting, its value and its origin
a2h config check                   # checks the file before a2hd reads it
a2h config set keep.events_days 90 # writes one setting; the comments of the file stay
a2h config default                 # prints a complete file to start with, explained and commented out
a2h reload                         # makes a running a2hd read the file
```

`a2h config set` checks the whole changed file before it writes, and replaces the file in one step. It
keeps the previous one as `config.toml.a2h-backup`. With `--json` each command prints JSON for programs.
The exit status is 0 for success, 1 for an error and 2 for a wrong command line.

**Variables.** `A2H_` with table and key in capitals sets the same and takes precedence over the file, for
example `A2H_LIMITS_ROUNDS_PER_PEER_PER_DAY=10`. Separate the items of a list with commas; an empty variable
counts as not set. The variables are read from the environment of a2hd. Tables of which there can be several
have no variables. `A2H_LLM_MODEL`, `A2H_LLM_TIMEOUT`, `A2H_ANTHROPIC_BASE_URL` and `A2H_CORS_ORIGINS` are
alternative names from the specification of negotiations; the same names without `A2H_` belong to other
programs and are never read ([rulings.md](rulings.md), R38).

**When a change takes effect.** Settings marked *reload*, and the tables of which there can be several, take
effect at the next `a2h reload`, SIGHUP or `systemctl reload`; all others after a restart. See
[operations.md](operations.md#settings).

Amounts of money are in the smallest unit of their currency, like cents. Paths are absolute or begin with
`~/`.
)",
    .top_level = "At the top level",
    .columns =
        "| key | default | allowed | takes effect after | meaning |\n|---|---|---|---|---|\n",
    .lists = "Tables of which there can be several",
    .list_columns = "| key | default | allowed | meaning |\n|---|---|---|---|\n",
    .reload = "reload",
    .restart = "restart"};

constexpr PageWords kChinesePage{
    .language = Language::Chinese,
    .file = "configuration.zh_CN.md",
    .introduction =
        R"(# 配置

[English](configuration.md)

本页由 `tests/unit/config/reference_test.cpp` 根据选项表生成（改动之后运行 `A2H_ACCEPT=1 build/tests/unit_config`），请勿直接编辑。

a2hd 读取主目录（`~/.a2h`、`A2H_HOME` 或 `--home`）里的 `config.toml`，格式为 [TOML](https://toml.io)。所有设置都可以省略，没有这个文件也可以。
不存在的设置或不允许的值都是错误，会指出文件、行号和可取值；文件有误时 a2hd 不会启动。

<!-- shown: what the commands print is on this page; tests/unit/cli runs them -->
```console
a2h config show                    # 每一项设置、它的值及来源
a2h config check                   # 在 a2hd 读取之前检查文件
a2h config set keep.events_days 90 # 写入一项设置，文件里的注释保留
a2h config default                 # 一份完整的文件，有说明、全部注释掉，可由此开始
a2h reload                         # 让正在运行的 a2hd 读取该文件
```

`a2h config set` 先检查改动之后的整个文件，再一次性替换，要么完成、要么不变；原来的文件留作 `config.toml.a2h-backup`。各命令加 `--json` 供程序使用；退出状态 0 为成功，1 为有错误，2 为命令行有误。

**环境变量。** `A2H_` 加上大写的表名和键名，作用相同，并且优先于文件，例如 `A2H_LIMITS_ROUNDS_PER_PEER_PER_DAY=10`；列表的各项用逗号隔开，空变量视为未设置。以 a2hd 的环境为准。可以有多个的表没有对应的变量。
`A2H_LLM_MODEL`、`A2H_LLM_TIMEOUT`、`A2H_ANTHROPIC_BASE_URL` 和 `A2H_CORS_ORIGINS` 是协商规范中的别名；不带 `A2H_` 的属于其他程序，a2hd 从不读取（见 [rulings.md](rulings.md) 的 R38）。

**何时生效。** 标为“重新读取”的项，以及可以有多个的表，在下一次 `a2h reload`、SIGHUP 或 `systemctl reload` 时生效，其余的在重启后生效。见 [operations.zh_CN.md](operations.zh_CN.md#设置)。

金额以货币的最小单位计，例如分。路径须为绝对路径，或以 `~/` 开头。
)",
    .top_level = "顶层",
    .columns = "| 键 | 默认值 | 可取值 | 何时生效 | 作用 |\n|---|---|---|---|---|\n",
    .lists = "可以有多个的表",
    .list_columns = "| 键 | 默认值 | 可取值 | 含义 |\n|---|---|---|---|\n",
    .reload = "重新读取",
    .restart = "重启"};

/// The text as a cell of a table can hold it.
std::string cell(std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
        text.replace(at, 1, "\\|");
    return text;
}

/// `when`: cell that says from when on it counts; empty where there is none.
template <typename Target>
std::string option_row(const PageWords& words, const OptionOf<Target>& option,
                       const Target& defaults, const std::string& when) {
    const auto in_language = [&](std::string_view key) { return i18n::text(words.language, key); };
    const std::string fallback = option.default_text.empty()
                                     ? "`" + toml_text(option.get(defaults)) + "`"
                                     : in_language(option.default_text);
    return "| `" + std::string(key_of(option.name)) + "` | " + cell(fallback) + " | " +
           cell(allowed_text(words.language, option.kind)) + " | " + when +
           cell(in_language("config." + std::string(option.name))) + " |\n";
}

std::string table_head(const PageWords& words, const std::string& heading, std::string_view table,
                       const char* columns) {
    std::string out = "\n" + heading + "\n\n";
    if (!table.empty())
        out += i18n::text(words.language, "config.table." + std::string(table)) + "\n\n";
    return out + columns;
}

template <typename Target>
std::string list_text(const PageWords& words, std::string_view table,
                      std::span<const OptionOf<Target>> rows) {
    std::string out =
        table_head(words, "### `[[" + std::string(table) + "]]`", table, words.list_columns);
    for (const OptionOf<Target>& option : rows)
        out += option_row(words, option, Target(), {});
    return out;
}

std::string page_of(const PageWords& words) {
    std::string out = words.introduction;
    const Config defaults = default_config();
    std::string_view table = "none yet";
    for (const Option& option : options()) {
        if (table_of(option.name) != table) {
            table = table_of(option.name);
            out += table_head(words,
                              table.empty() ? "## " + std::string(words.top_level)
                                            : "## `[" + std::string(table) + "]`",
                              table, words.columns);
        }
        const bool restart = option.effect == Effect::Restart;
        out += option_row(words, option, defaults,
                          std::string(restart ? words.restart : words.reload) + " | ");
    }
    return out + "\n## " + words.lists + "\n" + list_text(words, "person", person_options()) +
           list_text(words, "channel", channel_options()) +
           list_text(words, "approval_rule", rule_options());
}

std::string whole_file(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("the reference of the configuration is fresh in both languages") {
    for (const PageWords& words : {kEnglishPage, kChinesePage}) {
        const std::string text = page_of(words);
        const auto file = std::filesystem::path(A2H_SOURCE_DIR "/docs") / words.file;
        if (std::getenv("A2H_ACCEPT") != nullptr) std::ofstream(file) << text;
        const bool is_fresh = whole_file(file) == text;
        CHECK_MESSAGE(is_fresh, file.string(),
                      " is stale: run A2H_ACCEPT=1 build/tests/unit_config");
    }
}
