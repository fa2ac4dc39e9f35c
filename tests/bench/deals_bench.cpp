// deals_bench [--quick]: 10 000 deals of 1 000 peers in one database: what it costs to record an
// act, to find the deal of a message, to list deals and to show one, and how many bytes a deal
// needs on the disk. Produces the table "Deals" of docs/benchmarks.md.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/database.h"
#include "core/store/deal_store.h"
#include "daemon/deals/book.h"
#include "daemon/deals/deal_json.h"
#include "tests/support/temp_dir.h"

using namespace a2h;

namespace {

using Time = std::chrono::steady_clock;

constexpr UnixMs kStart = 1'760'000'000'000;
constexpr int kDealsAPeer = 10;
constexpr int kActsADeal = 4;

[[noreturn]] void stop(const std::string& why) {
    std::fprintf(stderr, "deals_bench: %s\n", why.c_str());
    std::exit(1);
}

template <typename T>
T value_of(Result<T> result) {
    if (!result) stop(result.error().message);
    return std::move(*result);
}
void value_of(Result<void> result) {
    if (!result) stop(result.error().message);
}

deals::Named named(int peer, int listing) {
    return {.agent_id = "ag_seller",
            .peer_id = "ag_buyer" + std::to_string(peer),
            .works_id = "works_" + std::to_string(listing)};
}

/// An enquiry, an offer, a counter-offer and the next offer of the peer.
Act act_of(int peer, int listing, int number) {
    Act act;
    const std::int64_t id = (std::int64_t{peer} * kDealsAPeer + listing) * kActsADeal + number;
    act.kind = number == 0 ? ActKind::Asks : ActKind::Offers;
    act.by = number == 2 ? ActBy::Us : ActBy::Peer;
    act.source = deals::source_of_inbox(id, 0);
    act.message_id = "msg_1760000000000_" + std::to_string(10'000'000 + id);
    if (number > 0) act.terms.price = Money{20'000 + id % 10'000, "CNY"};
    if (number == 1) act.terms.conditions = {"Would you do it by Friday for this price, please?"};
    act.at_ms = kStart + id;
    act.sent_at_ms = act.at_ms;
    act.sureness = 3;
    return act;
}

struct Spread {
    double p50 = 0;
    double p99 = 0;
};

/// In microseconds.
Spread spread_of(std::vector<double> each) {
    std::sort(each.begin(), each.end());
    return {each[each.size() / 2], each[each.size() * 99 / 100]};
}

template <typename Work>
Spread timed(int times, const Work& work) {
    std::vector<double> each;
    for (int i = 0; i < times; ++i) {
        const auto begin = Time::now();
        work(i);
        each.push_back(std::chrono::duration<double, std::micro>(Time::now() - begin).count());
    }
    return spread_of(std::move(each));
}

void print(const char* what, const Spread& spread, double wanted_us) {
    std::printf("| %-46s | %9.1f | %9.1f | %9.0f |\n", what, spread.p50, spread.p99, wanted_us);
}

/// One transaction a peer, as its messages would come in a group.
Spread fill(store::Database& db, int peers) {
    return timed(peers, [&](int peer) {
        value_of(db.begin());
        for (int listing = 0; listing < kDealsAPeer; ++listing)
            for (int number = 0; number < kActsADeal; ++number)
                value_of(deals::record(db, named(peer, listing), {act_of(peer, listing, number)},
                                       kStart));
        value_of(db.commit());
    });
}

std::size_t shown_bytes(const std::vector<Deal>& list) {
    std::size_t bytes = 0;
    for (const Deal& deal : list)
        bytes += deals::deal_json(deal).dump().size();
    return bytes;
}

}  // namespace

int main(int argc, char** argv) {
    const bool quick = argc > 1 && std::string_view(argv[1]) == "--quick";
    const int peers = quick ? 100 : 1'000;
    const int times = quick ? 200 : 2'000;
    const test::TempDir folder;
    const auto file = folder.path() / "a2h.db";
    auto db = value_of(store::Database::open(file, store::Database::Mode::ReadWrite));
    const Spread filled = fill(*db, peers);
    const auto reader = value_of(store::Database::open(file, store::Database::Mode::ReadOnly));
    std::size_t bytes = 0;
    std::printf("%d deals of %d peers, %d acts each; microseconds\n\n", peers * kDealsAPeer, peers,
                kActsADeal);
    std::printf("| %-46s | %9s | %9s | %9s |\n", "what", "p50", "p99", "wanted");
    std::printf("|%s|%s|%s|%s|\n", std::string(48, '-').c_str(), std::string(11, '-').c_str(),
                std::string(11, '-').c_str(), std::string(11, '-').c_str());
    print("40 acts of 10 deals recorded, with the commit", filled, 0);
    print("the deal of a message found",
          timed(times,
                [&](int i) {
                    const auto deal =
                        value_of(deals::find(*reader, named(i % peers, i % kDealsAPeer), kStart));
                    if (!deal) stop("a deal is missing");
                    bytes += deal->id.size();
                }),
          0);
    print("20 deals listed and written as JSON",
          timed(times,
                [&](int i) {
                    const auto page = value_of(store::list_deals(
                        *reader, {.agent_id = "ag_seller", .page = 1 + i % 50, .page_size = 20}));
                    bytes += shown_bytes(page.deals);
                }),
          100'000);
    print("one deal with its acts",
          timed(times,
                [&](int i) {
                    const auto deal =
                        value_of(deals::find(*reader, named(i % peers, i % kDealsAPeer), kStart));
                    bytes += value_of(store::acts_of_deal(*reader, deal->id, 500)).size();
                }),
          100'000);
    if (bytes == 0) stop("nothing was shown");
    value_of(db->begin());
    value_of(db->commit());
    const auto size =
        std::filesystem::file_size(file) + std::filesystem::file_size(file.string() + "-wal");
    std::printf("\n%.1f KiB a deal on the disk, with its acts\n",
                static_cast<double>(size) / 1024 / (peers * kDealsAPeer));
    return 0;
}
