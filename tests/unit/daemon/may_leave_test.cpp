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
    CHECK(
        leaves("status_report",
               {{"task_id", "t-1"}, {"status", "in_progress"}, {"summary", "The work goes on."}}));
}

TEST_CASE("an amount asks, wherever in a message it stands") {
    CHECK_FALSE(leaves("", {{"text", "You get it for 99 CNY."}}));
    CHECK_FALSE(leaves("status_report", {{"task_id", "t-1"},
                                         {"status", "completed"},
                                         {"summary", "done"},
                                         {"result", {{"price_cny", 99}}}}));
    CHECK_FALSE(leaves("status_report", {{"task_id", "t-1"},
                                         {"status", "completed"},
                                         {"summary", "done"},
                                         {"result", {{"offers", {"99 CNY"}}}}}));
}

TEST_CASE("a reference is one word; a sentence in its place is read") {
    CHECK(leaves("", {{"text", "About that order."}, {"orderId", "A-17.3"}}));
    CHECK_FALSE(leaves("", {{"text", "About that."}, {"orderId", "agreed, 99 CNY"}}));
    CHECK_FALSE(leaves("collaboration_request",
                       {{"request_id", "we pay 99 CNY"}, {"request", "Work with us."}}));
}

TEST_CASE(
    "an ordinary message with a member that is not known asks, and so does what is no object") {
    CHECK_FALSE(leaves("", {{"text", "Hello."}, {"deal", true}}));
    CHECK_FALSE(leaves("", {{"text", "Hello."}, {"status", "accepted"}}));
    CHECK_FALSE(leaves("general", {{"text", "Hello."}, {"deal", true}}));
    CHECK_FALSE(may_leave("", "[]", {}));
    CHECK_FALSE(may_leave("", "nonsense", {}));
}
