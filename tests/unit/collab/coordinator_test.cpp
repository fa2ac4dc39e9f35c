// Whole negotiations on a real database, with a scripted model.

#include "daemon/collab/coordinator.h"

#include <doctest/doctest.h>

#include <functional>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/demand_store.h"
#include "core/store/inbox_store.h"
#include "core/store/profile_store.h"
#include "daemon/collab/consent.h"
#include "daemon/collab/left_out.h"
#include "daemon/collab/party_answers.h"
#include "daemon/collab/words.h"
#include "daemon/model/answer.h"
#include "daemon/model/language_model.h"
#include "tests/support/identity.h"
#include "tests/support/manual_clock.h"
#include "tests/support/process.h"
#include "tests/support/read_mail.h"
#include "tests/support/save_profile.h"
#include "tests/support/scripted_http.h"
#include "tests/support/temp_dir.h"

namespace a2h::collab {
namespace {

/// The causes of a negotiation's messages, as in a2hd.
[[maybe_unused]] const bool kRegistered = (collab::register_actions(), true);

using nlohmann::json;

constexpr UnixMs kBeginning = 1'760'000'000'000;
const std::string kDown = "down";
const std::string kHeld = "held";

/// Answers by the name of the prompt; one without an answer is a failure of the endpoint.
class NamedDrafter final : public model::Drafter {
  public:
    explicit NamedDrafter(Loop& loop) : loop_(loop) {}

    void draft(model::Prompt prompt, Done done) override {
        const std::size_t begin = prompt.system.find("name: ") + 6;
        const std::string name =
            prompt.system.substr(begin, prompt.system.find('\n', begin) - begin);
        asked.push_back(name);
        const auto found = answers.find(name);
        const std::string answer = found == answers.end() ? kDown : found->second;
        auto reply = [answer, schema = prompt.schema_json, done = std::move(done)] {
            if (answer == kDown) return done(fail(ErrorCode::Unavailable, "down"));
            done(model::parse_answer(answer, schema));
        };
        if (answer == kHeld) {
            held = std::move(reply);  // as something that is no answer
            return;
        }
        loop_.post(std::move(reply));
    }

    std::map<std::string, std::string> answers;
    std::vector<std::string> asked;  ///< in their order
    std::function<void()> held;

  private:
    Loop& loop_;
};

Agents one_agent() {
    Agents agents;
    auto agent = std::make_unique<Agent>(test::identity_of("ag_requester"), 0U);
    agents.emplace("ag_requester", std::move(agent));
    return agents;
}

/// A market without news.
class NoMarket final : public ProfileSource {
  public:
    explicit NoMarket(Loop& loop) : loop_(loop) {}
    void refresh(Agent&, std::function<void()> done) override { loop_.post(std::move(done)); }

  private:
    Loop& loop_;
};

/// A coordinator on a loop of its own; the test acts as all others.
class Table {
  public:
    /// With `settings`, the model is the endpoint that they name.
    explicit Table(const model::Settings& settings = {}) {
        using store::Database;
        const auto file = dir_.path() / "a2hd.db";
        writer = std::make_unique<store::Writer>(
            Database::open(file, Database::Mode::ReadWrite).value());
        reader = Database::open(file, Database::Mode::ReadOnly).value();
        own_reader = Database::open(file, Database::Mode::ReadOnly).value();
        services = std::make_unique<kernel::Kernel>(
            kernel::Kernel{clock, loop, *writer, *reader, workers});
        endpoint = model::make_drafter(settings, {.poster = loop,
                                                  .clock = clock,
                                                  .key = {},
                                                  .spent = {},
                                                  .save = [](const std::string&) {}})
                       .value();
        model::Drafter& used = endpoint ? static_cast<model::Drafter&>(*endpoint) : drafter;
        thinking = std::make_unique<Thinking>(used);
        coordinator = std::make_unique<Coordinator>(*services, config, agents, profiles, mail,
                                                    thinking.get(), commits);
        thread_ = std::thread([this] { loop.run(); });
    }
    ~Table() {
        static_cast<void>(
            writer->submit_urgent([](store::Database&) { return Result<void>(); }).get());
        loop.stop();
        thread_.join();
    }
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    void know(const std::string& agent_id, std::vector<std::string> tags) {
        Profile profile;
        profile.agent_id = agent_id;
        profile.source = "import";
        profile.user_name = "Name of " + agent_id;
        profile.tags = std::move(tags);
        commit([&](store::Database& db) {
            return store::save_profile(db, profile, keys_of(profile));
        });
    }
    Negotiation submit(const std::string& text) {
        std::promise<Result<Negotiation>> answer;
        loop.post([&] {
            Submission wanted;
            wanted.agent_id = "ag_requester";
            wanted.raw_input = text;
            wanted.user_id = "user_1";
            coordinator->submit(
                wanted, [&](Result<Negotiation> made) { answer.set_value(std::move(made)); });
        });
        const auto made = answer.get_future().get();
        REQUIRE(made.has_value());
        return *made;
    }
    /// A message of a participant.
    void say(const std::string& agent_id, const std::string& type, json payload,
             const std::string& negotiation_id) {
        payload["channel_id"] = negotiation_id;
        InboxMessage message;
        message.agent_id = "ag_requester";
        message.sender_id = agent_id;
        message.message_type = type;
        message.provenance = Provenance::Verified;
        commit([&](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(const auto ignored,
                                 take_answer({db, config->approval, kBeginning}, message, payload));
            CHECK_MESSAGE(ignored.empty(), ignored);
            return {};
        });
        loop.post([this, negotiation_id] { coordinator->check_negotiation(negotiation_id); });
    }
    void commit(store::Writer::Work work) {
        REQUIRE(writer->submit_urgent(std::move(work)).get().has_value());
    }
    Negotiation negotiation(const std::string& id) {
        return store::get_negotiation(*own_reader, id).value().value();
    }
    Negotiation wait_for(const std::string& id, NegotiationState state, int round = 0) {
        CAPTURE(to_string(negotiation(id).state));
        REQUIRE(test::eventually([&] {
            const Negotiation now = negotiation(id);
            return now.state == state && (round == 0 || now.round == round);
        }));
        return negotiation(id);
    }
    Proposal plan(const std::string& id, int round) {
        return wire::parse_proposal(store::proposal_of_round(*own_reader, id, round).value());
    }
    std::vector<std::string> asked() {
        std::promise<std::vector<std::string>> answer;
        loop.post([&] { answer.set_value(drafter.asked); });
        return answer.get_future().get();
    }

    ManualClock clock{kBeginning};
    Loop loop;
    std::unique_ptr<store::Writer> writer;
    std::unique_ptr<store::Database> reader;
    std::unique_ptr<store::Database> own_reader;
    Workers workers{1};
    const Current<Config> config;
    kernel::Metrics metrics;
    std::unique_ptr<kernel::Kernel> services;
    const outcome::Commits commits{metrics, true};
    Agents agents = one_agent();
    NoMarket profiles{loop};
    test::ReadMail mail;
    NamedDrafter drafter{loop};
    std::unique_ptr<model::LanguageModel> endpoint;
    std::unique_ptr<Thinking> thinking;
    std::unique_ptr<Coordinator> coordinator;

  private:
    test::TempDir dir_;
    std::thread thread_;
};

json candidate(const char* agent_id) {
    return {{"agent_id", agent_id},
            {"display_name", "somebody"},
            {"reason", "fits this part"},
            {"match_type", "explicit"},
            {"confidence", 0.9}};
}

json selection(std::vector<json> chosen) {
    return {{"analysis", "by tags"},
            {"total_candidates", chosen.size()},
            {"definitely_related", std::move(chosen)},
            {"possibly_related", json::array()}};
}

json duty(const char* agent_id, const char* role, const char* responsibility) {
    return {{"agent_id", agent_id},
            {"display_name", "somebody"},
            {"role", role},
            {"responsibility", responsibility},
            {"dependencies", json::array()}};
}

json plan_json(const char* talk) {
    return {{"summary", "Two of three parts."},
            {"objective", "An evening about tea"},
            {"assignments",
             {duty("ag_room", "Host", "Lends the room"), duty("ag_talk", "Speaker", talk)}},
            {"timeline", {{"milestones", json::array()}}},
            {"rationale", "One offer each"},
            {"gaps", json::array()},
            {"confidence", "medium"}};
}

const json kTakesPart{{"decision", "participate"}, {"contribution", "what is needed"}};
const json kYes{{"feedback_type", "accept"}};
const json kShorter{{"feedback_type", "negotiate"}, {"adjustment_request", "half an hour"}};

void script_all(std::map<std::string, std::string>& answers) {
    answers["demand-understanding"] = json{
        {"surface_demand", "An evening about tea in Hangzhou"},
        {"deep_understanding", {{"motivation", ""}, {"likely_preferences", json::array()}}},
        {"capability_tags", {"room", "speaker", "photography"}},
        {"context", {{"location", "Hangzhou"}}},
        {"uncertainties", json::array()},
        {"confidence", "medium"}}.dump();
    answers["smart-filter"] =
        selection({candidate("ag_room"), candidate("ag_talk"), candidate("ag_invented")}).dump();
    answers["proposal-aggregation"] = plan_json("Speaks for an hour").dump();
    json adjusted = plan_json("Speaks for half an hour");
    adjusted["adjustment_summary"] = {{"round", 2},
                                      {"changes_made", {"The talk is shorter"}},
                                      {"requests_addressed", {"ag_talk: half an hour"}},
                                      {"requests_declined", json::array()}};
    answers["proposal-adjustment"] = adjusted.dump();
    answers["gap-identification"] = json{
        {"is_complete", true},
        {"analysis", "nothing is missing"},
        {"gaps", json::array()}}.dump();
    json decision{{"should_recurse", true}};
    for (const char* number : {"1", "2", "3"}) {
        decision[std::string("condition_") + number + "_met"] = true;
        decision[std::string("condition_") + number + "_analysis"] = "yes";
    }
    decision["sub_demands"] = {{{"description", "Somebody who takes photographs in Hangzhou"},
                                {"capability_tags", {"photography"}},
                                {"priority", "high"}}};
    answers["recursion-decision"] = decision.dump();
    answers["compromise"] = json{
        {"summary", "There is a room."},
        {"type", "compromise"},
        {"assignments", {duty("ag_talk", "Speaker", "has accepted")}},
        {"compromises", json::array()},
        {"unresolved", json::array()},
        {"suggestions", {"Ask another speaker"}},
        {"confidence",
         "medium"}}.dump();
}

}  // namespace

TEST_CASE("A negotiation is thought through by all prompts of the requester") {
    Table table;
    table.know("ag_room", {"room"});
    table.know("ag_talk", {"speaker"});
    table.know("ag_photo", {"photography"});
    script_all(table.drafter.answers);
    const Negotiation begun = table.submit("An evening about tea in Hangzhou");
    const std::string id = begun.negotiation_id;
    CHECK(wire::parse_understanding(begun.understanding_json).capability_tags.size() == 3);
    table.wait_for(id, NegotiationState::Collecting);
    CHECK(store::parties_of(*table.own_reader, id).value().size() == 2);  // nobody invented
    for (const char* agent : {"ag_room", "ag_talk"})
        table.say(agent, "offer_response", kTakesPart, id);
    for (int round = 1; round <= kNegotiationRoundsMax; ++round) {
        table.wait_for(id, NegotiationState::Negotiating, round);
        const Proposal plan = table.plan(id, round);
        REQUIRE(plan.parts.size() == 2);
        CHECK(plan.parts[0].responsibility == "Lends the room");
        CHECK(plan.parts[1].responsibility ==
              (round == 1 ? "Speaks for an hour" : "Speaks for half an hour"));
        CHECK(plan.requests_granted.size() == (round == 2 ? 1 : 0));  // once it is half an hour
        if (round == kNegotiationRoundsMax) {
            // From now on only who is found for the sub-demand may be chosen.
            table.loop.post([&] {
                table.drafter.answers["smart-filter"] = selection({candidate("ag_photo")}).dump();
            });
        }
        table.say("ag_room", "proposal_feedback", kYes, id);
        table.say("ag_talk", "proposal_feedback", kShorter, id);
    }
    const Negotiation ended = table.wait_for(id, NegotiationState::Finalized);
    CHECK(ended.outcome == NegotiationOutcome::Partial);
    // A model that sees no gaps does not close any.
    CHECK(wire::read_gaps(json::parse(ended.gaps_json)).size() == 2);
    const json compromise = json::parse(ended.compromise_json);
    REQUIRE(compromise.at("assignments").size() == 1);
    CHECK(compromise.at("assignments")[0].at("agent_id") == "ag_room");
    CHECK(compromise.at("suggestions")[0] == "Ask another speaker");

    const auto below = store::negotiations_below(*table.own_reader, id).value();
    REQUIRE(below.size() == 1);
    const std::string sub = below[0].negotiation_id;
    CHECK(below[0].parent_negotiation_id == id);
    CHECK(below[0].user_id == "user_1");
    CHECK(below[0].raw_input == begun.raw_input);
    CHECK(wire::parse_understanding(below[0].understanding_json).surface_demand ==
          "Somebody who takes photographs in Hangzhou");
    table.wait_for(sub, NegotiationState::Collecting);
    table.say("ag_photo", "offer_response", kTakesPart, sub);
    table.wait_for(sub, NegotiationState::Negotiating);
    table.say("ag_photo", "proposal_feedback", kYes, sub);
    CHECK(table.wait_for(sub, NegotiationState::Finalized).outcome == NegotiationOutcome::Agreed);
    CHECK(store::negotiations_below(*table.own_reader, sub).value().empty());
    CHECK(table.asked() ==
          std::vector<std::string>{"demand-understanding", "smart-filter", "proposal-aggregation",
                                   "proposal-adjustment", "proposal-adjustment",
                                   "gap-identification", "recursion-decision", "compromise",
                                   "smart-filter", "proposal-aggregation", "gap-identification"});
}

TEST_CASE("Rules decide if every answer of the model is an error or invalid") {
    Table table;
    table.know("ag_room", {"room"});
    table.know("ag_talk", {"speaker"});
    std::string answer = kDown;
    SUBCASE("down") {}
    SUBCASE("nonsense") {
        answer = "I would rather not.";
    }
    SUBCASE("another object") {
        answer = R"({"wish":"reply","text":"done","why":"x"})";
    }
    for (const char* name : {"demand-understanding", "smart-filter", "proposal-aggregation",
                             "proposal-adjustment", "gap-identification", "compromise"})
        table.drafter.answers[name] = answer;
    const Negotiation begun = table.submit("We need a room and a speaker");
    const std::string id = begun.negotiation_id;
    CHECK(wire::parse_understanding(begun.understanding_json).confidence == "low");
    table.wait_for(id, NegotiationState::Collecting);
    for (const char* agent : {"ag_room", "ag_talk"})
        table.say(agent, "offer_response", kTakesPart, id);
    table.wait_for(id, NegotiationState::Negotiating, 1);
    CHECK(table.plan(id, 1).parts[0].responsibility == "what is needed");
    table.say("ag_room", "proposal_feedback", kYes, id);
    table.say("ag_talk", "proposal_feedback", kShorter, id);
    table.wait_for(id, NegotiationState::Negotiating, 2);
    CHECK(table.plan(id, 2).requests_declined.size() == 1);
    for (const char* agent : {"ag_room", "ag_talk"})
        table.say(agent, "proposal_feedback", kYes, id);
    CHECK(table.wait_for(id, NegotiationState::Finalized).outcome == NegotiationOutcome::Agreed);
    CHECK(table.asked().size() == 5);
}

TEST_CASE("A thought that comes after the negotiation was called off changes nothing") {
    Table table;
    table.know("ag_room", {"room"});
    table.drafter.answers["proposal-aggregation"] = kHeld;
    const std::string id = table.submit("We need a room").negotiation_id;
    table.wait_for(id, NegotiationState::Collecting);
    table.say("ag_room", "offer_response", kTakesPart, id);
    REQUIRE(test::eventually([&] { return table.asked().size() == 3; }));
    std::promise<bool> cancelled;
    table.loop.post([&] {
        table.coordinator->cancel(id, true, [&](const Result<Negotiation>& done) {
            cancelled.set_value(done.has_value());
        });
    });
    CHECK(cancelled.get_future().get());
    const Negotiation before = table.negotiation(id);
    std::promise<void> answered;
    table.loop.post([&] {
        table.drafter.held();
        answered.set_value();
    });
    answered.get_future().get();
    table.asked();  // the loop is behind it
    table.commit([](store::Database&) { return Result<void>(); });
    table.asked();
    const Negotiation after = table.negotiation(id);
    CHECK(after.outcome == NegotiationOutcome::Cancelled);
    CHECK(after.revision == before.revision);
    CHECK(after.round == 0);
}

TEST_CASE("R46: a step that could answer something waits until the mail at the broker was read") {
    Table table;
    table.know("ag_room", {"room"});
    table.mail.is_read = false;
    const std::string id = table.submit("We need a room").negotiation_id;
    REQUIRE(test::eventually([&] { return table.mail.readings >= 2; }));
    CHECK(table.negotiation(id).state == NegotiationState::Broadcasting);
    table.mail.is_read = true;
    table.wait_for(id, NegotiationState::Collecting);

    // A deadline passes, and an answer may be waiting.
    table.mail.is_read = false;
    table.clock.advance(std::chrono::hours(48));
    const int readings = table.mail.readings;
    table.loop.post([&] { table.coordinator->check_negotiation(id); });
    REQUIRE(test::eventually([&] { return table.mail.readings >= readings + 2; }));
    CHECK(table.negotiation(id).state == NegotiationState::Collecting);
    table.say("ag_room", "offer_response", kTakesPart, id);
    table.mail.is_read = true;
    table.wait_for(id, NegotiationState::Negotiating, 1);
}

TEST_CASE("R46: if mail is unread for ten minutes, something counts as open with everybody") {
    Table table;
    table.know("ag_room", {"room"});
    table.mail.is_read = false;
    const std::string id = table.submit("We need a room").negotiation_id;
    REQUIRE(test::eventually([&] { return table.mail.readings >= 2; }));
    CHECK(table.negotiation(id).state == NegotiationState::Broadcasting);
    table.clock.advance(Coordinator::kUnreadMax);
    CHECK(table.wait_for(id, NegotiationState::Failed).reason == "no_participants");
    const auto parties = store::parties_of(*table.own_reader, id).value();
    REQUIRE(parties.size() == 1);
    CHECK(is_left_out(parties[0]));
}

TEST_CASE("R46: an answer that was received and not settled yet is waited for") {
    Table table;
    table.know("ag_room", {"room"});
    const std::string id = table.submit("We need a room").negotiation_id;
    table.wait_for(id, NegotiationState::Collecting);
    CHECK_FALSE(store::has_undecided_answer(*table.own_reader, "ag_requester", id).value());
    InboxMessage answer;
    answer.agent_id = "ag_requester";
    answer.sender_id = "ag_room";
    answer.message_id = "m_answer";
    answer.message_type = "offer_response";
    answer.trace_id = "trace_1";
    answer.payload_json = json{{"channel_id", id}}.dump();
    answer.payload_hash = "hash";
    answer.envelope_json = "{}";
    answer.provenance = Provenance::Verified;
    answer.received_at_ms = kBeginning;
    table.commit([&](store::Database& db) -> Result<void> {
        const auto inserted = store::insert_inbox(db, answer, {});
        return inserted ? Result<void>() : fail(inserted.error());
    });
    CHECK(store::has_undecided_answer(*table.own_reader, "ag_requester", id).value());
    CHECK_FALSE(store::has_undecided_answer(*table.own_reader, "ag_requester", "other").value());
}

namespace {

model::Settings settings_of(const test::ScriptedHttp& server) {
    model::Settings settings;
    settings.api = model::Api::Messages;
    settings.url = server.url("/v1/messages");
    settings.model = "scripted";
    return settings;
}

void stream_text(test::ScriptedHttp::Peer& peer, const std::string& text) {
    const json events[] = {
        {{"type", "message_start"},
         {"message", {{"model", "m"}, {"usage", {{"input_tokens", 9}, {"output_tokens", 1}}}}}},
        {{"type", "content_block_delta"}, {"delta", {{"type", "text_delta"}, {"text", text}}}},
        {{"type", "message_delta"},
         {"delta", {{"stop_reason", "end_turn"}}},
         {"usage", {{"output_tokens", 9}}}},
        {{"type", "message_stop"}}};
    peer.begin_stream();
    for (const json& event : events) {
        peer.send("event: " + event.at("type").get<std::string>() + "\ndata: " + event.dump() +
                  "\n\n");
    }
}

/// From the demand to a plan that one participant accepts; how often the endpoint was asked.
std::size_t run_alone(Table& table, test::ScriptedHttp& server) {
    table.know("ag_room", {"room"});
    const std::string id = table.submit("We need a room").negotiation_id;
    table.wait_for(id, NegotiationState::Collecting);
    table.say("ag_room", "offer_response", kTakesPart, id);
    table.wait_for(id, NegotiationState::Negotiating, 1);
    table.say("ag_room", "proposal_feedback", kYes, id);
    CHECK(table.wait_for(id, NegotiationState::Finalized).outcome == NegotiationOutcome::Agreed);
    return server.requests().size();
}

}  // namespace

TEST_CASE("An endpoint rests after three failures, but not after invalid answers") {
    test::ScriptedHttp failing([](auto& peer, const auto&) { peer.answer(500, "{}"); });
    Table without(settings_of(failing));
    CHECK(run_alone(without, failing) == 3);  // of four steps
    test::ScriptedHttp talking([](auto& peer, const auto&) { stream_text(peer, "Sure!"); });
    Table with(settings_of(talking));
    CHECK(run_alone(with, talking) == 4);
}

TEST_CASE("An endpoint that hangs keeps no demand waiting for longer than its time-out") {
    test::ScriptedHttp server([](auto& peer, const auto&) { peer.hang(); });
    auto settings = settings_of(server);
    settings.timeout = std::chrono::seconds(1);
    Table table(settings);
    table.know("ag_room", {"room"});
    const Negotiation begun = table.submit("We need a room");
    CHECK(wire::parse_understanding(begun.understanding_json).capability_tags ==
          std::vector<std::string>{"room"});
    CHECK(server.requests().size() >= 1);
}

}  // namespace a2h::collab
