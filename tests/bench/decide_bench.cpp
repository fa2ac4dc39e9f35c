// decide_bench [--quick]: how many messages of the labelled corpora one core decides in a second,
// with the built-in rules and with an owner's thousand rules on top of them. Produces the table of
// docs/benchmarks.md.

#include <time.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/store/database.h"
#include "core/wire/canonical.h"
#include "core/wire/permit_digest.h"
#include "daemon/consent/door.h"
#include "daemon/decide/labelled.h"
#include "daemon/decide/rules.h"
#include "daemon/reading/listing_index.h"
#include "tests/support/built_in_rules.h"
#include "tests/support/queued_message.h"
#include "tests/support/temp_dir.h"

using namespace a2h;

namespace {

constexpr std::size_t kRulesWanted = 1'000;
constexpr int kRounds = 5;

[[noreturn]] void stop(const std::string& why) {
    std::fprintf(stderr, "decide_bench: %s\n", why.c_str());
    std::exit(1);
}

template <typename T>
T value_of(Result<T> result) {
    if (!result) stop(result.error().message);
    return std::move(*result);
}

std::string golden(std::string_view file) {
    std::ifstream in(std::string(A2H_SOURCE_DIR) + "/tests/golden/decide/" + std::string(file));
    if (!in) stop("cannot read " + std::string(file));
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

std::vector<decide::Input> messages() {
    const auto listings = value_of(decide::parse_listings(golden("listings.json")));
    std::vector<decide::Input> inputs;
    for (const std::string_view file : {"corpus.jsonl", "corpus2.jsonl"}) {
        std::istringstream lines(golden(file));
        for (std::string line; std::getline(lines, line);)
            inputs.push_back(value_of(decide::parse_labelled(line, listings)).input);
    }
    return inputs;
}

/// Rules as owners write them: phrases, words of lists, counts and kinds. None ever matches, so
/// that every message is tested against all of them.
std::string owners_rules(std::size_t count) {
    constexpr std::array<const char*, 6> kConditions = {
        R"(phrases = { en = ["special word %k"], zh = ["特别词%k号"] })",
        R"(says = ["haggle", "terms"], amount = "exact", listing = "several", repeated = true)",
        R"(says_only = ["thanks", "greeting"], contact = ["known", "introduced"], rounds_at_least = 3)",
        R"(asks_fact = true, facts_stated = true, language = "zh", longer_than = 100000)",
        R"(says_mainly = ["thanks", "farewell"], provenance = "unverified")",
        R"(open_question = true, phrases = ["another phrase %k"])"};
    std::string toml = "version = 1\n";
    for (std::size_t k = 0; k < count; ++k) {
        std::string when = kConditions[k % kConditions.size()];
        for (std::size_t at = when.find("%k"); at != when.npos; at = when.find("%k"))
            when.replace(at, 2, std::to_string(k));
        toml += "[[rule]]\nid = \"own." + std::to_string(k) + "\"\nwhen = { " + when +
                " }\naction = \"silent\"\nwhy = { en = \"because\", zh = \"因为\" }\n";
    }
    return toml;
}

/// CPU time of this thread: the work of one core, whatever else runs on it.
double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Decisions a second, the median of the rounds.
double measure(std::vector<decide::Input> inputs, const decide::RuleSet& rules, bool with_index,
               std::size_t decisions) {
    for (decide::Input& input : inputs)
        if (with_index) input.index = reading::ListingIndex::of(input.listings, rules.words());
    std::vector<double> rounds;
    std::size_t bytes = 0;
    for (int round = 0; round < kRounds; ++round) {
        const double begin = cpu_seconds();
        for (std::size_t k = 0; k < decisions; ++k) {
            const auto decision = decide::decide(inputs[k % inputs.size()], rules, {});
            bytes += decision.rule_id.size();
        }
        rounds.push_back(static_cast<double>(decisions) / (cpu_seconds() - begin));
    }
    if (bytes == 0) stop("nothing was decided");
    std::sort(rounds.begin(), rounds.end());
    return rounds[rounds.size() / 2];
}

/// The same with the permit of each answer, and with the digest that is made once more before the
/// message leaves.
double measure_permitted(const std::vector<decide::Input>& given, const decide::RuleSet& rules,
                         std::size_t decisions) {
    std::vector<decide::Input> inputs = given;
    for (decide::Input& input : inputs)
        input.index = reading::ListingIndex::of(input.listings, rules.words());
    const test::TempDir folder;
    const auto db =
        value_of(store::Database::open(folder.path() / "a2h.db", store::Database::Mode::ReadWrite));
    std::vector<double> rounds;
    std::size_t differing = 0;
    for (int round = 0; round < kRounds; ++round) {
        const double begin = cpu_seconds();
        for (std::size_t k = 0; k < decisions; ++k) {
            const auto decision = decide::decide(inputs[k % inputs.size()], rules, {});
            const OutboxMessage message = test::queued_message(
                "ag_seller", "ag_buyer", "chat.request",
                wire::canonical_json({{"text", decision.reply_text}}), "rule:" + decision.rule_id);
            const Permit permit = value_of(consent::Door::permit(*db, message));
            differing += permit.digest() == wire::permit_digest(message) ? 0 : 1;
        }
        rounds.push_back(static_cast<double>(decisions) / (cpu_seconds() - begin));
    }
    if (differing != 0) stop("a permit does not fit its message");
    std::sort(rounds.begin(), rounds.end());
    return rounds[rounds.size() / 2];
}

void print(const char* what, double per_second, double wanted) {
    std::printf("| %-44s | %9.0f | %6.1f | %9.0f |\n", what, per_second, 1e6 / per_second, wanted);
}

}  // namespace

int main(int argc, char** argv) {
    const bool quick = argc > 1 && std::string_view(argv[1]) == "--quick";
    const std::size_t decisions = quick ? 5'000 : 50'000;
    const auto inputs = messages();
    const decide::RuleSet& ours = decide::built_in_rules();
    const auto many = value_of(
        decide::RuleSet::with_owners(owners_rules(kRulesWanted - ours.rule_count()), "bench.toml"));
    std::printf(
        "Decisions in a second of one core's time, %zu messages of the labelled corpora in turn, "
        "median of %d "
        "rounds of %zu\n\n",
        inputs.size(), kRounds, decisions);
    std::printf("| %-44s | %9s | %6s | %9s |\n", "rules", "per s", "us", "wanted");
    std::printf("|%s|%s|%s|%s|\n", std::string(46, '-').c_str(), std::string(11, '-').c_str(),
                std::string(8, '-').c_str(), std::string(11, '-').c_str());
    print("ours", measure(inputs, ours, true, decisions), 50'000);
    print("ours, listings read for each message", measure(inputs, ours, false, decisions), 0);
    const auto without = value_of(decide::RuleSet::load({}, {.chosen = {}, .owners_folder = {}}));
    print("ours, without words of trades", measure(inputs, without, true, decisions), 0);
    print("ours, with the permit of each message", measure_permitted(inputs, ours, decisions),
          33'333);
    print("1 000", measure(inputs, many, true, decisions), 10'000);
    return 0;
}
