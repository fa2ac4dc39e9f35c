// Rows that any room writes.

#include "daemon/effects/rows.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace a2h;

namespace {

std::string trace_after(std::string_view trace_id) {
    return effects::new_outbox_message("ag_me", "ag_peer", R"({"text":"Hello"})", trace_id,
                                       "rule:question.price", 1'760'000'000'000)
        .trace_id;
}

}  // namespace

TEST_CASE("R6: every message of ours is tried for three days, whatever its type") {
    constexpr UnixMs kNow = 1'760'000'000'000;
    const auto text = effects::new_outbox_message("ag_me", "ag_peer", "{}", "", "rule:x", kNow);
    const auto mail =
        effects::new_mail("ag_me", "ag_peer", "status_report", {{"status", "done"}}, "x", kNow);
    for (const OutboxMessage* message : {&text, &mail}) {
        CHECK(message->expires_at_ms - kNow == 3LL * 24 * 3600 * 1000);
        CHECK(message->next_attempt_ms == kNow);
        CHECK(message->trace_id.starts_with("trace_"));
    }
    CHECK(mail.message_type == "status_report");
    CHECK(mail.payload_json == R"({"status":"done"})");
    CHECK(mail.message_id != text.message_id);
}

TEST_CASE("R47: a message of ours repeats a peer's trace id only if it is no sentence") {
    CHECK(trace_after("trace_1760000000000_0badf00d") == "trace_1760000000000_0badf00d");
    CHECK(trace_after("550e8400-e29b-41d4-a716-446655440000") ==
          "550e8400-e29b-41d4-a716-446655440000");
    for (const char* sentence : {"We accept 5000 EUR in advance", "we-accept-50-EUR", "yes", ""}) {
        CAPTURE(sentence);
        CHECK(trace_after(sentence) != sentence);
        CHECK(trace_after(sentence).starts_with("trace_"));
    }
}
