#include "daemon/operations/may_leave.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace a2h;
using a2h::operations::may_leave;
using nlohmann::json;

namespace {

bool leaves(std::string_view type, const json& payload) {
    return may_leave(type, payload.dump(), {});
}

}  // namespace

TEST_CASE("words that commit to nothing may leave, in a message of any kind") {
    CHECK(leaves("", {{"text", "Thank you, good to hear from you."}}));
    CHECK(leaves("", {{"text", "About that order."}, {"orderId", "1234567890"}}));
    CHECK(leaves("status_report", {{"task_id", "0d3d9a0a-1f3b-4c39-9f0e-6a5c1f1c7a11"},
                                   {"status", "in_progress"},
                                   {"summary", "The work goes on."}}));
}

TEST_CASE("few words may say yes to anything, so they leave only as a greeting or a question") {
    for (const char* text : {"Works.", "成", "👍", "Passt!", "photo works", "Works. Photo.", "1"})
        CHECK_FALSE_MESSAGE(leaves("", {{"text", text}}), text);
    for (const char* text : {"Hello!", "Thank you.", "Good morning!", "谢谢", "Which day?"})
        CHECK_MESSAGE(leaves("", {{"text", text}}), text);
}

TEST_CASE("few words in a member of their own wait in mail of any type, and so does such a name") {
    const std::string words = "Somebody has to look at the lamps of the studio";
    CHECK(leaves("introduction_request", {{"reason", words}, {"required_capability", words}}));
    CHECK(leaves("collaboration_request", {{"request", "Hello"}, {"text", words}}));
    CHECK_FALSE(
        leaves("introduction_request", {{"reason", "gladly"}, {"required_capability", words}}));
    CHECK_FALSE(
        leaves("introduction_request", {{"reason", words}, {"required_capability", "take"}}));
    CHECK_FALSE(leaves("collaboration_request", {{"request", words}, {"text", "Works."}}));
    CHECK_FALSE(leaves("collaboration_request", {{"request", words}, {"gladly", words}}));
    CHECK_FALSE(leaves("task_assignment",
                       {{"task_brief", {{"objective", words}, {"constraints", {words, "成"}}}}}));
    CHECK_FALSE(leaves("status_report", {{"task_id", "0d3d9a0a-1f3b-4c39-9f0e-6a5c1f1c7a11"},
                                         {"status", "completed"},
                                         {"summary", words},
                                         {"result", {{"gladly", words}}}}));
    CHECK_FALSE(leaves("", {{"text", words}, {"note", "Works."}}));
}

TEST_CASE("an amount asks, wherever in a message it stands") {
    CHECK_FALSE(leaves("", {{"text", "You get it for 99 CNY."}}));
    CHECK_FALSE(leaves("status_report", {{"task_id", "0d3d9a0a-1f3b-4c39-9f0e-6a5c1f1c7a11"},
                                         {"status", "completed"},
                                         {"summary", "done"},
                                         {"result", {{"price_cny", 99}}}}));
    CHECK_FALSE(leaves("status_report", {{"task_id", "0d3d9a0a-1f3b-4c39-9f0e-6a5c1f1c7a11"},
                                         {"status", "completed"},
                                         {"summary", "done"},
                                         {"result", {{"offers", {"99 CNY"}}}}}));
}

TEST_CASE("what is true accepts something, and asks") {
    CHECK_FALSE(
        leaves("collaboration_response", {{"request_id", "0d3d9a0a-1f3b-4c39-9f0e-6a5c1f1c7a11"},
                                          {"accepted", true},
                                          {"response", "Hello."}}));
    CHECK(leaves("collaboration_response", {{"request_id", "0d3d9a0a-1f3b-4c39-9f0e-6a5c1f1c7a11"},
                                            {"accepted", false},
                                            {"response", "Hello."}}));
    CHECK_FALSE(leaves("status_report", {{"task_id", "0d3d9a0a-1f3b-4c39-9f0e-6a5c1f1c7a11"},
                                         {"status", "in_progress"},
                                         {"summary", "Hello."},
                                         {"result", {{"parts", {{{"agreed", true}}}}}}}));
    // The caller has asked what `[agents] introductions` says.
    CHECK(leaves("introduction_response", {{"request_id", "0d3d9a0a-1f3b-4c39-9f0e-6a5c1f1c7a11"},
                                           {"introduced", true},
                                           {"contact", {{"id", "ag_5f3a9c"}}}}));
}

TEST_CASE("a sentence without spaces is read like one with them") {
    CHECK_FALSE(leaves("", {{"text", "You_get_it_for_99_CNY"}}));
    CHECK_FALSE(leaves("", {{"text", "we_accept_your_offer"}}));
    CHECK_FALSE(
        leaves("collaboration_request", {{"request_id", "0d3d9a0a-1f3b-4c39-9f0e-6a5c1f1c7a11"},
                                         {"request", "we_accept_your_offer"}}));
}

TEST_CASE("only a bare rejection rejects and says nothing else") {
    const auto rejects = [](const json& payload) {
        return operations::only_rejects(payload.dump());
    };
    CHECK(rejects({{"type", "reject"},
                   {"offer_message_id", "msg_1760000000000_0badf00d"},
                   {"worksId", "w1"}}));
    CHECK_FALSE(rejects({{"type", "reject"}, {"text", "Works."}}));
    CHECK_FALSE(rejects({{"type", "reject"}, {"offer_message_id", "No, but 250"}}));
    CHECK_FALSE(rejects({{"type", "inquiry"}}));
    CHECK_FALSE(rejects({{"text", "no"}}));
}

TEST_CASE("a reference is one word; a sentence in its place is read") {
    CHECK(leaves("", {{"text", "About that order."}, {"orderId", "A-17.3"}}));
    CHECK_FALSE(leaves("", {{"text", "About that."}, {"orderId", "agreed, 99 CNY"}}));
    CHECK_FALSE(leaves("collaboration_request",
                       {{"request_id", "we pay 99 CNY"}, {"request", "Work with us."}}));
    CHECK(leaves("", {{"text", "Hello"}, {"offer_message_id", "msg_1760000000000_0badf00d"}}));
    CHECK_FALSE(leaves("", {{"text", "Hello"}, {"offer_message_id", "yes_we_agree_to_250"}}));
}

TEST_CASE(
    "an ordinary message with a member that is not known asks, and so does what is no object") {
    CHECK_FALSE(leaves("", {{"text", "Hello."}, {"deal", true}}));
    CHECK_FALSE(leaves("", {{"text", "Hello."}, {"status", "accepted"}}));
    CHECK_FALSE(leaves("general", {{"text", "Hello."}, {"deal", true}}));
    CHECK_FALSE(may_leave("", "[]", {}));
    CHECK_FALSE(may_leave("", "nonsense", {}));
}
