#include "daemon/health/metric_table.h"

#include <doctest/doctest.h>

#include <set>

#include "tests/support/exposition.h"

using namespace a2h;
using namespace std::chrono_literals;
using test::Scrape;

namespace {

constexpr UnixMs kStart = 1'700'000'000'000;

model::Status resting_model() {
    model::Status status;
    status.state = model::Status::State::Resting;
    status.is_breaker_open = true;
    status.latency_p95 = 1'250ms;
    status.currency = "USD";
    status.spent_minor = 7;
    status.budget_minor = 500;
    status.usage = {.drafts = 4,
                    .unusable = 1,
                    .failed = 3,
                    .tokens = {1'000, 200},
                    .cost_millionths = 6'250'000};
    return status;
}

Scrape scrape_of(const health::Measured& measured) {
    return Scrape(health::exposition_text(health::read_metrics(measured)));
}

/// The table after something has happened to every metric.
struct Busy {
    kernel::Metrics metrics{kStart};
    health::Measured measured{
        .metrics = metrics,
        .queues = {.inbox = {3, kStart + 1'000},
                   .outbox = {2, kStart + 20'000},
                   .approvals = {},
                   .dead_letters = 4,
                   .held = 5},
        .mailboxes = {.all = 3, .connected = 2, .deaf = 1},
        .writes_waiting = 6,
        .model = resting_model(),
        .negotiations = {.live = 9, .agreed = 4, .partial = 2, .failed = 2, .cancelled = 5},
        .process = {.cpu = 1'500ms, .resident_bytes = 4'096, .open_files = 9},
        .now_ms = kStart + 11'000};

    Busy() {
        metrics.received.add(5);
        metrics.count_refused(Refusal::BadSignature);
        metrics.decided.add("guard.\"forged\"\n", "silent");
        metrics.answered.add("approve", "page");
        metrics.sent_at_home.add(2);
        metrics.stream_readers.set(3);
        metrics.commit.add(3ms);
    }
};

}  // namespace

TEST_CASE("every metric has a name of ours, once, and meanings in both languages") {
    std::set<std::string_view> names;
    for (const health::MetricRow& row : health::metric_rows()) {
        CAPTURE(row.name);
        CHECK(names.insert(row.name).second);
        CHECK(health::metric_meaning(row, i18n::Language::English) !=
              health::metric_meaning(row, i18n::Language::Chinese));
    }
}

TEST_CASE("counted values are in the text that scrapers read") {
    const Busy busy;
    const Scrape scrape = scrape_of(busy.measured);
    CHECK(scrape.types().size() == health::metric_rows().size());
    CHECK(scrape.value("a2hd_build_info{version=\"" A2H_VERSION "\"}") == 1);
    CHECK(scrape.value("a2hd_process_start_time_seconds") == 1'700'000'000);
    CHECK(scrape.value("a2hd_process_cpu_seconds_total") == 1.5);
    CHECK(scrape.value("a2hd_mailboxes_deaf") == 1);
    CHECK(scrape.value("a2hd_messages_received_total") == 5);
    CHECK(scrape.value("a2hd_messages_refused_total{reason=\"bad_signature\"}") == 1);
    CHECK(scrape.value("a2hd_messages_refused_total{reason=\"own_echo\"}") == 0);
    CHECK(
        scrape.value(
            "a2hd_messages_decided_total{rule=\"guard.\\\"forged\\\"\\n\",decision=\"silent\"}") ==
        1);
    CHECK(scrape.value("a2hd_messages_sent_total{way=\"house\"}") == 2);
    CHECK(scrape.value("a2hd_approvals_answered_total{answer=\"approve\",surface=\"page\"}") == 1);
    CHECK(scrape.value("a2hd_queue_length{queue=\"held\"}") == 5);
    CHECK(scrape.value("a2hd_commit_duration_seconds_sum") == doctest::Approx(0.003));
    CHECK(scrape.value("a2hd_commit_duration_seconds_bucket{le=\"0.0025\"}") == 0);
    CHECK(scrape.value("a2hd_commit_duration_seconds_bucket{le=\"0.005\"}") == 1);
    CHECK(scrape.value("a2hd_writes_waiting") == 6);
    CHECK(scrape.value("a2hd_model_state{state=\"resting\"}") == 1);
    CHECK(scrape.value("a2hd_model_state{state=\"ready\"}") == 0);
    CHECK(scrape.value("a2hd_model_calls_total{result=\"failed\"}") == 3);
    CHECK(scrape.value("a2hd_model_tokens_total{direction=\"output\"}") == 200);
    CHECK(scrape.value("a2hd_model_cost_minor_total{currency=\"USD\"}") == 6.25);
    CHECK(scrape.value("a2hd_model_day_budget_minor{currency=\"USD\"}") == 500);
    CHECK(scrape.value("llm_call_total") == 8);
    CHECK(scrape.value("llm_call_success_rate") == 0.5);
    CHECK(scrape.value("llm_call_latency_p95") == 1.25);
    CHECK(scrape.value("circuit_breaker_open") == 1);
    CHECK(scrape.value("negotiation_success_rate") == 0.75);
    CHECK(scrape.value("sse_active_connections") == 3);
}

TEST_CASE("the age of a queue is that of its oldest entry and never negative") {
    const Busy busy;
    const Scrape scrape = scrape_of(busy.measured);
    CHECK(scrape.value("a2hd_queue_oldest_age_seconds{queue=\"inbox\"}") == 10);
    CHECK(scrape.value("a2hd_queue_oldest_age_seconds{queue=\"outbox\"}") == 0);
    CHECK(scrape.value("a2hd_queue_oldest_age_seconds{queue=\"approvals\"}") == 0);
}

TEST_CASE("without a model its metrics are absent") {
    const kernel::Metrics metrics;
    const Scrape scrape = scrape_of({.metrics = metrics,
                                     .queues = {},
                                     .mailboxes = {},
                                     .model = {},
                                     .process = {},
                                     .now_ms = kStart});
    for (const auto& [name, type] : scrape.types())
        CHECK_FALSE((name.starts_with("a2hd_model_") || name.starts_with("llm_") ||
                     name == "circuit_breaker_open"));
}

TEST_CASE("ratios and times without any sample are absent") {
    kernel::Metrics metrics;
    health::Measured measured{
        .metrics = metrics, .queues = {}, .mailboxes = {}, .model = model::Status(), .process = {}};
    measured.negotiations = {.live = 2, .cancelled = 1};
    const Scrape scrape = scrape_of(measured);
    CHECK(scrape.value("llm_call_total") == 0);
    CHECK(scrape.value("circuit_breaker_open") == 0);
    CHECK_FALSE(scrape.has("llm_call_success_rate"));
    CHECK_FALSE(scrape.has("llm_call_latency_p95"));
    CHECK_FALSE(scrape.has("negotiation_success_rate"));
}

TEST_CASE("the process measures its own resources") {
    const health::ProcessUse use = health::read_process_use();
    CHECK(use.cpu > 0us);
    CHECK(use.resident_bytes > 1'000'000);
    CHECK(use.open_files >= 3);
}
