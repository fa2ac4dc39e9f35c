#pragma once

#include <cstdint>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "tests/integration/hostile/scene.h"

namespace a2h::test {

inline nlohmann::json price(const nlohmann::json& amount, const char* currency = "CNY") {
    return {{"amount", amount}, {"currency", currency}};
}

/// A seller whose mandate haggles about its one listing, from 300.00 not below 247.31.
struct HagglingSeller : Scene {
    HagglingSeller() {
        const nlohmann::json asked = daemon.call_assistant(
            "works.publish",
            nlohmann::json{{"type", 3}, {"title", "Portrait photos"}, {"content", "One hour."}}
                .dump());
        approve(asked);
        REQUIRE(eventually([&] {
            const nlohmann::json items = data("works.list").at("items");
            if (!items.empty()) works_id = items[0].at("worksId");
            return !works_id.empty();
        }));
        data("mandate.give", {{"action", "bargain"},
                              {"side", "sell"},
                              {"works_id", works_id},
                              {"currency", "CNY"},
                              {"opening_minor", 30'000},
                              {"amount_from_minor", 24'731},
                              {"count_per_day", 5},
                              {"pin", Daemon::kPin}});
    }
    void approve(const nlohmann::json& asked) {
        CAPTURE(asked.dump());
        REQUIRE(asked.at("error").contains("approval_id"));
        data("approval.answer", {{"approval_id", asked.at("error").at("approval_id")},
                                 {"decision", "approve"},
                                 {"pin", Daemon::kPin}});
    }
    nlohmann::json offer(const nlohmann::json& given,
                         const nlohmann::json& more = nlohmann::json::object()) const {
        nlohmann::json payload{{"type", "offer"}, {"worksId", works_id}, {"price", given}};
        payload.update(more);
        return payload;
    }
    std::string signed_by_mallory(const nlohmann::json& payload) const {
        return signed_message(mallory, seller.agent_id,
                              {.text = {}, .payload_json = wire::canonical_json(payload)});
    }
    void say(const nlohmann::json& payload) {
        publish(signed_by_mallory(payload));
        REQUIRE(settled(++received));
    }
    /// Payloads of the seller's answers.
    nlohmann::json answers() {
        nlohmann::json ours = nlohmann::json::array();
        for (const nlohmann::json& item : history(mallory.agent_id)) {
            if (item.at("direction") == "out") ours.push_back(item.at("payload"));
        }
        return ours;
    }
    nlohmann::json prices() {
        nlohmann::json all = nlohmann::json::array();
        for (const nlohmann::json& ours : answers()) {
            if (ours.contains("price")) all.push_back(ours.at("price").at("amount"));
        }
        return all;
    }

    std::string works_id;
    std::int64_t received = 0;
};

}  // namespace a2h::test
