#pragma once

#include <atomic>
#include <functional>
#include <string>

#include <doctest/doctest.h>

#include "tests/integration/daemon/strangers.h"

namespace a2h::test {

/// The fault of the next request that changes something.
enum class Fault {
    None,
    AnswerIsLost,
    AnswerIsRubbish,
    GatewayFails,
    RequestIsLost,
    RequestIsLostButAnswered,
    RequestIsDoubled,
    MarketIsBusy,  ///< for this and all later requests
    MarketIsAway   ///< for this and all later requests
};

/// A seller who reaches the market through a faulty proxy.
struct Table {
    std::atomic<Fault> fault = Fault::None;
    std::atomic<bool> then_unreadable = false;  ///< the next lost answer is followed by empty ones
    std::atomic<bool> is_unreadable = false;
    std::atomic<bool> has_news = false;  ///< the market has news that the broker lacks
    std::atomic<int> changes = 0;        ///< requests of this kind that reached the market
    std::atomic<int> lost = 0;           ///< those that did not
    Strangers s;
    ScriptedHttp market{[this](ScriptedHttp::Peer& peer, const ScriptedHttp::Request& request) {
        const bool is_change = !request.head.starts_with("GET ");
        const Fault now = is_change ? fault.load() : Fault::None;
        const bool stays = now == Fault::MarketIsBusy || now == Fault::MarketIsAway;
        if (is_change && !stays) fault = Fault::None;
        if (now == Fault::RequestIsLost || now == Fault::MarketIsAway) {
            ++lost;
            return peer.reset();
        }
        if (!is_change && is_unreadable) {
            peer.answer(200, "");
            return;
        }
        if (now == Fault::RequestIsLostButAnswered) {
            peer.answer(200, R"({"code":"200","data":{}})");
            return;
        }
        if (is_change) ++changes;
        if (now == Fault::None) return relay_to(s.market, peer, request, news_in(request));
        Unanswered nobody;
        relay_to(s.market, nobody, request);
        if (then_unreadable.exchange(false)) is_unreadable = true;
        if (now == Fault::GatewayFails)
            peer.answer(502, "<html>");
        else if (now == Fault::MarketIsBusy)
            peer.answer(503, "later");
        else if (now == Fault::AnswerIsRubbish)
            peer.answer(200, "<html>");
        else if (now == Fault::RequestIsDoubled)
            relay_to(s.market, peer, request);  // refused, because its nonce was used
        else
            peer.reset();
    }};

    Table() { s.up("http://127.0.0.1:" + std::to_string(market.port())); }

    /// Asks for `action`, says yes and returns the question when it is settled.
    nlohmann::json approved(const std::string& action, const nlohmann::json& arguments) {
        const nlohmann::json asked = s.seller->call_assistant(action, arguments.dump());
        REQUIRE_MESSAGE(asked["error"].contains("approval_id"), asked.dump());
        const nlohmann::json which{{"approval_id", asked["error"]["approval_id"]}};
        nlohmann::json yes = which;
        yes.update({{"decision", "approve"}, {"pin", Daemon::kPin}});
        REQUIRE(s.seller->call_human("approval.answer", yes.dump())["ok"] == true);
        nlohmann::json question;
        REQUIRE(eventually([&] {
            question = s.seller->call_human("approval.list", which.dump())["data"]["approvals"][0];
            return question["outcome"] != "none" && question["outcome"] != "executing";
        }));
        return question;
    }
    /// The same, and checks that the market has made the change. Returns what `read` returns now.
    nlohmann::json done(const std::string& action, const nlohmann::json& arguments,
                        const std::string& read, const nlohmann::json& which) {
        const nlohmann::json question = approved(action, arguments);
        CHECK_MESSAGE(question["outcome"] == "executed", question.dump());
        return s.seller->call_assistant(read, which.dump());
    }
    void lose(Fault next) {
        changes = 0;
        lost = 0;
        fault = next;
    }

  private:
    std::function<void(std::string&)> news_in(const ScriptedHttp::Request& request) const {
        if (!has_news || !request.head.starts_with("GET /v1/messages/waiting")) return {};
        return [](std::string& body) {
            for (const std::string name : {"\"oldest\":0", "\"newest\":0"})
                body.replace(body.find(name), name.size(), name.substr(0, name.size() - 1) + "7");
        };
    }

    /// A client that has gone.
    struct Unanswered : ScriptedHttp::Peer {
        bool send(std::string_view) override { return false; }
        bool drip(std::string_view, std::size_t) override { return false; }
        void hang() override {}
        void reset() override {}
    };
};

}  // namespace a2h::test
