#include "daemon/health/read_first.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "daemon/mail/standing.h"

namespace a2h::health {
namespace {

constexpr std::chrono::milliseconds kPoll{5};

bool can_read(const Agent& agent) {
    return agent.connection && agent.connected && !agent.is_stopped && !agent.self_test.failed;
}

}  // namespace

/// A call that waits for a canary of each mailbox that was sent after it.
struct ReadFirst::Round {
    std::map<std::string, std::uint64_t> sent_before;  ///< canaries, by agent
    std::function<void(bool)> then;
    std::int64_t checks_left = 0;

    bool is_read(const Agent& agent) const {
        const auto before = sent_before.find(agent.identity.account.agent_id);
        return before == sent_before.end() || agent.self_test.returned_count > before->second;
    }
};

ReadFirst::ReadFirst(const kernel::Services& kernel, const Agents& agents, Listening* listening)
    : kernel_(kernel), agents_(agents), listening_(listening) {}

void ReadFirst::read_first(std::chrono::milliseconds patience,
                           std::function<void(bool)> then) const {
    if (listening_ == nullptr) return then(true);
    const auto round = std::make_shared<Round>(Round{{}, std::move(then), patience / kPoll});
    for (const auto& [id, agent] : agents_)
        round->sent_before[id] = agent->self_test.sent_count;
    wait_on(round);
}

void ReadFirst::read_all(std::chrono::milliseconds patience, std::function<void(bool)> then) const {
    if (listening_ == nullptr) return then(true);
    read_first(patience, [this, then = std::move(then)](bool is_read) {
        const auto may_miss = mail::may_miss_mail(kernel_.reader, agents_);
        then(is_read && may_miss && !*may_miss);
    });
}

/// Sends the canaries that are missing. Returns true once everything was read.
bool ReadFirst::has_read(const Round& round) const {
    bool all = !mail::is_about_to_read(agents_);
    for (const auto& [id, agent] : agents_) {
        if (!can_read(*agent)) continue;
        all = all && !agent->history.is_owed;
        if (round.is_read(*agent)) continue;
        all = false;
        if (agent->self_test.waiting_for.empty()) listening_->check(*agent, [](const auto&) {});
    }
    return all;
}

void ReadFirst::wait_on(const std::shared_ptr<Round>& round) const {
    if (has_read(*round)) return round->then(true);
    if (round->checks_left-- == 0) return round->then(give_up(*round));
    kernel_.loop.call_after(kPoll, [this, round] { wait_on(round); });
}

/// Returns true if everything was read that can be read.
bool ReadFirst::give_up(const Round& round) const {
    bool all = true;
    for (const auto& [id, agent] : agents_) {
        agent->self_test.is_behind = can_read(*agent) && !round.is_read(*agent);
        all = all && !agent->self_test.is_behind;
    }
    return all;
}

}  // namespace a2h::health
