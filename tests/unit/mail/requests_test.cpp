#include "daemon/outcome/requests.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "daemon/consent/action.h"
#include "daemon/consent/approvals.h"

using namespace a2h;

namespace {

Approval approval_of(std::string_view action, std::string request_json) {
    consent::Ask ask;
    ask.agent_id = "ag_me";
    ask.peer_id = "ag_peer";
    ask.action = action;
    ask.request_json = std::move(request_json);
    ask.question = "?";
    return consent::new_approval(ask, {}, 1'000);
}

}  // namespace

TEST_CASE("an approved message leaves as it was shown, under the approval's effect key") {
    const Approval approval = approval_of(
        outcome::kSendAction,
        R"({"message_type":"chat.request","payload":{"text":"hi","payment_qr":"https://x/q.png"}})");
    const auto message = outcome::message_of_request(approval, 5'000).value();
    CHECK(message.target_id == "ag_peer");
    CHECK(message.effect_key == "approval:" + approval.id);
    CHECK(message.payload_json == R"({"payment_qr":"https://x/q.png","text":"hi"})");
    CHECK(message.expires_at_ms > 5'000);
}

TEST_CASE("R26: an approved message lives until the time that its card names") {
    const Approval approval = approval_of(
        outcome::kSendAction,
        R"({"act_before_ms":9000,"message_type":"chat.request","payload":{"text":"hi"}})");
    CHECK(outcome::message_of_request(approval, 5'000)->expires_at_ms == 9'000);
    CHECK(outcome::message_of_request(approval, 9'000).error().code == ErrorCode::Conflict);
}

TEST_CASE("an approved call keeps every argument") {
    const std::string request = R"({"content":"C","title":"T","type":3})";
    const auto arguments = consent::arguments_of(approval_of("works.publish", request)).value();
    CHECK(arguments.dump() == request);
}

TEST_CASE("a stored action without its request is Corrupt") {
    const auto code_of = [](std::string request) {
        return outcome::message_of_request(approval_of(outcome::kSendAction, std::move(request)), 1)
            .error()
            .code;
    };
    CHECK(code_of("") == ErrorCode::Corrupt);
    CHECK(code_of("{}") == ErrorCode::Corrupt);
    CHECK(consent::arguments_of(approval_of("works.publish", "")).error().code ==
          ErrorCode::Corrupt);
}
