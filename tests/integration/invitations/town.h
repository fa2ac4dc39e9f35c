#pragma once

// A real a2hd is invited over a real broker. The requester is another a2hd whose messages the test
// puts into its outbox, so that they are signed and sent as everything else is.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/store/invitation_store.h"
#include "core/store/outbox_store.h"
#include "core/wire/canonical.h"
#include "core/wire/demand_messages.h"
#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/permit.h"
#include "tests/support/queued_message.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

inline constexpr std::string_view kGuest = R"([web]
listen = "127.0.0.1:0"
[notify]
channels = []
[negotiation]
contribution = "a room for 30 people"
tags = ["venue"]
)";

struct Town {
    const std::string more;
    TempDir dir;
    Market market{dir.path() / "market"};
    platform::Account asker_account = market.register_agent("asker");
    platform::Account guest_account = market.register_agent("guest");
    Daemon asker{dir.path() / "asker", {asker_account}, market.mqtt_url()};
    Daemon guest{dir.path() / "guest",
                 {guest_account},
                 market.mqtt_url(),
                 {.config = std::string(kGuest) + more, .environment = {}, .people = {}}};

    /// `more` of the guest's config.toml.
    explicit Town(std::string more_config = {}) : more(std::move(more_config)) {
        REQUIRE(asker.connected());
        REQUIRE(guest.connected());
    }

    static std::unique_ptr<store::Database> database(const Daemon& daemon,
                                                     store::Database::Mode mode) {
        return store::Database::open(daemon.home() / "a2hd.db", mode).value();
    }

    /// Sends what the asker would; it finds the row when it starts.
    void tell(const nlohmann::json& payload) { tell(payload, payload["type"].get<std::string>()); }
    void tell(const nlohmann::json& payload, const std::string& message_type) {
        asker.stop();
        {
            const auto db = database(asker, store::Database::Mode::ReadWrite);
            const OutboxMessage message =
                queued_message(asker_account.agent_id, guest_account.agent_id, message_type,
                               wire::canonical_json(payload), "rule:test");
            REQUIRE(db->begin());
            REQUIRE(test::insert_outbox(*db, message));
            REQUIRE(db->commit());
        }
        asker.start();
        REQUIRE(asker.connected());
    }
    void invite(const std::string& tag = "venue", UnixMs answer_by_ms = 0,
                const std::string& negotiation = "collab-00000001") {
        wire::DemandOffer offer;
        offer.answer_by_ms = answer_by_ms;
        offer.negotiation_id = negotiation;
        offer.demand_id = "d-00000001";
        offer.demand.surface_demand = "a meeting about AI";
        offer.demand.capability_tags = {tag};
        tell(wire::to_json(offer));
    }
    void propose(const std::string& summary = "an evening") {
        wire::ProposalReview review;
        review.negotiation_id = "collab-00000001";
        review.demand_id = "d-00000001";
        review.proposal.version = 1;
        review.proposal.summary = summary;
        PlanPart part;
        part.agent_id = guest_account.agent_id;
        part.responsibility = "a room for 30 people";
        review.proposal.parts = {part};
        tell(wire::to_json(review));
    }
    void end() {
        wire::NegotiationEnded ended;
        ended.negotiation_id = "collab-00000001";
        ended.demand_id = "d-00000001";
        ended.outcome = NegotiationOutcome::Agreed;
        ended.is_bound = true;
        tell(wire::to_json(ended));
    }

    std::optional<Invitation> invitation() const {
        const auto db = database(guest, store::Database::Mode::ReadOnly);
        return store::get_invitation(*db, guest_account.agent_id, asker_account.agent_id,
                                     "collab-00000001")
            .value();
    }
    bool becomes(InvitationState state) const {
        return eventually([&] {
            const auto found = invitation();
            return found && found->state == state;
        });
    }
    /// Payloads of the guest's answers that have left, oldest first.
    std::vector<nlohmann::json> answers() const {
        const auto db = database(guest, store::Database::Mode::ReadOnly);
        const auto rows =
            store::list_outbox(*db, guest_account.agent_id, std::nullopt, 100).value();
        std::vector<nlohmann::json> payloads;
        for (const OutboxMessage& row : rows) {
            if (row.state != OutboxState::Sent && row.state != OutboxState::Delivered) continue;
            payloads.insert(payloads.begin(), nlohmann::json::parse(row.payload_json));
        }
        return payloads;
    }
    std::size_t answers_written() const {
        const auto db = database(guest, store::Database::Mode::ReadOnly);
        return store::list_outbox(*db, guest_account.agent_id, std::nullopt, 100).value().size();
    }
    /// The asker has so many of them, and no more have left.
    bool receives(std::size_t count) {
        return eventually([&] {
            return asker.status()["counts"]["received"] == count && answers().size() == count;
        });
    }

    /// The answer with this decision, when it has left.
    nlohmann::json decided(const std::string& decision) {
        nlohmann::json found;
        REQUIRE(eventually([&] {
            for (const nlohmann::json& answer : answers())
                if (answer.value("decision", "") == decision) found = answer;
            return !found.is_null();
        }));
        return found;
    }

    /// The guest's human at the terminal.
    Ran a2h(std::vector<std::string> arguments, std::string_view input = {},
            const std::string& language = "en_US.UTF-8") const {
        return guest.a2h(std::move(arguments), input, language);
    }
    /// Calls it as an assistant does.
    nlohmann::json say(const std::string& operation, nlohmann::json arguments) {
        arguments["channel_id"] = "collab-00000001";
        return guest.call_assistant(operation, arguments.dump());
    }
    /// The guest's assistant writes to the asker, and its human says yes.
    void guest_is_let_say(const std::string& text) {
        const nlohmann::json arguments{{"target_agent_id", asker_account.agent_id}, {"text", text}};
        const nlohmann::json asked = guest.call_assistant("send", arguments.dump());
        REQUIRE_MESSAGE(asked["error"].contains("approval_id"), asked.dump());
        REQUIRE(answer(asked["error"]["approval_id"], "approve")["ok"] == true);
        REQUIRE(eventually([&] { return !answers().empty(); }));
    }
    nlohmann::json open_cards() {
        return guest.call_human("approval.list", R"({"status":"pending"})")["data"]["approvals"];
    }
    /// The only card; waits for it.
    std::string card() {
        nlohmann::json open;
        REQUIRE(eventually([&] {
            open = open_cards();
            return open.size() == 1;
        }));
        return open[0]["approval_id"];
    }
    nlohmann::json answer(const std::string& id, const std::string& decision) {
        const nlohmann::json arguments{
            {"approval_id", id}, {"decision", decision}, {"pin", Daemon::kPin}};
        return guest.call_human("approval.answer", arguments.dump());
    }
    void give_mandate() {
        const nlohmann::json given =
            guest.call_human("mandate.give", nlohmann::json{{"action", "demand.join"},
                                                            {"currency", "CNY"},
                                                            {"count_per_day", 3},
                                                            {"pin", Daemon::kPin}}
                                                 .dump());
        REQUIRE_MESSAGE(given["ok"] == true, given.dump());
    }
};

}  // namespace a2h::test
