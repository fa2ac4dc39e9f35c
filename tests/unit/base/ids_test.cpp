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
