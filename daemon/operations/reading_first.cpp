#include "daemon/operations/reading_first.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "daemon/mail/standing.h"

namespace a2h::operations {
namespace {

constexpr std::chrono::milliseconds kReadingPoll{5};
constexpr std::chrono::seconds kReadingMax{5};

/// The call with a copy of its arguments, which otherwise live only until the handler returns.
struct WaitingCall {
    WaitingCall(const Call& of, Reply answer)
        : arguments(of.arguments),
          call{of.action,          of.face,       of.agent, arguments, of.along,
               of.reader_language, of.names_agent},
          reply(std::move(answer)) {}

    const nlohmann::json arguments;
    const Call call;
    const Reply reply;
};

/// A call that waits for a canary of each mailbox that was sent after it.
struct Reading {
    const Sender& sender;
    std::map<std::string, std::uint64_t> sent_before;  ///< canaries, by agent
    std::function<void()> then;
    int checks_left = static_cast<int>(kReadingMax / kReadingPoll);
};

bool can_read(const Agent& agent) {
    return agent.connection && agent.connected && !agent.is_stopped && !agent.self_test.failed;
}

bool is_read(const Reading& reading, const Agent& agent) {
    const auto before = reading.sent_before.find(agent.identity.account.agent_id);
    return before == reading.sent_before.end() || agent.self_test.returned_count > before->second;
}

/// Sends the canaries that are missing. Returns true once everything was read.
bool has_read(const Reading& reading) {
    if (mail::is_about_to_read(reading.sender.agents)) return false;
    bool all = true;
    for (const auto& [id, agent] : reading.sender.agents) {
        if (!can_read(*agent) || is_read(reading, *agent)) continue;
        all = false;
        if (agent->self_test.waiting_for.empty())
            reading.sender.listening->check(*agent, [](const auto&) {});
    }
    return all;
}

/// What is open is not known any more.
void give_up(const Reading& reading) {
    for (const auto& [id, agent] : reading.sender.agents)
        agent->self_test.is_behind = can_read(*agent) && !is_read(reading, *agent);
}

void wait_on(const std::shared_ptr<Reading>& reading) {
    if (has_read(*reading)) return reading->then();
    if (reading->checks_left-- == 0) {
        give_up(*reading);
        return reading->then();
    }
    reading->sender.kernel.loop.call_after(kReadingPoll, [reading] { wait_on(reading); });
}

}  // namespace

void read_first(const Sender& sender, std::function<void()> then) {
    if (sender.listening == nullptr) return then();
    const auto reading = std::make_shared<Reading>(Reading{sender, {}, std::move(then)});
    for (const auto& [id, agent] : sender.agents)
        reading->sent_before[id] = agent->self_test.sent_count;
    wait_on(reading);
}

Handler after_reading(const Sender& sender, Handler handler) {
    // Parts of the handler are used after it returns, so it stays where it is as long as the table.
    const auto kept = std::make_shared<const Handler>(std::move(handler));
    return [&sender, kept](const Call& call, const Reply& reply) {
        const auto waiting = std::make_shared<const WaitingCall>(call, reply);
        read_first(sender, [&handler = *kept, waiting] { handler(waiting->call, waiting->reply); });
    };
}

}  // namespace a2h::operations
