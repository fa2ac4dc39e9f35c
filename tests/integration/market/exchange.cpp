#include "tests/integration/market/exchange.h"

#include <doctest/doctest.h>

#include "core/base/ids.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

using nlohmann::json;

Market& server() {
    static TempDir dir;
    static Market running(dir.path());
    return running;
}

std::string unique(const std::string& word) {
    return word + "-" + random_hex(4);
}

void set_capabilities(const platform::Account& agent, const json& capabilities) {
    const auto set = call(agent, "PUT", "/v1/agents/" + agent.agent_id + "/capabilities",
                          {{"capabilities", capabilities}});
    REQUIRE_MESSAGE(set.status == 200, set.text);
}

platform::Account supplier(const std::string& name, const std::string& type,
                           const std::vector<std::string>& domains) {
    auto agent = plain_agent(server(), name);
    set_capabilities(agent, json::array({{{"type", type}, {"domains", domains}}}));
    return agent;
}

std::string new_rfp(const platform::Account& buyer, const std::string& type,
                    const std::vector<std::string>& domains, const std::string& deadline) {
    json body{{"title", "Wanted"},
              {"description", "as said"},
              {"capability_type", type},
              {"domain_filters", domains}};
    if (!deadline.empty()) body["deadline_at"] = deadline;
    const auto created = call(buyer, "POST", "/v1/rfps", body);
    REQUIRE_MESSAGE(created.status == 200, created.text);
    return created.data()["rfp_id"];
}

std::string offer(const platform::Account& seller, const std::string& rfp, int amount) {
    const auto handed_in = call(seller, "POST", rfp + "/proposals",
                                {{"price", {{"currency", "CNY"}, {"amount", amount}}}});
    REQUIRE_MESSAGE(handed_in.status == 200, handed_in.text);
    return handed_in.data()["proposal_id"];
}

}  // namespace a2h::test
