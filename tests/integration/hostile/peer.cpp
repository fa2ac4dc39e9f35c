#include "tests/integration/hostile/peer.h"

#include <chrono>
#include <future>

#include "core/base/check.h"
#include "core/base/ids.h"
#include "core/wire/envelope.h"
#include "core/wire/payload.h"
#include "tests/support/process.h"

namespace a2h::test {
namespace {

constexpr std::chrono::seconds kPublishTimeout{25};

}  // namespace

Peer::Peer(const platform::Account& account, std::string_view broker_uri) {
    const std::string& id = account.agent_id;
    mqtt::Options options;
    options.server_uri = broker_uri;
    options.client_id = mqtt::listener_client_id(id);
    options.topic = mqtt::receive_topic(id);
    connection_ = std::make_unique<mqtt::Connection>(
        options, clock_, [] { return Result<mqtt::Credentials>(mqtt::Credentials{}); },
        [this, id](std::string_view, std::string_view payload) -> Result<void> {
            const auto outcome = wire::parse_envelope(payload, id);
            A2H_CHECK(outcome.parsed);
            const auto view = wire::view_payload(outcome.parsed->envelope.payload_json);
            heard_.with([&](auto& texts) { texts.push_back(view.text); });
            return {};
        },
        [](const mqtt::State&) {});
    connection_->start();
    A2H_CHECK(eventually([this] { return connection_->state().connected; }));
}

void Peer::publish(std::string_view agent_id, std::string_view payload) {
    // Shared, because the thread that sets it may still be inside when the waiter goes on.
    const auto acknowledged = std::make_shared<std::promise<bool>>();
    connection_->publish(
        mqtt::receive_topic(agent_id), std::string(payload),
        [acknowledged](Result<void> result) { acknowledged->set_value(result.has_value()); });
    auto done = acknowledged->get_future();
    A2H_CHECK(done.wait_for(kPublishTimeout) == std::future_status::ready);
    A2H_CHECK(done.get());
}

std::vector<std::string> Peer::heard() const {
    return heard_.with([](const auto& texts) { return texts; });
}

std::string signed_message(const platform::Account& sender, std::string_view target_id,
                           const Draft& draft) {
    const UnixMs now_ms = SystemClock().now_ms();
    OutboxMessage message;
    message.agent_id = sender.agent_id;
    message.target_id = target_id;
    message.message_id = draft.message_id.empty() ? new_message_id(now_ms) : draft.message_id;
    message.message_type = "chat.request";
    message.trace_id = new_trace_id(now_ms);
    message.payload_json =
        draft.payload_json.empty() ? wire::text_payload(draft.text) : draft.payload_json;
    return wire::sign_envelope(message, sender.keys, now_ms).value();
}

}  // namespace a2h::test
