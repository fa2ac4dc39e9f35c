#include "tests/integration/home/test_home.h"

#include <doctest/doctest.h>

#include "core/wire/crypto.h"

namespace a2h::test {
namespace {

/// Nobody listens there.
constexpr const char* kNobody = "127.0.0.1:9";

}  // namespace

platform::Account made_up_account(const std::string& agent_id) {
    return {.api_base = std::string("http://") + kNobody,
            .agent_id = agent_id,
            .keys = {.agent_key = "agent-key", .key_pair = wire::new_key_pair()}};
}

TestHome::TestHome()
    : daemon(dir.path() / "home", {made_up_account(kAgent)}, std::string("mqtt://") + kNobody) {}

Ran TestHome::a2hd(std::vector<std::string> words, std::string_view input,
                   const std::string& language) {
    words.insert(words.begin(), {A2H_BIN_DIR "/a2hd", "--home", daemon.home().string()});
    return run(std::move(words), {{"LC_ALL", language}}, input);
}

Ran TestHome::a2h(std::vector<std::string> words, std::string_view input,
                  const std::string& language) {
    words.insert(words.begin(), A2H_BIN_DIR "/a2h");
    return run(std::move(words), {{"LC_ALL", language}, {"A2H_HOME", daemon.home().string()}},
               input);
}

nlohmann::json TestHome::once(const std::string& action, const std::string& params) {
    const Ran ran = a2hd({"--once", action, params});
    const auto envelope = nlohmann::json::parse(ran.out, nullptr, false);
    REQUIRE_MESSAGE(envelope.is_object(), (ran.out + ran.err));
    CHECK((ran.status == 0) == envelope.value("ok", false));
    return envelope;
}

}  // namespace a2h::test
