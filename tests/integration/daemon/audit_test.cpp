#include <doctest/doctest.h>

#include <vector>

#include "core/wire/audit_file.h"
#include "tests/integration/daemon/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

/// The rows of an audit, oldest first; fails the test when the chain is broken.
std::vector<json> audit_of(Daemon& daemon) {
    const json data = daemon.call_human("audit.export")["data"];
    std::vector<json> rows;
    wire::AuditCheck check;
    for (const json& line : data["lines"]) {
        REQUIRE(check.take(line.get<std::string>()).has_value());
        rows.push_back(json::parse(line.get<std::string>()));
        rows.back()["detail"] = json::parse(rows.back()["detail"].get<std::string>());
    }
    return rows;
}

/// The details of all rows of kind `what`.
json details_of(Daemon& daemon, std::string_view what) {
    json found = json::array();
    for (const json& row : audit_of(daemon))
        if (row["what"] == what) found.push_back(row["detail"]);
    return found;
}

}  // namespace

TEST_CASE(
    "the audit tells what came in, by which rule it was answered, and that the broker has it") {
    Scene s;
    s.publish_listing();
    s.buyer_says("How much is the portrait photo session?");
    REQUIRE(eventually([&] { return s.replies_to_buyer().size() == 1; }));
    s.buyer_says("Thanks!");
    REQUIRE(eventually([&] {
        return !details_of(s.seller, "message.decided").empty() &&
               !details_of(s.seller, "message.acknowledged").empty();
    }));
    const json answered = details_of(s.seller, "message.acknowledged")[0];
    CAPTURE(answered.dump());
    CHECK(answered["to"] == s.buyer_account.agent_id);
    CHECK(answered["decision"] == "answer");
    CHECK(!answered["rule"].get<std::string>().empty());
    CHECK(answered["answers"].get<std::string>().starts_with("msg_"));
    CHECK(answered["answers_sha256"].get<std::string>().size() == 64);
    CHECK(answered["payload_sha256"].get<std::string>().size() == 64);
    const json silent = details_of(s.seller, "message.decided")[0];
    CHECK(silent["decision"] == "silent");
    CHECK(silent["from"] == s.buyer_account.agent_id);
    // Texts are in it as hashes only.
    CHECK(json(audit_of(s.seller)).dump().find("How much") == std::string::npos);
}

TEST_CASE("the audit of an approval goes on to the broker's acknowledgement of its reply") {
    Scene s;
    s.publish_listing();
    s.buyer_says("Can you do it for 200 CNY?");
    const std::string id = s.open_approval()["approval_id"];
    REQUIRE(s.answer(s.seller, id, "approve")["ok"] == true);
    std::string story;
    const bool ended = eventually([&] {
        story.clear();
        for (const json& row : audit_of(s.seller))
            if (row["approval_id"] == id) story += row["what"].get<std::string>() + " ";
        return story.find("message.acknowledged") != std::string::npos;
    });
    CAPTURE(story);
    REQUIRE(ended);
    CHECK(story.find("asked ") != std::string::npos);
    CHECK(story.find("answered ") < story.find("message.acknowledged"));
}
