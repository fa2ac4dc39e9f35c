#include "core/base/check.h"
#include "core/base/ids.h"
#include "market/broker/access.h"
#include "market/broker/token.h"
#include "tests/fuzz/targets.h"
#include "tests/support/temp_dir.h"

namespace a2h::fuzz {
namespace {

struct Keys {
    test::TempDir dir;
    market::TokenSigner signer = *market::TokenSigner::open(dir.path());
    market::TokenVerifier verifier = *market::TokenVerifier::open(dir.path() / "token.pub");
};

void check_names(std::string_view name) {
    if (const auto agent = market::agent_of_client_id(name)) A2H_CHECK(is_agent_id(*agent));
    if (const auto agent = market::agent_of_recorder(name)) {
        A2H_CHECK(is_agent_id(*agent) && !market::agent_of_client_id(name));
    }
    const auto agent = market::agent_of_topic(name);
    A2H_CHECK(!agent || market::receive_topic(*agent) == name);
    A2H_CHECK(!market::may_publish(name, 10, false) || agent);
    A2H_CHECK(!market::may_receive("ag_reader", name) || agent == "ag_reader");
}

}  // namespace

/// The login data of a client of the broker, and the names of its topics.
void broker_login(std::string_view input) {
    static const Keys keys;
    check_names(input);
    // A text that our key did not sign is never a token.
    A2H_CHECK(!keys.verifier.verify(input, 0));
    const auto agent = market::agent_of_client_id(input);
    if (!agent) return;
    const auto ours = keys.signer.sign({.agent_id = std::string(*agent),
                                        .client_id = std::string(input),
                                        .issued_at_s = 1,
                                        .expires_at_s = 100});
    A2H_CHECK(keys.verifier.verify(ours.value(), 50).value().client_id == input);
    A2H_CHECK(!keys.verifier.verify(*ours, 100));
}

}  // namespace a2h::fuzz
