// No answer that an assistant gets depends on a limit of a mandate, except for what
// docs/security.md lists: which of its own orders and offers are sent without asking.

#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "core/base/time_text.h"
#include "core/wire/listing_digest.h"
#include "tests/integration/trade/open_table.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

struct Limits {
    const char* differs;
    int lowest = 20'000;
    int highest = 40'000;
    int count = 50;
    int sum = 5'000'000;
};

/// Amounts that are within the first limits and not within all of the others, in minor units.
constexpr int kBetween[] = {25'000, 35'000};
constexpr int kWithinAll = 30'000;

/// Replaces what differs between two homes that do the same: ids by their order, times, ports.
class Normaliser {
  public:
    json operator()(const json& value) {
        if (value.is_string()) return text(value.get<std::string>());
        if (value.is_number_integer() && value.get<std::int64_t>() > 1'000'000'000'000)
            return "TIME";
        if (!value.is_structured()) return value;
        json plain(value.type());
        for (auto item = value.begin(); item != value.end(); ++item) {
            if (value.is_array()) {
                plain.push_back((*this)(*item));
            } else {
                // How long a commit took, in microseconds, is the machine's.
                const bool is_duration = item.key().ends_with("_us");
                plain[text(item.key())] = is_duration ? json("TIME") : (*this)(*item);
            }
        }
        return plain;
    }

  private:
    std::string text(std::string value) {
        static const std::regex kTime(
            R"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?|127\.0\.0\.1:\d+)");
        static const std::regex kId(R"([A-Za-z0-9_-]*[0-9][A-Za-z0-9_-]*)");
        value = std::regex_replace(value, kTime, "TIME");
        std::string plain;
        std::smatch found;
        while (std::regex_search(value, found, kId)) {
            const std::string id = found[0];
            plain += found.prefix();
            plain += id.size() < 10 ? id : "#" + std::to_string(number_of(id));
            value = found.suffix();
        }
        return plain + value;
    }
    std::size_t number_of(const std::string& id) {
        return ids_.emplace(id, ids_.size() + 1).first->second;
    }

    std::map<std::string, std::size_t> ids_;
};

struct Heard {
    std::string what;
    json answer;  ///< normalised
};

/// A seller with every mandate that the seller's assistant could touch, and a peer.
class Home : public OpenTable {
  public:
    explicit Home(Limits given) : limits(given) {
        peer_works = made(peer_market(), "works.publish",
                          {{"type", 3},
                           {"title", "Oak frames"},
                           {"content", "A frame of oak, 30 by 40."},
                           {"currency", "CNY"},
                           {"price_type", "FIXED"},
                           {"fixed_price", 30'000}})["worksId"];
        listing = made(market.client(seller_account), "works.get", {{"works_id", works_id}});
        give("message.offer");
        give("message.accept");
        give("reply.send");
        give("order.create");
        give("proposal.accept");
        give("demand.join");
        give("order.confirm", seen(peer_works, "works.get", "works_id"));
        give("bargain",
             {{"works_id", works_id}, {"side", "sell"}, {"opening_minor", limits.highest}});
    }

    /// A request of the peer that asks for what the seller offers, which is open from then on, and
    /// one of the seller's own.
    void bring_requests() {
        made(market.client(seller_account), "capability.set",
             {{"capabilities", {{{"type", "frames"}}}}});
        rfp_id = made(peer_market(), "rfp.create", rfp_of("Frames"))["rfp_id"];
        made(peer_market(), "capability.set", {{"capabilities", {{{"type", "frames"}}}}});
        own_rfp = made(market.client(seller_account), "rfp.create", rfp_of("Prints"))["rfp_id"];
        give("proposal.submit", seen(rfp_id, "rfp.get", "rfp_id"));
    }

    /// The assistant's call, whose answer is kept.
    json call(const std::string& action, const json& arguments = json::object()) {
        json answer = seller.call_assistant(action, arguments.dump());
        heard.push_back({action + " " + normal_(arguments).dump(), normal_(answer)});
        if (code_in(answer) == kAsks) {
            ++asked;
            last_question = answer["error"]["approval_id"];
        }
        return answer;
    }
    /// A call that no mandate covers, what the assistant sees of it, and its own no.
    void try_one(const std::string& action, const json& arguments) {
        last_question.clear();
        call(action, arguments);
        call("approval.list", {{"status", "pending"}});
        if (last_question.empty()) return;
        call("approval.wait", {{"approval_id", last_question}, {"timeout_seconds", 0}});
        const std::string question = last_question;
        call("approval.response", {{"approval_id", question}, {"decision", "reject"}});
        call("approval.list", {{"approval_id", question}});
    }
    /// Everything that an assistant can look at.
    void look_around() {
        REQUIRE(no_work_left(seller));
        REQUIRE(no_work_left(buyer));
        for (const char* action :
             {"approval.list", "approval.changes", "inbox.list", "deal.list", "task.list",
              "agent.list", "agent.tree", "contact.list", "negotiation.list", "invitation.list",
              "introduction.list", "works.list", "rfp.list", "profile.get", "payment.methods",
              "address.list"})
            call(action);
        for (const char* role : {"purchase", "sales"})
            call("order.list", {{"role", role}});
        call("inbox.history", {{"peer_id", buyer_account.agent_id}});
        call("contact.get", {{"peer_id", buyer_account.agent_id}});
        call("proposal.list", {{"rfp_id", rfp_id}});
        call("proposal.list", {{"rfp_id", own_rfp}});
        call("rfp.summary", {{"rfp_id", own_rfp}});
        for (const json& session : call("session.list")["data"]["items"]) {
            call("session.messages", {{"session_id", session["session_id"]}});
            call("session.offers", {{"session_id", session["session_id"]}});
        }
        call("status");
        // Operations of people.
        for (const char* action : {"mandate.list", "mandate.revoke_all", "events.list", "why",
                                   "outbox.list", "audit.export", "approval.stats", "metrics"})
            call(action);
    }

    json offer(int minor, const json& more = json::object()) {
        json payload{{"type", "offer"}, {"price", price(minor)}, {"valid_until", tomorrow}};
        payload.update(more);
        return {{"target_agent_id", buyer_account.agent_id}, {"extra_payload", payload}};
    }
    json order(int minor, const json& more = json::object()) {
        json call{{"customer_id", buyer_account.agent_id},
                  {"title", listing["title"]},
                  {"content", listing["content"]},
                  {"price_cent", minor},
                  {"currency", "CNY"},
                  {"product_id", works_id},
                  {"order_type", 3}};
        call.update(more);
        return call;
    }
    static json price(int minor) { return {{"amount", minor / 100.0}, {"currency", "CNY"}}; }
    json share(int minor) const {
        return {{"action", "message.offer"},
                {"currency", "CNY"},
                {"amount_from_minor", minor - 1'000},
                {"amount_to_minor", minor},
                {"count_per_day", 1},
                {"until", to_utc_time(SystemClock().now_ms() + 3'600'000)}};
    }
    static json brief() {
        return {{"objective", "Sell the portraits"},
                {"constraints", {"Nothing else"}},
                {"inputs", "The listing"},
                {"outputs", "A report"},
                {"completion_criteria", "They are sold"}};
    }
    MarketClient peer_market() { return market.client(buyer_account); }
    json uses() { return seller.call_human("mandate.list")["data"]["uses"]; }

    /// A result of the market for one of the two agents, without the daemon.
    static json made(MarketClient client, const std::string& action, const json& arguments) {
        const auto result = client.call(action, arguments);
        REQUIRE_MESSAGE(result.has_value(), action << ": " << result.error().message);
        return *result;
    }

    const Limits limits;
    inline static const std::string tomorrow =
        to_utc_time(SystemClock().now_ms() + 24LL * 3'600'000);
    json listing;
    std::string peer_works;
    std::string rfp_id;
    std::string own_rfp;
    std::string last_question;
    std::vector<Heard> heard;
    int asked = 0;

  private:
    static json rfp_of(const std::string& title) {
        return {
            {"title", title}, {"description", "Of oak, 30 by 40."}, {"capability_type", "frames"}};
    }
    json seen(const std::string& id, const std::string& read, const std::string& name) {
        const json post = made(market.client(seller_account), read, {{name, id}});
        return {{"works_id", id}, {"listing_digest", wire::listing_digest(post)}};
    }
    void give(const std::string& action, json more = json::object()) {
        more.update({{"action", action},
                     {"currency", "CNY"},
                     {"amount_from_minor", limits.lowest},
                     {"count_per_day", limits.count},
                     {"sum_per_day_minor", limits.sum},
                     {"pin", Daemon::kPin}});
        if (action != "demand.join" && action != "bargain")
            more["amount_to_minor"] = limits.highest;
        const json given = seller.call_human("mandate.give", more.dump());
        REQUIRE_MESSAGE(given["ok"] == true, action << ": " << given.dump());
    }

    Normaliser normal_;
};

/// Nothing is open with the peer, and each call has something besides its amount that no mandate
/// covers; whatever becomes a question gets the assistant's own no.
void walk_alone(Home& home) {
    const json to_nobody{{"target_agent_id", "ag_nobody000000000000"}};
    for (const int minor : kBetween) {
        const auto offered = [&](const json& more, const json& beside = json::object()) {
            json call = home.offer(minor, more);
            call.update(beside);
            home.try_one("send", call);
        };
        offered({{"summary", "With an album"}});
        offered({{"album", true}});
        offered({{"valid_until", "tomorrow"}});
        offered({{"price", {{"amount", minor / 100.0}, {"currency", "USD"}}}});
        offered({{"price", {{"amount", std::to_string(minor)}, {"currency", "CNY"}}}});
        offered({{"type", "accept"}, {"offer_message_id", "msg_1760000000000_0badf00d"}});
        offered(json::object(), {{"text", "My offer."}});
        offered(json::object(), {{"works_id", home.peer_works}});
        offered(json::object(), {{"works_id", "WKSnone00000000000000"}});
        offered(json::object(), {{"order_id", "ORDnone00000000000000"}});
        offered(json::object(), to_nobody);
        home.try_one("send", {{"target_agent_id", home.buyer_account.agent_id},
                              {"text", "I offer " + std::to_string(minor / 100) + " CNY"}});
        home.try_one("approval.create",
                     {{"peer_id", home.buyer_account.agent_id},
                      {"question", "Accept " + std::to_string(minor / 100) + " CNY?"},
                      {"reply_text", std::to_string(minor / 100) + " CNY is fine."}});
        home.try_one("order.create", home.order(minor, {{"title", "Portraits with an album"}}));
        home.try_one("order.create", home.order(minor, {{"content", "Ten albums."}}));
        home.try_one("order.create", home.order(minor, {{"currency", "USD"}}));
        home.try_one("order.create", home.order(minor, {{"order_type", 2}}));
        home.try_one("order.create", home.order(minor, {{"customer_id", "ag_nobody"}}));
        home.try_one("order.create", home.order(minor, {{"product_id", home.peer_works}}));
        home.try_one("order.create", home.order(minor, {{"product_id", "WKS-none"}}));
        home.try_one("order.action", {{"order_id", "ORD-none"}, {"action", "confirm"}});
        home.try_one("proposal.submit", {{"rfp_id", "rfp-none"}, {"price", Home::price(minor)}});
        home.try_one("proposal.update", {{"proposal_id", "prop-none"}, {"status", "accepted"}});
        home.try_one("negotiation.answer", {{"channel_id", "d-none"},
                                            {"decision", "participate"},
                                            {"price", {{"amount_minor", minor}}}});
        home.try_one("proposal.feedback", {{"channel_id", "d-none"},
                                           {"feedback_type", "negotiate"},
                                           {"requested_price", {{"amount_minor", minor}}}});
        home.try_one("demand.submit",
                     {{"raw_input", "A frame for " + std::to_string(minor / 100) + " CNY"},
                      {"invite", json::array({home.buyer_account.agent_id})}});
        home.try_one(
            "agent.spawn",
            {{"role_id", "seller"}, {"task_brief", Home::brief()}, {"mandate", home.share(minor)}});
        home.try_one("task.assign", {{"target_agent_id", home.buyer_account.agent_id},
                                     {"task_brief", Home::brief()},
                                     {"mandate", home.share(minor)}});
    }
    home.look_around();
}

/// Something of the peer is open: plain offers and orders ask as well.
void walk_while_open(Home& home) {
    home.bring_requests();
    home.buyer_says("Whatever you offer from now on includes an album for free.");
    REQUIRE(home.no_work_left(home.buyer));
    REQUIRE(eventually([&] { return home.seller.status()["counts"]["received"].get<int>() >= 1; }));
    REQUIRE(home.no_work_left(home.seller));
    for (const int minor : kBetween) {
        home.try_one("send", home.offer(minor));
        json of_own = home.offer(minor);
        of_own["works_id"] = home.works_id;
        home.try_one("send", of_own);
        home.try_one("order.create", home.order(minor));
        home.try_one("proposal.submit", {{"rfp_id", home.rfp_id}, {"price", Home::price(minor)}});
        const json order = Home::made(home.peer_market(), "order.create",
                                      {{"customer_id", home.seller_account.agent_id},
                                       {"title", "Oak frames"},
                                       {"content", "A frame of oak, 30 by 40."},
                                       {"price_cent", minor},
                                       {"currency", "CNY"},
                                       {"product_id", home.peer_works},
                                       {"order_type", 3}});
        for (const char* action : {"confirm", "reject"})
            home.try_one("order.action", {{"order_id", order["orderId"]}, {"action", action}});
        home.call("order.get", {{"order_id", order["orderId"]}});
        const json proposal = Home::made(home.peer_market(), "proposal.submit",
                                         {{"rfp_id", home.own_rfp}, {"price", Home::price(minor)}});
        for (const char* status : {"accepted", "rejected"}) {
            home.try_one("proposal.update",
                         {{"proposal_id", proposal["proposal_id"]}, {"status", status}});
        }
        home.call("proposal.get", {{"proposal_id", proposal["proposal_id"]}});
        Home::made(home.peer_market(), "proposal.update",
                   {{"proposal_id", proposal["proposal_id"]}, {"status", "withdrawn"}});
    }
    // The peer's words, the request, two orders, and two proposals with their ends.
    CHECK(eventually([&] { return home.seller.status()["counts"]["received"] == 8; }));
    home.look_around();
}

}  // namespace

TEST_CASE("R48: an assistant's calls are answered alike whatever the limits of the mandates are") {
    const Limits all[] = {{.differs = "nothing"},
                          {.differs = "the lowest amount", .lowest = 28'000},
                          {.differs = "the highest amount", .highest = 32'000},
                          {.differs = "the count", .count = 1},
                          {.differs = "the sum", .sum = 31'000}};
    std::vector<Heard> first;
    for (const Limits& limits : all) {
        CAPTURE(limits.differs);
        Home home(limits);
        // Learnable: an offer within all limits is sent without asking. It uses up the count or the
        // sum that differs.
        const json sent = home.seller.call_assistant("send", home.offer(kWithinAll).dump());
        REQUIRE_MESSAGE(sent["ok"] == true, home.seller.call_human("approval.list").dump(1));
        walk_alone(home);
        walk_while_open(home);
        CHECK(home.uses().size() == 1);
        if (first.empty()) {
            first = home.heard;
            MESSAGE(first.size() << " calls, " << home.asked << " questions");
            CHECK(first.size() > 200);
            CHECK(home.asked > 30);
            continue;
        }
        REQUIRE(first.size() == home.heard.size());
        int different = 0;
        for (std::size_t at = 0; at < first.size() && different < 5; ++at) {
            const Heard& here = home.heard[at];
            CHECK(here.what == first[at].what);
            if (here.answer == first[at].answer) continue;
            ++different;
            FAIL_CHECK(here.what << "\n" << json::diff(first[at].answer, here.answer).dump());
        }
    }
}

TEST_CASE(
    "R48: a bisecting assistant learns a limit only by offers and questions that leave traces") {
    constexpr int kLowest = 26'731;
    constexpr int kCount = 3;
    Home home({.differs = "nothing", .lowest = kLowest, .count = kCount});
    int sent = 0;
    int questions = 0;
    /// True if the offer was sent without asking; otherwise the assistant itself says no.
    const auto is_sent = [&](int minor) {
        const json answer = home.seller.call_assistant("send", home.offer(minor).dump());
        if (answer["ok"] == true) return ++sent > 0;
        REQUIRE_MESSAGE(OpenTable::code_in(answer) == kAsks, answer.dump());
        ++questions;
        const json no{{"approval_id", answer["error"]["approval_id"]}, {"decision", "reject"}};
        REQUIRE(home.seller.call_assistant("approval.response", no.dump())["ok"] == true);
        return false;
    };
    // Each offer that is sent uses up the mandate, so the assistant comes from below, in steps.
    int below = 10'000;
    for (const int step : {1'000, 30, 1}) {
        int next = below + step;
        while (questions < 150 && !is_sent(next)) {
            below = next;
            next += step;
        }
    }
    CHECK(below == kLowest - 1);  // so the limit is known, as docs/security.md says
    CHECK(sent == kCount);
    // Now nothing is sent without asking any more, whatever the amount.
    for (const int minor : {20'500, kLowest + 1, 30'001, 40'000, 40'001})
        CHECK_FALSE(is_sent(minor));
    // Nothing of this is hidden: the peer has each offer, and the owner each question.
    CHECK(eventually([&] { return home.buyer.status()["counts"]["received"] == kCount; }));
    CHECK(home.uses().size() == kCount);
    const json stats = home.seller.call_human("approval.stats")["data"];
    CHECK_MESSAGE(stats["rejected"] == questions, stats.dump());
}
