#include "tests/integration/hostile/scene.h"

#include <doctest/doctest.h>

#include "core/wire/canonical.h"

namespace a2h::test {

using nlohmann::json;
using namespace nlohmann::literals;

Scene::Scene() {
    const auto heard_itself = [this] {
        return daemon.status().at("/last_self_test/ok"_json_pointer) == true;
    };
    REQUIRE(eventually(heard_itself));
}

json Scene::data(std::string_view action, const json& arguments) {
    const json result = daemon.call_human(action, arguments.dump());
    REQUIRE_MESSAGE(result.value("ok", false), result.dump());
    return result.at("data");
}

std::int64_t Scene::refused(const std::string& reason) {
    return counts().at("refused_by_reason").value(reason, std::int64_t{0});
}

bool Scene::settled(std::int64_t received) {
    return eventually([&] {
        const json status = data("status");
        return status.at("counts").at("received") == received &&
               status.at("backlog").at("undecided") == 0;
    });
}

json Scene::history(const std::string& peer_id) {
    return data("inbox.history", {{"peer_id", peer_id}}).at("items");
}

json envelope_from(const platform::Account& sender, const std::string& target_id) {
    return json::parse(signed_message(sender, target_id, {.text = "hello"}));
}

std::string resigned(json envelope, const wire::SigningKeys& keys, bool with_key) {
    envelope["payload_hash"] = wire::sha256_hex(wire::canonical_json(envelope.at("payload")));
    envelope.erase("signature");
    envelope.erase("sender_signature");
    if (with_key) {
        envelope["sender_signature"] =
            wire::ed25519_sign(keys.key_pair.secret_key, wire::canonical_json(envelope)).value();
    } else {
        envelope.erase("sender_key_id");
    }
    envelope["signature"] = wire::hmac_sha256_hex(keys.agent_key, wire::canonical_json(envelope));
    return envelope.dump();
}

}  // namespace a2h::test
