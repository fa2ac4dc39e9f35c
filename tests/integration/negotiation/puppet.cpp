#include "tests/integration/negotiation/puppet.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "tests/support/signed_mail.h"

namespace a2h::test {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

std::string topic_of(const std::string& agent_id) {
    return "P2P_TOPIC/p2p/GID_agent@@@" + agent_id;
}

}  // namespace

Puppet::Puppet(Market& market, const std::string& name, Script script)
    : market_(market), account_(market.register_agent(name)), script_(std::move(script)) {
    const std::string client_id = "GID_agent@@@" + account_.agent_id;
    const auto token = market_.client(account_).fetch_broker_token(client_id);
    A2H_CHECK(token.has_value());
    mqtt_ = std::make_unique<RawMqtt>(market_.broker_port(),
                                      RawMqtt::Login{client_id, token->username, token->password});
    A2H_CHECK(mqtt_->connected());
    A2H_CHECK(mqtt_->subscribe(topic_of(account_.agent_id)));
}

void Puppet::say(const std::string& target_id, const std::string& type, const json& payload) {
    mqtt_->publish(topic_of(target_id), signed_mail(account_, target_id, type, payload));
    mqtt_->flush();
}

void Puppet::pump(milliseconds time) {
    const auto until = steady_clock::now() + time;
    while (true) {
        const auto left =
            std::chrono::duration_cast<milliseconds>(until - steady_clock::now()).count();
        if (!pump_one(milliseconds(std::max<long>(left, 0)))) return;
    }
}

bool Puppet::pump_one(milliseconds time) {
    const auto event = mqtt_->read(time);
    if (event && event->type == PacketType::Publish) take(json::parse(event->payload));
    return event.has_value();
}

void Puppet::forget() {
    invitations_.clear();
    reviews_.clear();
    endings_.clear();
    received_.clear();
}

void Puppet::take(const json& envelope) {
    const std::string type = envelope.value("message_type", "");
    const std::string id = envelope.at("message_id");
    const std::string requester = envelope.at("sender_id");
    const json& payload = envelope.at("payload");
    last_[type] = payload;
    received_[type][id] = payload;
    json answer{{"channel_id", payload.value("channel_id", "")}, {"agent_id", agent_id()}};
    if (type == "demand_offer") {
        invitations_.insert(id);
        if (script_.offer.is_null() || !answered_.insert(id).second) return;
        answer.update(script_.offer);
        say(requester, "offer_response", answer);
    } else if (type == "proposal_review") {
        const int round = payload.value("round", 0);
        reviews_[round].insert(id);
        const auto place = std::min(static_cast<std::size_t>(round), script_.feedback.size()) - 1;
        const json& said = script_.feedback.at(place);
        if (said.is_null() || !answered_.insert(id).second) return;
        answer["round"] = round;
        answer.update(said);
        say(requester, "proposal_feedback", answer);
    } else if (type == "negotiation_ended") {
        endings_.insert(id);
    }
}

}  // namespace a2h::test
