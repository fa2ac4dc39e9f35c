#include "daemon/model/language_model.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "core/base/log.h"
#include "daemon/kernel/workers.h"
#include "daemon/model/breaker.h"
#include "daemon/model/call.h"
#include "daemon/model/ledger.h"

namespace a2h::model {
namespace {

/// Limit of drafts that wait for a thread; more would time out before they get one.
constexpr int kWaitingMax = 32;

std::unique_ptr<WireFormat> format_of(Api api) {
    return api == Api::Messages ? make_messages_format() : make_chat_completions_format();
}

/// The most tokens that a draft can use. No text has more than one token for two bytes. The
/// description of the form is added, and a schema is sent twice.
Tokens most_of(const Prompt& prompt, const Settings& settings) {
    constexpr std::size_t kFormBytes = 1'500;
    const std::size_t bytes = prompt.system.size() + prompt.task.size() +
                              prompt.context_data.size() + prompt.instruction.size() +
                              2 * prompt.schema_json.size() + kFormBytes;
    return {static_cast<std::int64_t>(bytes / 2), settings.output_tokens_max};
}

/// By nearest rank; empty if there are no values.
std::optional<std::chrono::milliseconds> p95_of(const std::deque<std::chrono::milliseconds>& took) {
    if (took.empty()) return std::nullopt;
    std::vector<std::chrono::milliseconds> sorted(took.begin(), took.end());
    const std::size_t place = (sorted.size() * 95 + 99) / 100 - 1;
    const auto p95 = sorted.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(sorted.begin(), p95, sorted.end());
    return *p95;
}

class HttpLanguageModel final : public LanguageModel {
  public:
    HttpLanguageModel(Settings settings, Environment environment)
        : settings_(std::move(settings)),
          environment_(std::move(environment)),
          client_({.ca_file = settings_.ca_file,
                   .user_agent = "a2hd",
                   .transfers = environment_.transfers}),
          format_(format_of(settings_.api)),
          ledger_(settings_, environment_.spent),
          workers_(std::make_unique<Workers>(settings_.at_once)) {}

    ~HttpLanguageModel() override {
        stop_.stop();
        workers_.reset();
    }

    void draft(Prompt prompt, Done done) override;
    Status status() const override;

  private:
    Result<Ledger::Entry> admit(const Prompt& prompt);
    void settled(const Ledger::Entry& entry, const CallOutcome& outcome);
    void count(const Ledger::Entry& entry, const CallOutcome& outcome);
    void remember(std::chrono::milliseconds took);
    void answer_later(Done done, Error error);

    /// Runs `task` on the loop, unless this object is gone by then.
    template <typename Task>
    void post(Task task) {
        environment_.poster.post(
            [alive = std::weak_ptr<bool>(alive_), task = std::move(task)]() mutable {
                if (alive.lock()) task();
            });
    }

    const Settings settings_;
    const Environment environment_;
    http::Client client_;
    const std::unique_ptr<WireFormat> format_;
    Breaker breaker_;
    Ledger ledger_;
    StopSign stop_;
    int under_way_ = 0;
    std::string last_error_;
    UnixMs last_ok_ms_ = 0;
    bool is_budget_spent_ = false;
    Usage usage_;
    std::deque<std::chrono::milliseconds> latencies_;  ///< oldest first
    const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
    std::unique_ptr<Workers> workers_;  ///< last, because its threads use all other members
};

void HttpLanguageModel::answer_later(Done done, Error error) {
    post([done = std::move(done), error = std::move(error)]() mutable {
        done(fail(std::move(error)));
    });
}

Result<Ledger::Entry> HttpLanguageModel::admit(const Prompt& prompt) {
    if (under_way_ >= settings_.at_once + kWaitingMax) {
        return fail(ErrorCode::Unavailable, "too many drafts are waiting for the model");
    }
    const auto now = environment_.clock.steady_now();
    if (!breaker_.may_call(now)) {
        return fail(ErrorCode::Unavailable, "the model is paused after failures: " + last_error_);
    }
    auto entry = ledger_.enter(most_of(prompt, settings_), environment_.clock.now_ms());
    if (!entry) breaker_.not_made();
    is_budget_spent_ = !entry;
    return entry;
}

void HttpLanguageModel::draft(Prompt prompt, Done done) {
    const auto entry = admit(prompt);
    if (!entry) {
        answer_later(std::move(done), entry.error());
        return;
    }
    environment_.save(ledger_.to_json());
    ++under_way_;
    const auto deadline = environment_.clock.steady_now() + settings_.timeout;
    const bool accepted =
        workers_->submit([this, deadline, entry = *entry, done, prompt = std::move(prompt)] {
            Call call({client_, *format_, settings_, environment_.key, environment_.clock, stop_,
                       environment_.wait},
                      deadline);
            const auto begin = environment_.clock.steady_now();
            CallOutcome drafted = call.draft(prompt);
            const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
                environment_.clock.steady_now() - begin);
            post([this, entry, done, took, outcome = std::move(drafted)]() mutable {
                if (outcome.endpoint != CallOutcome::Endpoint::Unasked) remember(took);
                settled(entry, outcome);
                done(std::move(outcome.draft));
            });
        });
    A2H_CHECK(accepted);  // fewer drafts wait than its queue holds
}

void HttpLanguageModel::count(const Ledger::Entry& entry, const CallOutcome& outcome) {
    if (outcome.endpoint == CallOutcome::Endpoint::Failed) {
        ++usage_.failed;
    } else if (outcome.endpoint == CallOutcome::Endpoint::Answered) {
        ++(outcome.draft ? usage_.drafts : usage_.unusable);
    }
    const Tokens tokens = outcome.used.value_or(entry.tokens);
    usage_.tokens.input += tokens.input;
    usage_.tokens.output += tokens.output;
    usage_.cost_millionths += ledger_.cost_of(tokens);
}

void HttpLanguageModel::remember(std::chrono::milliseconds took) {
    if (latencies_.size() == kLatenciesMax) latencies_.pop_front();
    latencies_.push_back(took);
}

void HttpLanguageModel::settled(const Ledger::Entry& entry, const CallOutcome& outcome) {
    --under_way_;
    count(entry, outcome);
    const auto now = environment_.clock.steady_now();
    if (outcome.used) ledger_.settle(entry, *outcome.used, environment_.clock.now_ms());
    environment_.save(ledger_.to_json());
    const bool was_closed = breaker_.state(now) == Breaker::State::Closed;
    switch (outcome.endpoint) {
        case CallOutcome::Endpoint::Unasked:
            breaker_.not_made();
            break;
        case CallOutcome::Endpoint::Answered:
            breaker_.succeeded();
            break;
        case CallOutcome::Endpoint::Failed:
            breaker_.failed(now);
            break;
    }
    if (outcome.draft) {
        last_error_.clear();
        last_ok_ms_ = environment_.clock.now_ms();
    } else if (outcome.endpoint != CallOutcome::Endpoint::Unasked) {
        last_error_ = outcome.draft.error().message;
    }
    const bool is_closed = breaker_.state(now) == Breaker::State::Closed;
    if (was_closed && !is_closed) {
        log::warning("The language model failed three times; rules decide without it",
                     {{"model", settings_.model}, {"error", last_error_}});
    } else if (!was_closed && is_closed) {
        log::info("The language model answers again", {{"model", settings_.model}});
    }
}

Status HttpLanguageModel::status() const {
    const UnixMs now_ms = environment_.clock.now_ms();
    Status status;
    switch (breaker_.state(environment_.clock.steady_now())) {
        case Breaker::State::Closed:
            status.state = Status::State::Ready;
            break;
        case Breaker::State::Open:
            status.state = Status::State::Resting;
            break;
        case Breaker::State::Trial:
            status.state = Status::State::Trying;
            break;
    }
    status.is_breaker_open = status.state != Status::State::Ready;
    status.latency_p95 = p95_of(latencies_);
    const Tokens tokens = ledger_.tokens_today(now_ms);
    status.model = settings_.model;
    status.spent_minor = ledger_.spent_minor_today(now_ms);
    status.budget_minor = settings_.budget_minor_per_day;
    status.currency = settings_.currency;
    status.tokens = tokens.input + tokens.output;
    status.tokens_max = settings_.tokens_per_day;
    status.under_way = under_way_;
    status.last_error = last_error_;
    status.last_ok_ms = last_ok_ms_;
    status.usage = usage_;
    const bool is_spent = is_budget_spent_ && status.tokens > 0;  // for today
    if (is_spent && status.state == Status::State::Ready) status.state = Status::State::BudgetSpent;
    return status;
}

}  // namespace

std::string_view to_string(Status::State state) {
    switch (state) {
        case Status::State::Ready:
            return "ready";
        case Status::State::Resting:
            return "resting";
        case Status::State::Trying:
            return "trying";
        case Status::State::BudgetSpent:
            return "budget_spent";
    }
    return "";
}

Result<std::unique_ptr<LanguageModel>> make_drafter(const Settings& settings,
                                                    Environment environment) {
    A2H_TRY(check(settings));
    if (settings.api == Api::Off) return std::unique_ptr<LanguageModel>();
    return std::unique_ptr<LanguageModel>(
        std::make_unique<HttpLanguageModel>(settings, std::move(environment)));
}

}  // namespace a2h::model
