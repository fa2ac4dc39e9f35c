#include "daemon/health/metric_table.h"

#include <algorithm>

namespace a2h::health {
namespace {

using Samples = std::vector<Sample>;

template <typename Number>
Samples single(Number value) {
    return {{.value = static_cast<double>(value)}};
}

Samples single(const kernel::Counter& counter) {
    return single(counter.value());
}

Sample labelled(std::string_view label, std::string_view value, double count) {
    return {.labels = {{std::string(label), std::string(value)}}, .value = count};
}

double seconds_of(std::chrono::microseconds time) {
    return std::chrono::duration<double>(time).count();
}

/// A value that was never counted has no line yet.
Samples pairs_of(const kernel::LabelledCounter& counter, const char* first, const char* second) {
    Samples samples;
    for (const auto& [labels, value] : counter.values()) {
        samples.push_back({.labels = {{first, labels.first}, {second, labels.second}},
                           .value = static_cast<double>(value)});
    }
    return samples;
}

Samples refused_samples(const Measured& measured) {
    Samples samples;
    for (std::size_t i = 0; i < kernel::Metrics::kRefusals; ++i) {
        samples.push_back(labelled("reason", a2h::to_string(static_cast<Refusal>(i)),
                                   static_cast<double>(measured.metrics.refused[i].value())));
    }
    return samples;
}

Samples sent_samples(const Measured& measured) {
    const kernel::Metrics& metrics = measured.metrics;
    return {labelled("way", "broker", static_cast<double>(metrics.sent_to_broker.value())),
            labelled("way", "house", static_cast<double>(metrics.sent_at_home.value()))};
}

Samples queue_lengths(const Measured& measured) {
    const store::Queues& queues = measured.queues;
    return {labelled("queue", "inbox", static_cast<double>(queues.inbox.length)),
            labelled("queue", "outbox", static_cast<double>(queues.outbox.length)),
            labelled("queue", "approvals", static_cast<double>(queues.approvals.length)),
            labelled("queue", "dead_letters", static_cast<double>(queues.dead_letters)),
            labelled("queue", "held", static_cast<double>(queues.held))};
}

/// The age is never negative, even if the clock was set back.
double age_of(const store::Queue& queue, UnixMs now_ms) {
    if (queue.length == 0) return 0;
    return static_cast<double>(std::max<UnixMs>(now_ms - queue.oldest_ms, 0)) / 1000;
}

Samples queue_ages(const Measured& measured) {
    const store::Queues& queues = measured.queues;
    return {labelled("queue", "inbox", age_of(queues.inbox, measured.now_ms)),
            labelled("queue", "outbox", age_of(queues.outbox, measured.now_ms)),
            labelled("queue", "approvals", age_of(queues.approvals, measured.now_ms))};
}

Samples histogram_samples(const kernel::Histogram::Reading& reading) {
    Samples samples;
    for (std::size_t i = 0; i < reading.up_to.size(); ++i) {
        const std::string bound = i < kernel::Histogram::kBounds.size()
                                      ? number_text(seconds_of(kernel::Histogram::kBounds[i]))
                                      : std::string("+Inf");
        Sample bucket = labelled("le", bound, static_cast<double>(reading.up_to[i]));
        bucket.suffix = "_bucket";
        samples.push_back(std::move(bucket));
    }
    samples.push_back({.suffix = "_sum", .value = seconds_of(reading.sum)});
    samples.push_back({.suffix = "_count", .value = static_cast<double>(reading.up_to.back())});
    return samples;
}

/// A value that exists only with a model.
template <typename Read>
Samples of_model(const Measured& measured, Read read) {
    return measured.model ? read(*measured.model) : Samples();
}

Samples model_states(const model::Status& status) {
    using State = model::Status::State;
    Samples samples;
    for (const State state : {State::Ready, State::Resting, State::Trying, State::BudgetSpent}) {
        samples.push_back(
            labelled("state", model::to_string(state), status.state == state ? 1 : 0));
    }
    return samples;
}

Samples model_calls(const model::Status& status) {
    return {labelled("result", "draft", static_cast<double>(status.usage.drafts)),
            labelled("result", "unusable", static_cast<double>(status.usage.unusable)),
            labelled("result", "failed", static_cast<double>(status.usage.failed))};
}

Samples model_tokens(const model::Status& status) {
    return {labelled("direction", "input", static_cast<double>(status.usage.tokens.input)),
            labelled("direction", "output", static_cast<double>(status.usage.tokens.output))};
}

Samples model_money(const model::Status& status, double minor) {
    return {labelled("currency", status.currency, minor)};
}

Samples model_cost(const model::Status& status) {
    constexpr double kMillion = 1e6;
    return model_money(status, static_cast<double>(status.usage.cost_millionths) / kMillion);
}

Samples model_day_cost(const model::Status& status) {
    return model_money(status, static_cast<double>(status.spent_minor));
}

Samples model_day_budget(const model::Status& status) {
    return model_money(status, static_cast<double>(status.budget_minor));
}

std::int64_t calls_of(const model::Usage& usage) {
    return usage.drafts + usage.unusable + usage.failed;
}

/// Without a total there is no share.
Samples share(std::int64_t part, std::int64_t whole) {
    if (whole == 0) return {};
    return single(static_cast<double>(part) / static_cast<double>(whole));
}

Samples call_total(const Measured& measured) {
    return measured.model ? single(calls_of(measured.model->usage)) : Samples();
}

Samples call_success_rate(const Measured& measured) {
    if (!measured.model) return {};
    return share(measured.model->usage.drafts, calls_of(measured.model->usage));
}

Samples call_latency(const Measured& measured) {
    if (!measured.model || !measured.model->latency_p95) return {};
    return single(seconds_of(*measured.model->latency_p95));
}

Samples breaker_open(const Measured& measured) {
    return measured.model ? single(measured.model->is_breaker_open ? 1 : 0) : Samples();
}

/// A negotiation that its owner cancelled neither succeeded nor failed.
Samples negotiation_success_rate(const Measured& measured) {
    const store::NegotiationCounts& ended = measured.negotiations;
    const std::int64_t succeeded = ended.agreed + ended.partial;
    return share(succeeded, succeeded + ended.failed);
}

Samples stream_readers(const Measured& measured) {
    return single(measured.metrics.stream_readers.value());
}

constexpr auto kCounter = MetricType::Counter;
constexpr auto kGauge = MetricType::Gauge;

constexpr MetricRow kRows[] = {
    {"a2hd_build_info", kGauge, "version",
     [](const Measured&) -> Samples { return {labelled("version", A2H_VERSION, 1)}; }},
    {"a2hd_process_start_time_seconds", kGauge, "",
     [](const Measured& w) { return single(static_cast<double>(w.metrics.started_at_ms) / 1000); }},
    {"a2hd_process_cpu_seconds_total", kCounter, "",
     [](const Measured& w) { return single(seconds_of(w.process.cpu)); }},
    {"a2hd_process_resident_memory_bytes", kGauge, "",
     [](const Measured& w) { return single(w.process.resident_bytes); }},
    {"a2hd_process_open_fds", kGauge, "",
     [](const Measured& w) { return single(w.process.open_files); }},
    {"a2hd_mailboxes", kGauge, "", [](const Measured& w) { return single(w.mailboxes.all); }},
    {"a2hd_mailboxes_connected", kGauge, "",
     [](const Measured& w) { return single(w.mailboxes.connected); }},
    {"a2hd_mailboxes_deaf", kGauge, "", [](const Measured& w) { return single(w.mailboxes.deaf); }},
    {"a2hd_broker_reconnects_total", kCounter, "",
     [](const Measured& w) { return single(w.metrics.reconnects); }},
    {"a2hd_messages_received_total", kCounter, "",
     [](const Measured& w) { return single(w.metrics.received); }},
    {"a2hd_messages_duplicate_total", kCounter, "",
     [](const Measured& w) { return single(w.metrics.duplicates); }},
    {"a2hd_messages_refused_total", kCounter, "reason", refused_samples},
    {"a2hd_messages_decided_total", kCounter, "rule, decision",
     [](const Measured& w) { return pairs_of(w.metrics.decided, "rule", "decision"); }},
    {"a2hd_messages_sent_total", kCounter, "way", sent_samples},
    {"a2hd_send_failures_total", kCounter, "",
     [](const Measured& w) { return single(w.metrics.send_failures); }},
    {"a2hd_dead_letters_total", kCounter, "",
     [](const Measured& w) { return single(w.metrics.dead_letters); }},
    {"a2hd_approvals_asked_total", kCounter, "",
     [](const Measured& w) { return single(w.metrics.asked); }},
    {"a2hd_approvals_mandated_total", kCounter, "",
     [](const Measured& w) { return single(w.metrics.mandated); }},
    {"a2hd_approvals_answered_total", kCounter, "answer, surface",
     [](const Measured& w) { return pairs_of(w.metrics.answered, "answer", "surface"); }},
    {"a2hd_approvals_expired_total", kCounter, "",
     [](const Measured& w) { return single(w.metrics.expired); }},
    {"a2hd_queue_length", kGauge, "queue", queue_lengths},
    {"a2hd_queue_oldest_age_seconds", kGauge, "queue", queue_ages},
    {"a2hd_commit_duration_seconds", MetricType::Histogram, "le",
     [](const Measured& w) { return histogram_samples(w.metrics.commit.read()); }},
    {"a2hd_commit_failures_total", kCounter, "",
     [](const Measured& w) { return single(w.metrics.commit_failures); }},
    {"a2hd_writes_waiting", kGauge, "", [](const Measured& w) { return single(w.writes_waiting); }},
    {"a2hd_negotiation_readers", kGauge, "", stream_readers},
    {"a2hd_negotiation_readers_cut_total", kCounter, "",
     [](const Measured& w) { return single(w.metrics.stream_cuts); }},
    {"a2hd_model_state", kGauge, "state",
     [](const Measured& w) { return of_model(w, model_states); }},
    {"a2hd_model_calls_total", kCounter, "result",
     [](const Measured& w) { return of_model(w, model_calls); }},
    {"a2hd_model_tokens_total", kCounter, "direction",
     [](const Measured& w) { return of_model(w, model_tokens); }},
    {"a2hd_model_cost_minor_total", kCounter, "currency",
     [](const Measured& w) { return of_model(w, model_cost); }},
    {"a2hd_model_day_cost_minor", kGauge, "currency",
     [](const Measured& w) { return of_model(w, model_day_cost); }},
    {"a2hd_model_day_budget_minor", kGauge, "currency",
     [](const Measured& w) { return of_model(w, model_day_budget); }},
    // Named without our prefix, as in the design of negotiations.
    {"llm_call_total", kCounter, "", call_total},
    {"llm_call_success_rate", kGauge, "", call_success_rate},
    {"llm_call_latency_p95", kGauge, "", call_latency},
    {"circuit_breaker_open", kGauge, "", breaker_open},
    {"negotiation_success_rate", kGauge, "", negotiation_success_rate},
    {"sse_active_connections", kGauge, "", stream_readers},
};

}  // namespace

std::span<const MetricRow> metric_rows() {
    return kRows;
}

std::string metric_meaning(const MetricRow& row, i18n::Language language) {
    return i18n::text(language, "watch.metric." + std::string(row.name));
}

std::vector<Family> read_metrics(const Measured& measured) {
    std::vector<Family> families;
    for (const MetricRow& row : kRows) {
        Samples samples = row.read(measured);
        if (samples.empty()) continue;
        families.push_back(
            {row.name, row.type, metric_meaning(row, i18n::Language::English), std::move(samples)});
    }
    return families;
}

}  // namespace a2h::health
