#include "daemon/operations/may_leave.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace a2h;
using a2h::operations::is_free_mail;
using nlohmann::json;

namespace {

bool leaves(std::string_view type, const json& payload) {
    return is_free_mail(type, payload.dump());
}

}  // namespace

TEST_CASE("texts without a commitment may leave in a message of any kind") {
    CHECK(leaves("", {{"text", "Thank you, good to hear from you."}}));
    CHECK(leaves("", {{"text", "Which style would you like?"}, {"orderId", "1234567890"}}));
    CHECK(leaves("status_report", {{"task_id", "0d3d9a0a-1f3b-4c39-9f0e-6a5c1f1c7a11"},
                                   {"status", "in_progress"},
                                   {"summary", "I have to ask my owner."}}));
}

TEST_CASE("a typed message leaves only if its type is that of a text or a question") {
    for (const char* type : {"text", "inquiry"})
        CHECK_MESSAGE(leaves("", {{"type", type}, {"text", "Hello!"}}), type);
    for (const char* type : {"reject", "accept", "offer", "withdraw"})
        CHECK_FALSE_MESSAGE(leaves("", {{"type", type}}), type);
}

TEST_CASE("a text without a reason to be harmless waits for a yes") {
    for (const char* text :
         {"About that order.", "The work goes on.", "There is one, behind the house.",
          "Somebody has to look at the lamps of the studio", "Looking forward to it."})
        CHECK_FALSE_MESSAGE(leaves("", {{"text", text}}), text);
    CHECK_FALSE(leaves("status_report", {{"task_id", "0d3d9a0a-1f3b-4c39-9f0e-6a5c1f1c7a11"},
                                         {"status", "in_progress"},
                                         {"summary", "The work goes on."}}));
}

TEST_CASE("a short text may be a yes, so only greetings and questions leave") {
    for (const char* text :
         {"Works.", "成", "👍", "Passt!", "photo works", "Works. Photo.", "1", "Which day?"})
        CHECK_FALSE_MESSAGE(leaves("", {{"text", text}}), text);
    for (const char* text : {"Hello!", "Thank you.", "Good morning!", "谢谢", "Which style?"})
        CHECK_MESSAGE(leaves("", {{"text", text}}), text);
}

TEST_CASE("each text in a member of its own is judged alone, and the name of such a member, too") {
    const std::string words = "Could you tell me what kind of pictures you need?";
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

TEST_CASE("no fact of a listing leaves, whatever the message is about") {
    for (const char* fact : {"The price is 280 CNY.", "Portrait session", "Also the Wedding day",
                             "It costs the price of the Portrait session."}) {
        CHECK_FALSE_MESSAGE(leaves("", {{"text", fact}}), fact);
        CHECK_FALSE_MESSAGE(leaves("", {{"text", fact}, {"worksId", "w1"}}), fact);
    }
    CHECK(leaves("", {{"text", "How much is the portrait session?"}, {"worksId", "w1"}}));
}

TEST_CASE("an amount anywhere in a message needs a yes") {
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

TEST_CASE("a member that is true accepts something and needs a yes") {
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

TEST_CASE("a reference is one word; a sentence in its place is judged as text") {
    CHECK(leaves("", {{"text", "Hello"}, {"orderId", "A-17.3"}}));
    CHECK_FALSE(leaves("", {{"text", "Hello"}, {"orderId", "agreed, 99 CNY"}}));
    CHECK_FALSE(
        leaves("collaboration_request", {{"request_id", "we pay 99 CNY"}, {"request", "Hello."}}));
    CHECK(leaves("", {{"text", "Hello"}, {"offer_message_id", "msg_1760000000000_0badf00d"}}));
    CHECK_FALSE(leaves("", {{"text", "Hello"}, {"offer_message_id", "yes_we_agree_to_250"}}));
}

TEST_CASE("an unknown member or a payload that is not an object needs a yes") {
    CHECK_FALSE(leaves("", {{"text", "Hello."}, {"deal", true}}));
    CHECK_FALSE(leaves("", {{"text", "Hello."}, {"status", "accepted"}}));
    CHECK_FALSE(leaves("general", {{"text", "Hello."}, {"deal", true}}));
    CHECK_FALSE(is_free_mail("", "[]"));
    CHECK_FALSE(is_free_mail("", "nonsense"));
}
