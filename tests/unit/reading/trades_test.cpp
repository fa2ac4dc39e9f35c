#include "daemon/reading/trades.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "daemon/decide/rules.h"
#include "tests/support/built_in_rules.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/decide/fixtures.h"

using namespace a2h;
using namespace a2h::reading;

namespace {

std::string error_of(const Trades& trades) {
    const auto words = words_of(trades);
    return words ? std::string("no error") : words.error().message;
}

bool knows(const Trades& trades, std::string_view word) {
    const auto words = words_of(trades);
    REQUIRE_MESSAGE(words.has_value(), (words.has_value() ? "" : words.error().message));
    return (*words)->topics.longest_at(word, 0).end == word.size();
}

}  // namespace

TEST_CASE("by default all trades of ours are read, as one set of words for everybody") {
    const auto words = words_of({});
    REQUIRE(words.has_value());
    CHECK(words->get() == &built_in_vocabulary());
    CHECK(knows({}, "photographer"));
    CHECK(knows({}, "piano"));
}

TEST_CASE("trades are chosen by name, or all but some") {
    CHECK(knows({.chosen = {"photography"}, .owners_folder = {}}, "photographer"));
    CHECK_FALSE(knows({.chosen = {"photography"}, .owners_folder = {}}, "piano"));
    CHECK(knows({.chosen = {"all", "-music"}, .owners_folder = {}}, "photographer"));
    CHECK_FALSE(knows({.chosen = {"all", "-music"}, .owners_folder = {}}, "piano"));
    CHECK_FALSE(knows({.chosen = {}, .owners_folder = {}}, "photographer"));
    CHECK(error_of({.chosen = {"musik"}, .owners_folder = {}}) ==
          "there is no trade musik; did you mean music?");
}

TEST_CASE("an owner's trades come on top of ours unless they are left out") {
    const test::TempDir folder;
    std::ofstream(folder.path() / "tailoring.toml")
        << "version = 1\nsame = [[\"hem\", \"seam\"]]\n";
    std::ofstream(folder.path() / "music.toml")
        << "version = 1\nsame = [[\"piano\", \"spinet\"]]\n";
    std::ofstream(folder.path() / "notes.txt") << "no words";
    CHECK(knows({.chosen = {"all"}, .owners_folder = folder.path()}, "seam"));
    CHECK(knows({.chosen = {"all"}, .owners_folder = folder.path()}, "spinet"));
    CHECK(knows({.chosen = {}, .owners_folder = folder.path()}, "seam"));
    CHECK_FALSE(knows({.chosen = {"all", "-tailoring"}, .owners_folder = folder.path()}, "seam"));
    const auto with = words_of({.chosen = {"all"}, .owners_folder = folder.path()});
    REQUIRE(with.has_value());
    CHECK((*with)->version != built_in_vocabulary().version);
}

TEST_CASE("a trade that cannot be read names file and line") {
    const test::TempDir folder;
    const auto file = folder.path() / "tailoring.toml";
    std::ofstream(file) << "version = 1\n[word.x]\nen = [\"hem\"]\n";
    const Trades trades{.chosen = {"all"}, .owners_folder = folder.path()};
    CHECK(error_of(trades) == file.string() + ":2: unknown section word; did you mean words?");
    std::ofstream(file) << std::string(kTradeFileBytesMax + 1, '#');
    CHECK(error_of(trades) == file.string() + " is larger than 1 MiB");
}

TEST_CASE("an owner's trade lets rules answer what only its words ask") {
    const test::TempDir folder;
    std::ofstream(folder.path() / "decks.toml") << "version = 1\nsame = [[\"ppt\", \"blorbs\"]]\n";
    const decide::Input input = decide::input_with("Do you make blorbs?");
    CHECK(decide::decide(input, decide::built_in_rules(), {}).kind != decide::Kind::Answer);
    const auto rules =
        decide::RuleSet::load({}, {.chosen = {"all"}, .owners_folder = folder.path()});
    REQUIRE(rules.has_value());
    CHECK(decide::decide(input, *rules, {}).kind == decide::Kind::Answer);
    CHECK(rules->version() != decide::built_in_rules().version());
}

TEST_CASE("the loaded trades are reported with those of the owner") {
    const test::TempDir folder;
    std::ofstream(folder.path() / "tailoring.toml") << "version = 1\n";
    const auto trades =
        trades_in_use({.chosen = {"all", "-music"}, .owners_folder = folder.path()});
    REQUIRE(trades.has_value());
    CHECK(trades->size() == trade_names().size() + 1);
    for (const TradeInUse& trade : *trades) {
        CHECK(trade.is_read == (trade.name != "music"));
        CHECK(trade.is_owners == (trade.name == "tailoring"));
    }
}

TEST_CASE("the trade that the manual shows is one that can be read") {
    std::ifstream in(std::string(A2H_SOURCE_DIR) + "/docs/playbooks.md");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t begin = text.find("version = 1\nmeasures");
    REQUIRE(begin != std::string::npos);
    const test::TempDir folder;
    std::ofstream(folder.path() / "tailoring.toml")
        << text.substr(begin, text.find("```", begin) - begin);
    CHECK(knows({.chosen = {"all"}, .owners_folder = folder.path()}, "gown"));
}
