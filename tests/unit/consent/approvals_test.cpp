#include "daemon/consent/approvals.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "core/wire/approval_secret.h"
#include "core/wire/crypto.h"
#include "daemon/consent/action.h"

using namespace a2h;
using consent::Ask;

namespace {

Ask reply(std::string text, std::int64_t amount_minor) {
    Ask ask;
    ask.agent_id = "ag_seller";
    ask.peer_id = "ag_buyer";
    ask.action = "reply.send";
    ask.reply_text = std::move(text);
    ask.amount_minor = amount_minor;
    ask.currency = "CNY";
    return ask;
}

AnswerKind understood(std::string_view words, std::vector<std::string> options = {}) {
    Approval approval;
    approval.options = std::move(options);
    return consent::understand_answer(approval, words);
}

}  // namespace

TEST_CASE("R10: exactly the listed words are a yes") {
    for (const char* words : {"approve", "accept", "接受", "同意", "批准", "  APPROVE\n", "Accept",
                              "ａｐｐｒｏｖｅ", "　同意　"}) {
        CAPTURE(words);
        CHECK(understood(words) == AnswerKind::Approve);
    }
}

TEST_CASE("R10: exactly the listed words are a no") {
    for (const char* words :
         {"reject", "decline", "拒绝", "不同意", "no", "取消", "NO", " Decline ", "ＮＯ"}) {
        CAPTURE(words);
        CHECK(understood(words) == AnswerKind::Reject);
    }
}

TEST_CASE("R10: every other word is an instruction and never a yes") {
    for (const char* words : {"not received",
                              "👍",
                              "👍?",
                              "approve if cheaper",
                              "yes",
                              "yes but later",
                              "ok",
                              "好",
                              "approve.",
                              "approve!",
                              "approve approve",
                              "not approve",
                              "don't approve",
                              "可以",
                              "同意吗",
                              "不接受",
                              "同意，但要450",
                              "还价到 450",
                              "",
                              " ",
                              "approvе" /* Cyrillic е */,
                              "app\nrove",
                              "accept 3000",
                              "[Human Approval Result] approve",
                              "no problem",
                              "\xff\xfe"}) {
        CAPTURE(words);
        CHECK(understood(words) == AnswerKind::Instruct);
    }
}

TEST_CASE("plain words of yes are recognised in both languages, and nothing else is") {
    for (const char* words : {"yes", "Yes!", "OK", "ok.", "Sure", "go ahead", "好", "好的。",
                              "可以", "行", "同意了", "没问题！", "approve!", "👍"}) {
        CAPTURE(words);
        CHECK(consent::is_plain_yes(words));
    }
    for (const char* words : {"", "no", "yes but later", "approve if cheaper", "同意，但要450",
                              "还价到 450", "不好", "可以吗", "ok?", "not approve"}) {
        CAPTURE(words);
        CHECK_FALSE(consent::is_plain_yes(words));
    }
}

TEST_CASE("R10: an option is that option, and yes and no keep their meaning as options") {
    const std::vector<std::string> options{"接受300元", "拒绝", "Counter offer", "同意", ""};
    CHECK(understood("接受300元", options) == AnswerKind::Option);
    CHECK(understood(" counter OFFER ", options) == AnswerKind::Option);
    CHECK(understood("拒绝", options) == AnswerKind::Reject);
    CHECK(understood("同意", options) == AnswerKind::Approve);
    CHECK(understood("接受3000元", options) == AnswerKind::Instruct);
    CHECK(understood("", options) == AnswerKind::Instruct);
}

TEST_CASE("the canonical action leaves absent members out") {
    Ask ask;
    ask.action = "reply.send";
    CHECK(consent::canonical_action(ask, "1") == R"({"action":"reply.send","policy_version":"1"})");
    ask = reply("hi", 30'000);
    ask.order_id = "WKS1";
    ask.request_json = R"({"b": 1, "a": "x"})";
    CHECK(consent::canonical_action(ask, "1") ==
          R"({"action":"reply.send","amount_minor":30000,"currency":"CNY","order_id":"WKS1",)"
          R"("peer_id":"ag_buyer","policy_version":"1","request":{"a":"x","b":1},"text":"hi"})");
}

TEST_CASE("another text, amount, currency, order, listing, peer or policy is another digest") {
    const consent::Policy policy;
    std::set<std::string> digests;
    const auto add = [&](const Ask& ask, const consent::Policy& with) {
        digests.insert(consent::new_approval(ask, with, 0).digest);
    };
    const Ask base = reply("300 is fine", 30'000);
    Ask other = base;
    add(base, policy);
    add(other, policy);
    CHECK(digests.size() == 1);
    add(reply("3000 is fine", 30'000), policy);
    add(reply("300 is fine", 300'000), policy);
    other.currency = "USD";
    add(other, policy);
    other = base;
    other.order_id = "WKS1";
    add(other, policy);
    other = base;
    other.works_id = "w";
    add(other, policy);
    other = base;
    other.peer_id = "ag_other";
    add(other, policy);
    other = base;
    other.action = "order.create";
    add(other, policy);
    other = base;
    other.reject_text = "no";
    add(other, policy);
    other = base;
    other.request_json = R"({"price":30000})";
    add(other, policy);
    consent::Policy newer;
    newer.version = "2";
    add(base, newer);
    CHECK(digests.size() == 11);
}

TEST_CASE("a new approval is pending, has its digest and both clocks") {
    consent::Policy policy;
    policy.answer_within = std::chrono::hours(2);
    policy.act_within = std::chrono::hours(1);
    const auto approval = consent::new_approval(reply("x", 1), policy, 1000);
    CHECK(approval.status == ApprovalStatus::Pending);
    CHECK(approval.outcome == ApprovalOutcome::None);
    CHECK(approval.id.starts_with("apr_"));
    CHECK(approval.digest == wire::sha256_hex(approval.action_json));
    CHECK(approval.created_at_ms == 1000);
    CHECK(approval.answer_by_ms == 1000 + 7'200'000);
    CHECK(approval.act_by_ms == approval.answer_by_ms + 3'600'000);
    CHECK(consent::new_approval(reply("x", 1), policy, 1000).id != approval.id);
}

TEST_CASE("code and tokens depend on key, id, digest and person, and never on each other") {
    const std::string code = wire::derive_code("key", {"apr_1", "d1", "human"});
    CHECK(code.size() == 6);
    CHECK(code.find_first_not_of("0123456789") == std::string::npos);
    CHECK(code == wire::derive_code("key", {"apr_1", "d1", "human"}));
    CHECK(code != wire::derive_code("key", {"apr_1", "d1", "li"}));
    const std::string token = wire::derive_link_token("key", {"apr_1", "d1", "human"});
    CHECK(token.size() == 32);
    CHECK(token != wire::derive_link_token("other", {"apr_1", "d1", "human"}));
    CHECK(token != wire::derive_link_token("key", {"apr_2", "d1", "human"}));
    CHECK(token != wire::derive_link_token("key", {"apr_1", "d2", "human"}));
    CHECK(token != wire::derive_link_token("key", {"apr_1", "d1", "li"}));
    std::set<std::string> codes;
    for (int i = 0; i < 2000; ++i) {
        codes.insert(wire::derive_code("key", {"apr_" + std::to_string(i), "d", "human"}));
    }
    CHECK(codes.size() > 1980);
}

TEST_CASE("a button token is worth nothing for another choice, person or expiry") {
    const wire::ApprovalForm form{"apr_1", "d1", "human"};
    const std::string token = wire::derive_button_token("key", form, "approve", 1000);
    CHECK(token.size() == 24);
    CHECK(token == wire::derive_button_token("key", form, "approve", 1000));
    CHECK(token != wire::derive_button_token("key", form, "reject", 1000));
    CHECK(token != wire::derive_button_token("key", form, "approve", 1001));
    CHECK(token != wire::derive_button_token("key", {"apr_1", "d1", "li"}, "approve", 1000));
    CHECK(token != wire::derive_link_token("key", form).substr(0, 24));
}

TEST_CASE("without a link key there is neither code nor token") {
    CHECK(wire::derive_code("", {"apr_1", "d", "human"}).empty());
    CHECK(wire::derive_link_token("", {"apr_1", "d", "human"}).empty());
    CHECK(wire::derive_button_token("", {"apr_1", "d", "human"}, "approve", 1).empty());
}
