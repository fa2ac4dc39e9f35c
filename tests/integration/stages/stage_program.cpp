// A reviewer of its own: answers each evaluation request as its mode says.
//
// Reads one line of JSON from stdin: port, client_id, username, password, agent_id, agent_key,
// secret_key, public_key, key_id, and mode:
//   "pass", "fail"   answers so, with the next action "none"
//   "mute"           never answers
//   "late"           passes what is asked once the file `when` is there
// Writes one line for each message: its type and the first words of what is judged.

#include <chrono>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/wire/envelope.h"
#include "core/wire/task_messages.h"
#include "tests/support/raw_mqtt.h"

using namespace a2h;
using nlohmann::json;

namespace {

constexpr std::chrono::milliseconds kCheckEvery{50};

class Reviewer {
  public:
    explicit Reviewer(const json& setup)
        : agent_id_(setup.at("agent_id")),
          mode_(setup.at("mode")),
          when_(setup.value("when", "")),
          mqtt_(setup.at("port").get<std::uint16_t>(),
                {setup.at("client_id"), setup.at("username"), setup.at("password")}) {
        keys_.agent_key = setup.at("agent_key");
        keys_.key_pair = {setup.at("key_id"), setup.at("public_key"), setup.at("secret_key")};
    }

    bool start() { return mqtt_.connected() && mqtt_.subscribe(topic(agent_id_)); }
    bool alive() const { return mqtt_.alive(); }

    void turn() {
        const auto event = mqtt_.read(kCheckEvery);
        if (event && event->type == test::PacketType::Publish) take(event->payload);
        const bool may_answer = mode_ != "late" || std::filesystem::exists(when_);
        if (!may_answer || mode_ == "mute") return;
        for (const json& request : std::exchange(waiting_, {}))
            answer(request);
    }

  private:
    static std::string topic(const std::string& agent) {
        return "P2P_TOPIC/p2p/GID_agent@@@" + agent;
    }

    void take(const std::string& text) {
        const json envelope = json::parse(text);
        const std::string type = envelope.at("message_type");
        const json& body = envelope.at("payload");
        std::cout << type << " " << body.value("task_results", json::object()).value("text", "")
                  << '\n'
                  << std::flush;
        if (type == "a2h.stage.evaluation_request") waiting_.push_back(envelope);
    }

    void answer(const json& request) {
        const UnixMs now_ms = SystemClock().now_ms();
        wire::EvaluationResponse verdict;
        verdict.envelope.message_id = wire::new_uuid();
        verdict.envelope.sent_at_ms = now_ms;
        verdict.envelope.trace_id = request.at("trace_id");
        verdict.task_id = request.at("payload").at("task_id");
        verdict.status =
            mode_ == "fail" ? wire::EvaluationStatus::Fail : wire::EvaluationStatus::Pass;
        verdict.score = mode_ == "fail" ? 10 : 90;
        OutboxMessage message;
        message.agent_id = agent_id_;
        message.target_id = request.at("sender_id");
        message.message_id = new_message_id(now_ms);
        message.message_type = "a2h.stage.evaluation_response";
        message.trace_id = request.at("trace_id");
        message.payload_json = wire::write_task_message(verdict).value();
        const auto envelope = wire::sign_envelope(message, keys_, now_ms).value();
        // Twice: the broker may do so as well.
        mqtt_.publish(topic(message.target_id), envelope);
        mqtt_.publish(topic(message.target_id), envelope);
        mqtt_.flush();
    }

    std::string agent_id_;
    std::string mode_;
    std::filesystem::path when_;
    test::RawMqtt mqtt_;
    wire::SigningKeys keys_;
    std::vector<json> waiting_;
};

}  // namespace

int main() {
    std::string line;
    std::getline(std::cin, line);
    Reviewer reviewer(json::parse(line));
    if (!reviewer.start()) return 1;
    std::cout << "ready\n" << std::flush;
    while (reviewer.alive())
        reviewer.turn();
    return 0;
}
