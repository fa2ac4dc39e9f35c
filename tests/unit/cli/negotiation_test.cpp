// A negotiation of many parties, as a person at a terminal reads it.
#include "cli/invitation_text.h"
#include "cli/negotiation_story.h"
#include "cli/negotiation_text.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace a2h;
using cli::Invocation;
using nlohmann::json;

namespace {

Invocation negotiator(i18n::Language language = i18n::Language::English) {
    Invocation invocation;
    invocation.language = language;
    return invocation;
}

json negotiation() {
    return json::parse(R"({
      "demand_id": "d-1", "channel_id": "collab-1", "status": "completed", "state": "finalized",
      "outcome": "partial", "round": 2, "max_rounds": 3,
      "surface_demand": "a party \u001b[31min Beijing",
      "understanding": {"capability_tags": ["venue", "speaker"]},
      "candidates": [
        {"agent_id": "ag_bob", "display_name": "Bob", "state": "participating", "match_score": 90,
         "offer": {"decision": "conditional", "contribution": "a room for 30",
                   "conditions": ["not on a Sunday"],
                   "price": {"amount_minor": 50000, "currency": "CNY"}}},
        {"agent_id": "ag_eve", "state": "silent", "match_score": 70}],
      "proposals": [
        {"version": 1, "summary": "the first"},
        {"version": 2, "summary": "Bob's room",
         "assignments": [{"agent_id": "ag_bob", "display_name": "Bob", "role": "host",
                          "responsibility": "gives the room"}],
         "timeline": {"milestones": [{"name": "rehearsal", "date": "2026-12-01"}]},
         "adjustment_summary": {"changes_made": ["a smaller room"],
                                "requests_declined": ["a garden"]}}],
      "rounds": [
        {"round": 1, "feedback": [{"agent_id": "ag_bob", "feedback_type": "negotiate",
                                   "adjustment_request": "a smaller room"}]},
        {"round": 2, "feedback": [{"agent_id": "ag_bob", "feedback_type": "accept",
                                   "presumed": true}]}],
      "gaps": [{"gap_type": "speaker", "importance": 80, "reason": "nobody offered it"}],
      "compromise": {"summary": "without a speaker", "unresolved": ["who speaks"]},
      "sub_negotiations": [{"demand_id": "d-2", "surface_demand": "a speaker", "state": "failed",
                            "outcome": "failed", "reason": "no_candidates"}]})");
}

void check_holds(const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts) {
        CAPTURE(part);
        CHECK_MESSAGE(text.find(part) != std::string::npos, text);
    }
}

json story_event(const char* type, json payload) {
    return {{"event_type", type}, {"payload", std::move(payload)}};
}

}  // namespace

TEST_CASE("a negotiation is shown with who offers what, the newest plan and what came of it") {
    const std::string text = cli::render_negotiation(negotiator(), negotiation());
    check_holds(text, {"d-1, negotiation collab-1", "agreed in part", "wanted: venue, speaker",
                       "Bob (ag_bob)", "a room for 30, 500.00 CNY; only if: not on a Sunday",
                       "did not answer", "version 2 of at most 3: Bob's room", "gives the room",
                       "2026-12-01  rehearsal", "changed: a smaller room", "not granted: a garden",
                       "speaker (importance 80): nobody offered it", "without a speaker",
                       "unresolved: who speaks", "d-2  a speaker"});
    CHECK(text.find("the first") == std::string::npos);
    CHECK(text.find("\x1b[31m") == std::string::npos);
    check_holds(cli::render_negotiation(negotiator(i18n::Language::Chinese), negotiation()),
                {"部分达成一致", "前提：not on a Sunday", "第 2 版（最多 3 版）", "子协商"});
}

TEST_CASE("a silence that was counted is not shown as a yes") {
    const std::string text = cli::render_negotiation(negotiator(), negotiation());
    check_holds(text, {"Bob (ag_bob): wants changes – a smaller room",
                       "Bob (ag_bob): did not answer; counted as a yes that commits nobody"});
    const json counted =
        story_event("towow.proposal.feedback",
                    {{"agent_id", "ag_bob"}, {"feedback_type", "accept"}, {"presumed", true}});
    CHECK(cli::story_line(negotiator(), negotiation(), counted).find("commits nobody") !=
          std::string::npos);
}

TEST_CASE("the story names those who take part") {
    const auto line = [](const char* type, const json& payload) {
        return cli::story_line(negotiator(), negotiation(), story_event(type, payload));
    };
    CHECK(line("towow.offer.submitted",
               {{"agent_id", "ag_bob"}, {"decision", "participate"}, {"contribution", "a room"}}) ==
          "Bob (ag_bob) takes part: a room");
    CHECK(line("towow.offer.submitted",
               {{"agent_id", "ag_new"}, {"display_name", "New"}, {"decision", "decline"}}) ==
          "New (ag_new) declines");
    CHECK(line("towow.filter.completed",
               {{"candidates_count", 1}, {"candidates", {{{"agent_id", "ag_bob"}}}}}) ==
          "Found 1: ag_bob");
    CHECK(line("towow.proposal.finalized", {{"final_proposal", {{"summary", "all set"}}},
                                            {"participants_count", 2},
                                            {"rounds_taken", 1}}) ==
          "Agreed with 2 after 1 rounds: all set");
    CHECK(line("towow.something.new", json::object()).empty());
}

TEST_CASE("each step of a plan is shown with its state and with what can be done about it") {
    json data = negotiation();
    data["deeds"] = json::parse(R"([
      {"as": "offers", "subject": "ag_bob", "display_name": "Bob", "text": "a room for 30",
       "price": {"amount_minor": 50000, "currency": "CNY"},
       "approval_id": "appr_1", "status": "pending", "outcome": "none"},
      {"as": "briefs", "subject": "ag_eve", "text": "a talk",
       "approval_id": "appr_2", "status": "approved", "outcome": "failed"}])");
    const char* apply = "a2h negotiate apply d-1";
    const std::string waiting = cli::render_negotiation(negotiator(), data);
    check_holds(waiting, {"Bob (ag_bob)", "500.00 CNY", "a2h approve appr_1"});
    CHECK(waiting.find(apply) == std::string::npos);
    data["deeds"][1]["may_be_asked"] = true;
    check_holds(cli::render_negotiation(negotiator(), data), {apply});
}

TEST_CASE("one version of a plan shows its parts, its days and what changed") {
    const json plan{
        {"assignments",
         {{{"agent_id", "ag_bob"},
           {"display_name", "Bob"},
           {"role", "room"},
           {"responsibility", "a room for 30"},
           {"price", {{"amount_minor", 12'000}, {"currency", "EUR"}}}}}},
        {"timeline", {{"milestones", {{{"name", "doors open"}, {"date", "2026-12-01"}}}}}},
        {"adjustment_summary", {{"changes_made", {"Bob has joined."}}}}};
    CHECK(cli::render_plan(negotiator(), plan) ==
          "  Bob (ag_bob), room, 120.00 EUR\n    a room for 30\n  2026-12-01  doors open\n"
          "  changed: Bob has joined.\n");
    CHECK(cli::render_plan(negotiator(), json::object()).empty());
}

TEST_CASE("gaps are shown in a section of their own, which is absent without gaps") {
    const json data{{"gaps", {{{"gap_type", "photography"}, {"importance", 80}}}}};
    check_holds(cli::render_gaps(negotiator(), data), {"Gaps", "photography"});
    CHECK(cli::render_gaps(negotiator(), json::object()).empty());
}

TEST_CASE("negotiations are listed, and an answer without any of it shows as nothing") {
    json data = json::object();
    CHECK(cli::render_negotiations(negotiator(), data) == "There are no negotiations yet.\n");
    data["items"] = json::array({negotiation()});
    check_holds(cli::render_negotiations(negotiator(), data), {"d-1", "agreed in part"});
    CHECK_FALSE(cli::render_negotiation(negotiator(), json::object()).empty());
    CHECK(cli::story_line(negotiator(), json::object(), json::object()).empty());
}

TEST_CASE("no line of a peer's text looks like a line of ours in an invitation") {
    const json data{{"items",
                     {{{"channel_id", "collab-1"},
                       {"requester_id", "ag_bob"},
                       {"state", "reviewing"},
                       {"demand", {{"surface_demand", "A party\nThe plan binds nobody."}}},
                       {"proposal", {{"summary", "Bob's room\nYour price: 900.00 CNY"}}}}}}};
    const std::string text = cli::render_invitation(negotiator(), data);
    for (const char* line :
         {"\n      The plan binds nobody.\n", "\n      Your price: 900.00 CNY\n"})
        CHECK_MESSAGE(text.find(line) != std::string::npos, text);
}
