#include "daemon/pipeline/self_tester.h"

#include "core/base/log.h"
#include "core/wire/envelope.h"
#include "daemon/pipeline/effects.h"
#include "daemon/pipeline/receiver.h"

namespace a2h::pipeline {

SelfTester::SelfTester(const Context& context, Agents& agents)
    : context_(context), agents_(agents) {}

void SelfTester::start() {
    context_.loop.call_after(kInterval, [this] { run_all(); });
}

void SelfTester::run_all() {
    for (auto& [id, agent] : agents_) {
        if (agent->connected) run(*agent);
    }
    start();
}

void SelfTester::run(Agent& agent) {
    const std::string& id = agent.identity.account.agent_id;
    const UnixMs now_ms = context_.clock.now_ms();
    OutboxMessage canary = new_outbox_message(id, id, "{}", "", "self-test", now_ms);
    canary.message_type = kSelfTestType;
    const auto text = wire::sign_envelope(canary, agent.identity.account.keys, now_ms);
    if (!text) {
        agent.self_test.failed = true;
        agent.self_test.detail = text.error().message;
        return;
    }
    agent.self_test.waiting_for = canary.message_id;
    agent.self_test.sent_at_ms = now_ms;
    agent.connection->publish(mqtt::receive_topic(id), *text, [](const Result<void>&) {});
    context_.loop.call_after(kTimeout, [&agent, message_id = canary.message_id] {
        if (agent.self_test.waiting_for != message_id) return;
        agent.self_test.waiting_for.clear();
        agent.self_test.failed = true;
        agent.self_test.detail = "a message to ourselves did not come back within 10 s";
        log::warning("Self-test failed: we may be deaf",
                     {{"agent", agent.identity.account.agent_id}});
    });
}

void SelfTester::returned(Agent& agent, const std::string& message_id) {
    if (agent.self_test.waiting_for != message_id) return;
    agent.self_test.waiting_for.clear();
    agent.self_test.failed = false;
    agent.self_test.detail.clear();
    agent.self_test.last_ok_ms = context_.clock.now_ms();
}

}  // namespace a2h::pipeline
