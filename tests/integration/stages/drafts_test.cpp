// A model that drafts what no rule answers, behind a real endpoint on loopback.

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "core/i18n/messages.h"
#include "core/store/case_store.h"
#include "core/store/outbox_store.h"
#include "core/wire/payload.h"
#include "tests/integration/crash/world.h"
#include "tests/support/scripted_http.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;
using std::chrono::milliseconds;

namespace {

constexpr const char* kOpenQuestion = "Which of your styles fits a school best?";
constexpr const char* kPendingOnly = R"({"status":"pending"})";

std::string sse(const json& data) {
    return "event: " + data.at("type").get<std::string>() + "\ndata: " + data.dump() + "\n\n";
}

/// The stream in which the Messages API answers a draft.
std::string draft_stream(const std::string& text) {
    json draft = json::object();
    draft["wish"] = "reply";
    draft["text"] = text;
    draft["why"] = "The listing says so.";
    json start = {{"type", "message_start"}};
    start["message"] = {{"model", "m-1"}, {"usage", {{"input_tokens", 9}, {"output_tokens", 1}}}};
    json delta = {{"type", "content_block_delta"}};
    delta["delta"] = {{"type", "text_delta"}, {"text", draft.dump()}};
    json end = {{"type", "message_delta"}};
    end["delta"]["stop_reason"] = "end_turn";
    end["usage"]["output_tokens"] = 7;
    return sse(start) + sse(delta) + sse(end) + sse({{"type", "message_stop"}});
}

/// A seller whose open questions a model drafts for.
struct Studio {
    explicit Studio(ScriptedHttp::Script script) : model(std::move(script)) {
        REQUIRE(wait_until_ready(daemon, {seller}));
    }

    Daemon::Options options() {
        auto chosen = world.options();
        chosen.config += "[model]\napi = \"messages\"\nmodel = \"m\"\nurl = \"" + model.url() +
                         "\"\ntimeout_seconds = 10\n";
        return chosen;
    }
    std::size_t open_questions() {
        return daemon.call_human("approval.list", kPendingOnly)["data"]["approvals"].size();
    }
    bool is_answered(Buyer& buyer) {
        return eventually(
            [&] {
                buyer.pump(milliseconds(5));
                return buyer.has_all_replies();
            },
            std::chrono::seconds(20));
    }

    ScriptedHttp model;
    World world;
    platform::Account seller = world.new_seller("seller");
    Daemon daemon{world.home(), {seller}, world.market().mqtt_url(), options()};
};

}  // namespace

TEST_CASE("a model's draft from the listing leaves once, and the peer's text was fenced") {
    Studio studio([](auto& peer, const auto&) {
        peer.begin_stream();
        peer.send(draft_stream("The logo design costs 280 CNY."));
    });
    Buyer buyer(studio.world.market(), "buyer");
    const std::string question = buyer.ask(studio.seller.agent_id, kOpenQuestion);
    REQUIRE(studio.is_answered(buyer));
    buyer.pump(milliseconds(300));
    CHECK(buyer.replies().at(question).size() == 1);
    CHECK(studio.open_questions() == 0);
    const auto requests = studio.model.requests();
    REQUIRE(requests.size() == 1);
    CHECK(requests[0].body.find(std::string(": ") + kOpenQuestion + "⟧") != std::string::npos);
    CHECK(requests[0].body.find("280 CNY") != std::string::npos);
}

TEST_CASE("a model that promises more than the listing gets the reasons, then the human") {
    Studio studio([](auto& peer, const auto&) {
        peer.begin_stream();
        peer.send(draft_stream("Agreed: half price for schools, and I promise it by Friday."));
    });
    Buyer buyer(studio.world.market(), "buyer");
    buyer.ask(studio.seller.agent_id, kOpenQuestion);
    CHECK(eventually([&] { return studio.open_questions() == 1; }, std::chrono::seconds(20)));
    CHECK(studio.is_answered(buyer));
    const auto sent =
        store::list_outbox(*studio.world.database(), studio.seller.agent_id, std::nullopt, 10);
    REQUIRE(sent->size() == 1);  // that somebody is asked, and no draft
    CHECK(wire::view_payload(sent->front().payload_json).text ==
          i18n::text(i18n::Language::English, "decide.reply.holding"));
    const auto requests = studio.model.requests();
    REQUIRE(requests.size() == 3);
    CHECK(requests[0].body.find("refused") == std::string::npos);
    CHECK(requests[2].body.find("refused") != std::string::npos);
}

TEST_CASE("SIGKILL while a model hangs: rules answered on, and the draft is made again, once") {
    std::atomic<bool> hangs = true;
    Studio studio([&hangs](auto& peer, const auto&) {
        if (hangs) return peer.hang();
        peer.begin_stream();
        peer.send(draft_stream("The logo design costs 280 CNY."));
    });
    Buyer buyer(studio.world.market(), "buyer");
    const std::string question = buyer.ask(studio.seller.agent_id, kOpenQuestion);
    REQUIRE(eventually([&] { return studio.model.requests().size() == 1; }));
    Buyer other(studio.world.market(), "other");
    other.ask(studio.seller.agent_id);
    CHECK(studio.is_answered(other));
    CHECK(studio.daemon.status()["backlog"]["undecided"] == 1);
    studio.daemon.kill();
    hangs = false;
    studio.daemon.start();
    REQUIRE(studio.is_answered(buyer));
    studio.daemon.kill();
    studio.daemon.start();
    REQUIRE(wait_until_ready(studio.daemon, {studio.seller}));
    buyer.pump(milliseconds(300));
    CHECK(buyer.replies().at(question).size() == 1);
    CHECK(store::open_cases(*studio.world.database(), 10).value().empty());
}
