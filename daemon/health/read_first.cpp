#include "daemon/health/read_first.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/base/log.h"
#include "daemon/mail/standing.h"

namespace a2h::health {
namespace {

constexpr std::chrono::milliseconds kPoll{5};
/// How long to wait before the market is asked again: while news waits, and after a failure.
constexpr std::chrono::milliseconds kAskAgain{100};
constexpr std::chrono::seconds kAfterFailure{2};

bool can_read(const Agent& agent) {
    return agent.connection && agent.connected && !agent.is_stopped && !agent.self_test.failed;
}

/// Other markets do not report whether they have delivered their news.
bool tells_what_waits(const Agent& agent) {
    return agent.market_has_our_rules || agent.history.everybody;
}

bool is_final(const Error& error) {
    return error.code == ErrorCode::NotFound || error.code == ErrorCode::Unsupported;
}

}  // namespace

/// The state of one mailbox that a call waits for.
struct ReadFirst::Mailbox {
    std::uint64_t asked_before = 0;         ///< questions to the market
    std::optional<std::int64_t> waits_for;  ///< the newest event of the market's first answer
    bool has_delivered = false;             ///< the broker has all news, or nothing is known
    std::uint64_t sent_before = 0;          ///< canaries
    /// Fetches of the history; without a value, it is fetched for each connection only.
    std::optional<std::uint64_t> fetches_before;

    bool has_canary(const Agent& agent) const {
        return has_delivered && agent.self_test.returned_count > sent_before;
    }
    /// A market that does not answer is known to owe its history (`MarketNews::has_failed`).
    bool has_history(const Agent& agent) const {
        return !fetches_before || agent.history.ended > *fetches_before || agent.news.has_failed;
    }
};

/// A call that waits.
struct ReadFirst::Round {
    std::map<std::string, Mailbox> mailboxes;  ///< by agent
    std::function<void(bool)> then;
    std::int64_t checks_left = 0;
    std::int64_t checks = 0;

    /// nullptr for an agent that was added after the call.
    Mailbox* find(const Agent& agent) {
        const auto found = mailboxes.find(agent.identity.account.agent_id);
        return found == mailboxes.end() ? nullptr : &found->second;
    }
};

ReadFirst::ReadFirst(const kernel::Kernel& kernel, const Agents& agents, mail::CatchUp& catch_up,
                     Listening* listening)
    : kernel_(kernel), agents_(agents), catch_up_(catch_up), listening_(listening) {}

void ReadFirst::read_first(std::chrono::milliseconds patience,
                           std::function<void(bool)> then) const {
    if (listening_ == nullptr) return then(true);
    const std::int64_t checks = patience / kPoll;
    const auto round = std::make_shared<Round>(Round{{}, std::move(then), checks, checks});
    for (const auto& [id, agent] : agents_) {
        Mailbox& mailbox = round->mailboxes[id];
        mailbox.asked_before = agent->news.asked;
        mailbox.sent_before = agent->self_test.sent_count;
        mailbox.has_delivered = !tells_what_waits(*agent);
        if (!mailbox.has_delivered) mailbox.fetches_before = agent->history.begun;
    }
    wait_on(round);
}

void ReadFirst::read_all(std::chrono::milliseconds patience, std::function<void(bool)> then) const {
    if (listening_ == nullptr) return then(true);
    read_first(patience, [this, then = std::move(then)](bool is_read) {
        const auto may_miss = mail::may_miss_mail(kernel_.reader, agents_);
        then(is_read && may_miss && !*may_miss);
    });
}

/// Asks the market which of its events for the agent have not reached the broker.
void ReadFirst::ask(Agent& agent) const {
    using Answer = Result<platform::WaitingNews>;
    agent.news.is_asking = true;
    kernel_.run_blocking<Answer>(
        [market = agent.platform.get()] { return market->fetch_waiting_news(); },
        [this, &agent, number = ++agent.news.asked](const Answer& answer) {
            answered(agent, number, answer);
        },
        [] { return fail(ErrorCode::ResourceExhausted, "too many requests are waiting"); });
}

void ReadFirst::answered(Agent& agent, std::uint64_t number,
                         const Result<platform::WaitingNews>& answer) const {
    MarketNews& news = agent.news;
    news.is_asking = false;
    news.answered = number;
    news.answered_at = kernel_.clock.steady_now();
    const bool had_failed = std::exchange(news.has_failed, !answer && !is_final(answer.error()));
    const platform::WaitingNews waiting = answer ? *answer : platform::WaitingNews{};
    news.oldest = waiting.oldest;
    news.newest = waiting.newest;
    if (!news.has_failed) return;
    if (!had_failed) {
        log::warning(
            "The market does not say which of its events it has yet to send",
            {{"agent", agent.identity.account.agent_id}, {"error", answer.error().message}});
    }
    kernel_.loop.call_after(kAfterFailure, [this, &agent] {
        if (agent.news.has_failed && !agent.news.is_asking && can_read(agent)) ask(agent);
    });
}

/// Notes what the market has answered, and asks it again while news waits. After a failure nothing
/// more is known (`MarketNews::has_failed`), and only the broker is waited for.
void ReadFirst::follow_news(Mailbox& mailbox, Agent& agent) const {
    const MarketNews& news = agent.news;
    if (news.answered > mailbox.asked_before) {
        mailbox.asked_before = news.asked;
        if (!mailbox.waits_for) mailbox.waits_for = news.newest;
        mailbox.has_delivered =
            news.has_failed || news.oldest == 0 || news.oldest > *mailbox.waits_for;
        mailbox.sent_before = agent.self_test.sent_count;
        if (mailbox.has_delivered && !news.has_failed) agent.news.is_late = false;
    }
    const bool is_pausing =
        mailbox.waits_for && kernel_.clock.steady_now() < news.answered_at + kAskAgain;
    if (!mailbox.has_delivered && !news.is_asking && !is_pausing) ask(agent);
}

/// Sends the canary that is missing, or fetches the history once it is back.
void ReadFirst::read_on(const Round& round, const Mailbox& mailbox, Agent& agent) const {
    if (mailbox.has_canary(agent)) return catch_up_.fetch_now(agent);
    // A market that does not answer must not keep the broker from being asked.
    const bool may_send = mailbox.has_delivered || round.checks_left < round.checks / 2;
    if (may_send && agent.self_test.waiting_for.empty())
        listening_->check(agent, [](const auto&) {});
}

/// Asks for what is missing. Returns true once everything was read.
bool ReadFirst::has_read(Round& round) const {
    bool all = !mail::is_about_to_read(agents_);
    for (const auto& [id, agent] : agents_) {
        if (!can_read(*agent)) continue;
        all = all && !agent->history.is_behind();
        Mailbox* const mailbox = round.find(*agent);
        if (mailbox == nullptr) continue;
        if (!mailbox->has_delivered) follow_news(*mailbox, *agent);
        if (mailbox->has_canary(*agent) && mailbox->has_history(*agent)) continue;
        all = false;
        read_on(round, *mailbox, *agent);
    }
    return all;
}

void ReadFirst::wait_on(const std::shared_ptr<Round>& round) const {
    if (has_read(*round)) return round->then(true);
    if (round->checks_left-- == 0) return round->then(give_up(*round));
    kernel_.loop.call_after(kPoll, [this, round] { wait_on(round); });
}

/// Returns true if everything was read that can be read.
bool ReadFirst::give_up(Round& round) const {
    bool all = true;
    for (const auto& [id, agent] : agents_) {
        const Mailbox* const mailbox = round.find(*agent);
        if (mailbox == nullptr || !can_read(*agent)) {
            agent->self_test.is_behind = false;
            continue;
        }
        const bool has_answered = mailbox->waits_for.has_value();
        if (!mailbox->has_delivered && !has_answered) agent->news.has_failed = true;
        agent->news.is_late = !mailbox->has_delivered && has_answered;
        agent->self_test.is_behind = agent->self_test.returned_count <= mailbox->sent_before;
        agent->history.is_late = agent->history.is_late || !mailbox->has_history(*agent);
        all = all && !agent->news.is_late && !agent->self_test.is_behind;
    }
    return all;
}

}  // namespace a2h::health
