#include "core/base/ids.h"

#include <doctest/doctest.h>

#include <set>

TEST_CASE("agent ids are ag_ with letters and digits only") {
    CHECK(a2h::is_agent_id("ag_seller"));
    CHECK(a2h::is_agent_id(a2h::new_agent_id()));
    for (const char* text :
         {"", "ag_", "seller", "ag_a_b", "ag_a.b", "ag_a/b", "ag_+", "ag_#", "AG_a"}) {
        CAPTURE(text);
        CHECK(!a2h::is_agent_id(text));
    }
}

TEST_CASE("a market sends under a name that no agent can have") {
    const std::string agent = a2h::new_agent_id();
    const std::string market = a2h::market_sender_id(agent);
    CHECK(market == "market_" + agent.substr(3));
    CHECK(a2h::is_market_sender_id(market));
    CHECK(!a2h::is_agent_id(market));
    CHECK(a2h::agent_of_market_sender(market) == agent);
    CHECK(a2h::agent_of_market_sender(agent).empty());
    CHECK(a2h::market_sender_id("x").empty());
    for (const char* text : {"", "market_", "market_a_b", "market_a/b", "ag_a", "Market_a"}) {
        CAPTURE(text);
        CHECK(!a2h::is_market_sender_id(text));
    }
}

TEST_CASE("R5: a session id does not depend on who asks") {
    CHECK(a2h::session_id("ag_b", "ag_a") == "ag_a_ag_b");
    CHECK(a2h::session_id("ag_a", "ag_b") == "ag_a_ag_b");
    CHECK(a2h::session_id("ag_a", "ag_B") == "ag_B_ag_a");
}

TEST_CASE("message ids carry the time and do not repeat") {
    std::set<std::string> seen;
    for (int i = 0; i < 1000; ++i)
        seen.insert(a2h::new_message_id(1760000000000));
    CHECK(seen.size() == 1000);
    CHECK(seen.begin()->starts_with("msg_1760000000000_"));
    CHECK(seen.begin()->size() == std::string("msg_1760000000000_").size() + 8);
}

TEST_CASE("an id without words is hexadecimal digits after a known prefix, and long enough") {
    CHECK(a2h::is_wordless_id(a2h::new_message_id(1760000000000)));
    CHECK(a2h::is_wordless_id("0d3d9a0a-1f3b-4c39-9f0e-6a5c1f1c7a11"));
    CHECK(a2h::is_wordless_id("0D3D9A0A1F3B4C399F0E6A5C1F1C7A11"));
    for (const char* text :
         {"", "msg_", "yes_we_agree_to_250", "ok_1760000000000_0badf00d", "250", "task_250",
          "msg_1760000000000_0badf00d_", "-1760000000000-0badf00d", "msg_1760000000000__0badf00d",
          "msg_1760000000000 0badf00d", "trace_msg_1760000000000_0badf00d",
          "5000-we-accede-to-that-5000", "acceded-5000-00000000", "ACCEDED-5000-00000000"}) {
        CAPTURE(text);
        CHECK_FALSE(a2h::is_wordless_id(text));
    }
    CHECK_FALSE(a2h::is_wordless_id(std::string(65, '1')));
}

TEST_CASE("the id of a negotiation is spelt as in the specification, or without words") {
    for (const char* text : {"collab-abc12345", "d-abc12345", "collab-5a801e490a9b",
                             "0d3d9a0a-1f3b-4c39-9f0e-6a5c1f1c7a11"}) {
        CAPTURE(text);
        CHECK(a2h::is_negotiation_id(text));
    }
    for (const char* text :
         {"", "collab-", "collab-1", "d-50", "we accept 50 EUR", "we-accept-50-EUR",
          "weaccept50EUR", "ch_we_accept", "collab-we-accept-50", "collab-accede50",
          "collab-abc12345 yes", "d-collab-abc12345", "collab-50-EUR-00000000"}) {
        CAPTURE(text);
        CHECK_FALSE(a2h::is_negotiation_id(text));
    }
}
