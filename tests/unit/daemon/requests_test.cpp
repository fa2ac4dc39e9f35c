#include "daemon/pipeline/requests.h"

#include <doctest/doctest.h>

#include "daemon/approvals/approvals.h"

using namespace a2h;

namespace {

Approval approval_of(std::string_view action, std::string request_json) {
    approvals::Ask ask;
    ask.agent_id = "ag_me";
    ask.peer_id = "ag_peer";
    ask.action = action;
    ask.request_json = std::move(request_json);
    ask.question = "?";
    return approvals::new_approval(ask, {}, 1'000);
}

}  // namespace

TEST_CASE("an approved message leaves as it was shown, under the approval's effect key") {
    const Approval approval = approval_of(
        pipeline::kSendAction,
        R"({"message_type":"chat.request","payload":{"text":"hi","payment_qr":"https://x/q.png"}})");
    const auto message = pipeline::message_of_request(approval, 5'000).value();
    CHECK(message.target_id == "ag_peer");
    CHECK(message.effect_key == "approval:" + approval.id);
    CHECK(message.payload_json == R"({"payment_qr":"https://x/q.png","text":"hi"})");
    CHECK(message.expires_at_ms > 5'000);
}

TEST_CASE("an approved listing keeps every field of the call") {
    const Approval approval = approval_of(
        pipeline::kPublishAction,
        R"({"type":3,"title":"T","content":"C","expected_price":"280 CNY","service_method":"online"})");
    const auto draft = pipeline::listing_of_request(approval).value();
    CHECK(draft.type == ListingType::Service);
    CHECK(draft.title == "T");
    CHECK(draft.content == "C");
    CHECK(draft.expected_price == "280 CNY");
    CHECK(draft.service_method == "online");
    CHECK(draft.works_id.empty());
}

TEST_CASE("a stored action without its request is Corrupt") {
    CHECK(pipeline::message_of_request(approval_of(pipeline::kSendAction, ""), 1).error().code ==
          ErrorCode::Corrupt);
    CHECK(pipeline::message_of_request(approval_of(pipeline::kSendAction, "{}"), 1).error().code ==
          ErrorCode::Corrupt);
    CHECK(pipeline::listing_of_request(approval_of(pipeline::kPublishAction, "{}")).error().code ==
          ErrorCode::Corrupt);
}
