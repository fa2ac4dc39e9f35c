// negotiation_bench DATA_FOLDER [--quick]: what a negotiation of many parties costs a2hd. The table
// of docs/benchmarks.md.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/profile_store.h"
#include "daemon/collab/demo_profiles.h"
#include "daemon/collab/filter_rules.h"
#include "daemon/collab/understanding_rules.h"
#include "daemon/collab/words.h"
#include "tests/bench/negotiation_rounds.h"

using namespace a2h;

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::string_view kChinese = "想在北京办一场30人的聚会，需要场地、摄影和演讲嘉宾";
constexpr std::string_view kEnglish = "We need a venue, a photographer and catering in Berlin";

[[noreturn]] void stop(const std::string& why) {
    std::fprintf(stderr, "negotiation_bench: %s\n", why.c_str());
    std::exit(1);
}

template <typename T>
T value_of(Result<T> result) {
    if (!result) stop(result.error().message);
    return std::move(*result);
}
void check(const Result<void>& result) {
    if (!result) stop(result.error().message);
}

double milliseconds_since(SteadyClock::time_point begin) {
    return std::chrono::duration<double, std::milli>(SteadyClock::now() - begin).count();
}

void print(const std::string& what, double took_ms, double target_ms) {
    std::printf("| %-62s | %7.1f ms |", what.c_str(), took_ms);
    if (target_ms > 0)
        std::printf(" < %3.0f ms | %-3s |\n", target_ms, took_ms < target_ms ? "yes" : "NO");
    else
        std::printf("          |     |\n");
    std::fflush(stdout);
}

/// The median of several runs, each of which must find somebody.
template <typename Run>
double median_of(int runs, Run run) {
    std::vector<double> took;
    for (int i = 0; i < runs; ++i) {
        const auto begin = SteadyClock::now();
        if (!run()) stop("nothing was found");
        took.push_back(milliseconds_since(begin));
    }
    std::sort(took.begin(), took.end());
    return took[took.size() / 2];
}

void save(store::Database& db, const std::vector<Profile>& profiles) {
    check(db.begin());
    std::vector<store::KeyedProfile> keyed;
    for (const Profile& profile : profiles)
        keyed.push_back({profile, collab::keys_of(profile)});
    check(store::save_profiles(db, keyed));
    check(db.commit());
}

class Choosing {
  public:
    Choosing(const std::filesystem::path& file, int profiles, int runs)
        : profiles_(profiles), runs_(runs) {
        auto writer = value_of(store::Database::open(file, store::Database::Mode::ReadWrite));
        auto made = collab::demo_profiles(profiles, 1);
        // As with real people, most tags belong to many profiles, and one tag of each belongs to no
        // other.
        for (std::size_t i = 0; i < made.size(); ++i) {
            made[i].source = "import";
            made[i].tags.push_back("specialty " + std::to_string(i));
        }
        const auto begin = SteadyClock::now();
        save(*writer, made);
        print(std::to_string(profiles) + " profiles are imported", milliseconds_since(begin), 0);
        reader_ = value_of(store::Database::open(file, store::Database::Mode::ReadOnly));
    }

    void run() {
        const std::string of = " of " + std::to_string(profiles_);
        for (const std::string_view text : {kChinese, kEnglish}) {
            const bool is_chinese = text == kChinese;
            wire::Understanding demand;
            const double took = median_of(runs_, [&] {
                demand = value_of(collab::understand_by_rules(*reader_, text));
                return !demand.capability_tags.empty();
            });
            const std::string language = is_chinese ? ", Chinese" : ", English";
            print("a demand is understood by rules" + language, took, 50);
            print("candidates" + of + " by tags" + language,
                  median_of(runs_, [&] { return found(demand); }), 50);
        }
        wire::Understanding rare;
        rare.capability_tags = {"投影", "sailing", "素食冷餐", "robotics"};
        print("candidates" + of + " by words of texts",
              median_of(runs_, [&] { return found(rare); }), 50);
    }

  private:
    bool found(const wire::Understanding& demand) {
        const auto filtered = value_of(collab::filter_by_rules(*reader_, demand, "ag_me"));
        return !filtered.definitely_related.empty() || !filtered.possibly_related.empty();
    }

    int profiles_;
    int runs_;
    std::unique_ptr<store::Database> reader_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return std::fputs("usage: negotiation_bench DATA [--quick]\n", stderr), 2;
    const bool is_quick = argc > 2 && std::string_view(argv[2]) == "--quick";
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / "negotiation";
    std::filesystem::create_directories(folder);
    Choosing(folder / "agent.db", is_quick ? 1'000 : 10'000, is_quick ? 5 : 21).run();
    bench::measure_rounds(folder / "rounds", is_quick ? 20 : 100);
    bench::measure_waiting(folder / "waiting", is_quick ? 100 : 1'000);
    return 0;
}
