// Measures what core/store promises and prints a small table. Not a test: times depend on the disk.

#include <sys/statfs.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "core/store/inbox_store.h"
#include "core/store/outbox_store.h"
#include "core/store/writer.h"
#include "tests/bench/stored_messages.h"

namespace {

using namespace a2h;
using namespace a2h::bench;
using Clock = std::chrono::steady_clock;
using store::Database;
using store::Writer;

double microseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

template <typename T>
T must(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "store_bench: %s\n", result.error().message.c_str());
        std::exit(1);
    }
    return std::move(*result);
}
void must(const Result<void>& result) {
    if (result) return;
    std::fprintf(stderr, "store_bench: %s\n", result.error().message.c_str());
    std::exit(1);
}

double percentile(std::vector<double>& values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

void print_latency(const char* what, std::vector<double> microseconds) {
    std::printf("%-58s p50 %8.0f us  p99 %8.0f us  max %8.0f us\n", what,
                percentile(microseconds, 0.5), percentile(microseconds, 0.99),
                percentile(microseconds, 1.0));
    std::fflush(stdout);
}

double cpu_microseconds() {
    timespec used{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) * 1e6 + static_cast<double>(used.tv_nsec) / 1e3;
}

/// Processor time that one answered message costs the store.
void bench_statements(const std::filesystem::path& dir) {
    constexpr std::int64_t kMessages = 20'000;
    const auto db = must(Database::open(dir / "statements.db", Database::Mode::ReadWrite));
    const double begin = cpu_microseconds();
    for (std::int64_t number = 0; number < kMessages; number += 100) {
        must(db->begin());
        for (std::int64_t i = number; i < number + 100; ++i)
            must(write_answered(*db, kStoredAgent, i));
        must(db->commit());
        if (db->wal_pages() > 1'000) db->checkpoint();
    }
    std::printf("%-58s %8.1f us\n", "processor time of inbox + effects + sent, 100 a commit",
                (cpu_microseconds() - begin) / kMessages);
}

void fill(Database& db, std::int64_t messages) {
    for (std::int64_t number = 0; number < messages; number += 5'000) {
        must(db.begin());
        for (std::int64_t i = number; i < number + 5'000; ++i) {
            const auto inserted = must(store::insert_inbox(db, message_number(kStoredAgent, i)));
            std::int64_t outbox_id = 0;
            if (i % 4 == 0) must(write_effects(db, kStoredAgent, inserted.inbox_id, i, outbox_id));
        }
        must(db.commit());
        db.checkpoint();
    }
}

void bench_history(const std::filesystem::path& dir) {
    constexpr std::int64_t kMessages = 1'000'000;
    const auto path = dir / "million.db";
    fill(*must(Database::open(path, Database::Mode::ReadWrite)), kMessages);
    const auto writer = must(Database::open(path, Database::Mode::ReadWrite));
    const auto db = must(Database::open(path, Database::Mode::ReadOnly));
    std::vector<double> latest;
    std::vector<double> due;
    std::vector<double> status;
    for (int i = 0; i < 1'000; ++i) {
        const std::string peer = peer_name(i * 7);
        auto begin = Clock::now();
        if (must(store::history(*db, kStoredAgent, peer, 1, 20)).size() != 20) {
            std::fprintf(stderr, "store_bench: history is not complete\n");
            std::exit(1);
        }
        latest.push_back(microseconds_since(begin));
        begin = Clock::now();
        must(store::due_outbox(*db, 1'900'000'000'000, 100));
        due.push_back(microseconds_since(begin));
        if (i % 50 != 0) continue;
        begin = Clock::now();
        must(store::inbox_counts(*db, kStoredAgent));
        must(store::outbox_counts(*db, kStoredAgent));
        status.push_back(microseconds_since(begin));
    }
    print_latency("latest 20 of one peer among 1 000 000 messages", latest);
    print_latency("due messages of 64 peers, 250 000 queued", due);
    print_latency("counts for status, 250 000 queued", status);
}

Writer::Work receive(std::int64_t number) {
    return [number](Database& db) -> Result<void> {
        A2H_TRY(store::insert_inbox(db, message_number(kStoredAgent, number)));
        return {};
    };
}

void bench_commits(const std::filesystem::path& dir, int submitters, int jobs_each) {
    const auto path = dir / ("commit" + std::to_string(submitters) + ".db");
    Writer writer(must(Database::open(path, Database::Mode::ReadWrite)));
    std::atomic<std::int64_t> next = 0;
    std::vector<std::vector<double>> took(static_cast<std::size_t>(submitters));
    const auto begin = Clock::now();
    std::vector<std::thread> threads;
    for (auto& mine : took) {
        threads.emplace_back([&, jobs_each] {
            for (int i = 0; i < jobs_each; ++i) {
                const auto submitted = Clock::now();
                must(writer.submit_urgent(receive(next++)).get());
                mine.push_back(microseconds_since(submitted));
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    const double seconds = microseconds_since(begin) / 1e6;
    std::vector<double> all;
    for (const auto& mine : took)
        all.insert(all.end(), mine.begin(), mine.end());
    const std::string what = "receive commit, " + std::to_string(submitters) + " at a time";
    print_latency(what.c_str(), all);
    std::printf("%-58s %8.0f /s\n", (what + ", rate").c_str(),
                static_cast<double>(all.size()) / seconds);
}

/// One conversation partner at a time, as with a request and its reply: receive, effects, sent.
void bench_round(const std::filesystem::path& dir) {
    Writer writer(must(Database::open(dir / "round.db", Database::Mode::ReadWrite)));
    std::vector<double> took;
    for (std::int64_t number = 0; number < 2'000; ++number) {
        const auto begin = Clock::now();
        std::int64_t inbox_id = 0;
        std::int64_t outbox_id = 0;
        must(writer
                 .submit_urgent([&](Database& db) -> Result<void> {
                     inbox_id = must(store::insert_inbox(db, message_number(kStoredAgent, number)))
                                    .inbox_id;
                     return {};
                 })
                 .get());
        std::promise<Result<void>> done;
        writer.submit(
            Writer::Priority::Grouped,
            [&](Database& db) {
                return write_effects(db, kStoredAgent, inbox_id, number, outbox_id);
            },
            [&](Result<void> result) { done.set_value(std::move(result)); });
        must(done.get_future().get());
        took.push_back(microseconds_since(begin));
        writer.submit(
            Writer::Priority::Background,
            [outbox_id](Database& db) { return store::mark_outbox_sent(db, outbox_id, 1); },
            [](const Result<void>& result) { must(result); });
    }
    print_latency("receive, then its effects, one message in flight", took);
}

/// A stream of messages: the next one is received while the last one's effects are written.
void bench_stream(const std::filesystem::path& dir) {
    constexpr std::int64_t kMessages = 5'000;
    Writer writer(must(Database::open(dir / "stream.db", Database::Mode::ReadWrite)));
    std::atomic<std::int64_t> written = 0;
    std::vector<double> took;
    const auto begin = Clock::now();
    for (std::int64_t number = 0; number < kMessages; ++number) {
        const auto submitted = Clock::now();
        std::int64_t inbox_id = 0;
        must(writer
                 .submit_urgent([&](Database& db) -> Result<void> {
                     inbox_id = must(store::insert_inbox(db, message_number(kStoredAgent, number)))
                                    .inbox_id;
                     return {};
                 })
                 .get());
        took.push_back(microseconds_since(submitted));
        writer.submit(
            Writer::Priority::Grouped,
            [inbox_id, number](Database& db) {
                std::int64_t outbox_id = 0;
                return write_effects(db, kStoredAgent, inbox_id, number, outbox_id);
            },
            [&](const Result<void>& result) {
                must(result);
                ++written;
            });
        // The time to read and check the next message.
        const auto busy_until = Clock::now() + std::chrono::microseconds(100);
        while (Clock::now() < busy_until) {
        }
    }
    while (written < kMessages)
        std::this_thread::yield();
    const double seconds = microseconds_since(begin) / 1e6;
    print_latency("receive commit in a stream of messages with effects", took);
    std::printf("%-58s %8.0f /s\n", "stream of messages with effects",
                static_cast<double>(kMessages) / seconds);
}

void print_place(const std::filesystem::path& dir) {
    struct statfs place {};
    ::statfs(dir.c_str(), &place);
    constexpr long kTmpfs = 0x01021994;
    std::printf("store_bench in %s, file system 0x%lx, synchronous=FULL\n", dir.c_str(),
                static_cast<long>(place.f_type));
    if (place.f_type != kTmpfs) return;
    std::fprintf(stderr, "store_bench: a tmpfs flushes nothing; name a folder on a disk\n");
    std::exit(1);
}

}  // namespace

/// Usage: store_bench [folder on the disk to measure] (default: the present one).
int main(int argc, char** argv) {
    std::string pattern = (argc > 1 ? std::string(argv[1]) : ".") + "/store-bench-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) {
        std::fprintf(stderr, "store_bench: cannot write in %s\n", argc > 1 ? argv[1] : ".");
        return 1;
    }
    const std::filesystem::path dir = pattern;
    print_place(dir);
    bench_statements(dir);
    bench_commits(dir, 1, 3'000);
    bench_commits(dir, 64, 300);
    bench_round(dir);
    bench_stream(dir);
    bench_history(dir);
    std::filesystem::remove_all(dir);
}
