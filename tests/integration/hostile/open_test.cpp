// Questions in members where no honest program puts them.

#include <doctest/doctest.h>

#include "tests/integration/hostile/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

struct Asking : Scene {
    std::int64_t received = 0;

    /// Somebody new sends `envelope` under its own name, and the daemon has decided about it.
    std::string asks(const json& changes) {
        const platform::Account account =
            market.register_agent("peer-" + std::to_string(++received));
        json envelope = envelope_from(account, seller.agent_id);
        envelope.merge_patch(changes);
        publish(resigned(envelope, account.keys));
        REQUIRE(settled(received));
        return account.agent_id;
    }
    /// "ok", or the code of the error, when an assistant thanks `peer_id`.
    std::string thanks(const std::string& peer_id) {
        const json arguments = {{"target_agent_id", peer_id}, {"text", "Thanks!"}};
        const json result = daemon.call_assistant("send", arguments.dump());
        return result["ok"] == true ? "ok" : result["error"]["code"].get<std::string>();
    }
};

}  // namespace

TEST_CASE_FIXTURE(Asking, "R46: a question leaves a peer open wherever in a message it stands") {
    const json hello = {{"text", "Hello!"}};
    const std::string question = "Do you agree to 220 CNY?";
    const std::string spelt_as_id = "do_you_agree_to_220_CNY";
    const json envelopes[] = {
        {{"payload", {{"text", {question}}}}},
        {{"payload", {{"text", {{"question", question}}}}}},
        {{"payload", {{"text", 220}}}},
        {{"payload", {{"text", true}}}},
        {{"payload", hello}, {"message_id", question}},
        {{"payload", hello}, {"message_id", spelt_as_id}},
        {{"payload", hello}, {"trace_id", question}},
        {{"payload", {{"text", "Hello!"}, {"worksId", spelt_as_id}}}},
        {{"payload", {{"text", "Hello!"}, {"orderId", spelt_as_id}}}},
    };
    for (const json& envelope : envelopes) {
        CAPTURE(envelope.dump());
        CHECK(thanks(asks(envelope)) == "PLATFORM_CONFIRMATION_REQUIRED");
    }
    CHECK(thanks(asks({{"payload", hello}})) == "ok");
}
