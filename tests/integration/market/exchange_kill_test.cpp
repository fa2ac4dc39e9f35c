// a2h-market is killed at random moments while the exchange is under load: nothing is half done.

#include <doctest/doctest.h>

#include <atomic>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>

#include "market/db/database.h"
#include "tests/integration/market/exchange.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using nlohmann::json;
using platform::Account;

namespace {

constexpr int kKills = 20;
constexpr int kTraders = 4;

/// A buyer and a supplier that deal with each other; the actions that were confirmed to them are in
/// the database.
class Trader {
  public:
    explicit Trader(const test::Market& server)
        : type_(test::unique("type")),
          buyer_(test::plain_agent(server, "Buyer")),
          seller_(test::plain_agent(server, "Seller")) {
        test::set_capabilities(seller_, json::array({{{"type", type_}, {"domains", {"a", "b"}}}}));
    }

    /// One RFP with its proposal and their further states; an error ends it.
    void round(int number, std::atomic<int>& done) {
        done_ = &done;
        const std::string rfp = ask(buyer_, "POST", "/v1/rfps",
                                    {{"title", "t"},
                                     {"description", "d"},
                                     {"capability_type", type_},
                                     {"domain_filters", {"a", "b"}}})["rfp_id"];
        rfps[rfp] = "open";
        const std::string proposal = ask(seller_, "POST", "/v1/rfps/" + rfp + "/proposals",
                                         {{"price", price(5)}})["proposal_id"];
        proposals[proposal] = "pending";
        if (number % 3 == 0) {
            deals.insert(ask(buyer_, "PATCH", "/v1/proposals/" + proposal,
                             {{"status", "accepted"}})["deal_id"]
                             .get<std::string>());
            proposals[proposal] = "accepted";
        } else if (number % 3 == 1) {
            ask(buyer_, "PATCH", "/v1/rfps/" + rfp, {{"status", "cancelled"}});
            rfps[rfp] = "cancelled";
        } else {
            negotiate(rfp);
        }
    }

    std::map<std::string, std::string> rfps;       ///< id → state of the last answer
    std::map<std::string, std::string> proposals;  ///< likewise
    std::set<std::string> messages;
    std::set<std::string> deals;

  private:
    static json price(int amount) { return {{"currency", "CNY"}, {"amount", amount}}; }

    json ask(const Account& agent, const std::string& method, const std::string& path,
             const json& body) {
        const auto answer = test::call(agent, method, path, body);
        if (answer.status != 200) throw std::runtime_error(answer.text);
        ++*done_;
        return answer.data();
    }
    void negotiate(const std::string& rfp) {
        const std::string session =
            "/v1/sessions/" +
            ask(buyer_, "POST", "/v1/sessions",
                {{"agent_id", seller_.agent_id}, {"rfp_id", rfp}})["session_id"]
                .get<std::string>() +
            "/messages";
        const std::string offer =
            ask(seller_, "POST", session,
                {{"payload",
                  {{"type", "offer"}, {"price", price(4)}, {"summary", "s"}}}})["message_id"];
        messages.insert(offer);
        const json accept = ask(buyer_, "POST", session,
                                {{"payload", {{"type", "accept"}, {"offer_message_id", offer}}}});
        messages.insert(accept["message_id"].get<std::string>());
        deals.insert(accept["deal_id"].get<std::string>());
    }

    std::string type_;
    Account buyer_;
    Account seller_;
    std::atomic<int>* done_ = nullptr;
};

void kill_under_load(test::Market& market, std::vector<Trader>& traders) {
    std::atomic<bool> stop{false};
    std::atomic<int> done{0};
    std::vector<std::jthread> threads;
    for (Trader& trader : traders) {
        threads.emplace_back([&] {
            for (int i = 0; !stop; ++i) {
                try {
                    trader.round(i, done);
                } catch (const std::runtime_error&) {
                    // The market was killed meanwhile.
                }
            }
        });
    }
    std::mt19937 random{std::random_device{}()};
    for (int i = 0; i < kKills; ++i) {
        const int enough = done + std::uniform_int_distribution<int>(8, 40)(random);
        const bool busy =
            test::eventually([&] { return done >= enough; }, std::chrono::seconds(30));
        // At any moment of a call, not only after one.
        std::this_thread::sleep_for(
            std::chrono::microseconds(std::uniform_int_distribution<int>(0, 5'000)(random)));
        market.kill_market();
        CHECK(busy);
        if (i + 1 == kKills) stop = true;
        market.start_market();
    }
}

/// The database, read without the market.
class Rows {
  public:
    explicit Rows(const test::Market& server) {
        auto opened = server.database_url().empty()
                          ? market::db::open_sqlite(server.dir() / "market.db")
                          : market::db::open_postgresql(server.database_url());
        REQUIRE(opened.has_value());
        database_ = std::move(*opened);
    }
    std::vector<market::db::Row> all(const std::string& sql) {
        auto rows = database_->read_as<std::vector<market::db::Row>>(
            [&](market::db::Transaction& transaction) { return transaction.query(sql, {}); });
        REQUIRE_MESSAGE(rows.has_value(), sql);
        return std::move(*rows);
    }
    std::int64_t count(const std::string& from) {
        return all("select count(*) from " + from)[0].integer(0);
    }
    std::map<std::string, std::string> pairs(const std::string& sql) {
        std::map<std::string, std::string> found;
        for (const market::db::Row& row : all(sql))
            found[row.text(0)] = row.text(1);
        return found;
    }

  private:
    std::unique_ptr<market::db::Database> database_;
};

/// Number of events of each move, as "event:id"; the broker is away, so all wait in the table.
std::map<std::string, int> told(Rows& rows) {
    std::map<std::string, int> counts;
    for (const market::db::Row& row : rows.all("select payload_json from event")) {
        const json payload = json::parse(row.text(0));
        const std::string id = payload.contains("message")       ? payload["message"]["message_id"]
                               : payload.contains("proposal_id") ? payload["proposal_id"]
                                                                 : payload["rfp_id"];
        ++counts[payload["event"].get<std::string>() + ":" + id];
        if (payload.contains("deal_id")) ++counts["deal:" + payload["deal_id"].get<std::string>()];
    }
    return counts;
}

void check_states(Rows& rows) {
    CHECK(rows.count("proposal p where status = 'accepted' and"
                     " (select count(*) from deal d where d.proposal_id = p.proposal_id) <> 1") ==
          0);
    CHECK(rows.count("session_message o where type = 'offer' and answer = 'accepted' and"
                     " ((select count(*) from deal d where d.offer_id = o.message_id) <> 1 or"
                     " (select count(*) from session_message a where a.type = 'accept'"
                     " and a.offer_id = o.message_id) <> 1)") == 0);
    CHECK(rows.count("session_message a where type = 'accept' and not exists (select 1 from"
                     " session_message o where o.message_id = a.offer_id"
                     " and o.answer = 'accepted')") == 0);
    CHECK(rows.count("deal d where not exists (select 1 from proposal p where p.proposal_id ="
                     " d.proposal_id and p.status = 'accepted') and not exists (select 1 from"
                     " session_message o where o.message_id = d.offer_id"
                     " and o.answer = 'accepted')") == 0);
    CHECK(rows.count("rfp r where (select count(*) from rfp_key k where k.rfp_id = r.rfp_id)"
                     " <> 2 or status not in ('open', 'cancelled')") == 0);
}

void check_told(Rows& rows) {
    auto counts = told(rows);
    for (const auto& [id, status] : rows.pairs("select proposal_id, status from proposal")) {
        CHECK(counts["submitted:" + id] == 1);
        CHECK(counts["accepted:" + id] == (status == "accepted" ? 1 : 0));
    }
    for (const auto& [id, type] : rows.pairs("select message_id, type from session_message"))
        CHECK(counts[type + ":" + id] == 1);
    for (const auto& [id, by] : rows.pairs("select deal_id, accepted_by from deal"))
        CHECK(counts["deal:" + id] == 1);
    const auto answered = rows.pairs("select rfp_id, supplier_id from proposal");
    for (const market::db::Row& row : rows.all("select rfp_id, status, told_after from rfp")) {
        const std::string id = row.text(0);
        const bool cancelled = row.text(1) == "cancelled";
        // The timer soon notifies the matched agents, and reports nothing about an RFP that has
        // ended.
        const int told_all = !cancelled && row.is_null(2) ? 1 : 0;
        CHECK(counts["matched:" + id] <= 1);
        CHECK(counts["matched:" + id] >= told_all);
        CHECK(counts["cancelled:" + id] == (cancelled && answered.contains(id) ? 1 : 0));
    }
}

void check_answered(Rows& rows, const std::vector<Trader>& traders) {
    const auto rfps = rows.pairs("select rfp_id, status from rfp");
    const auto proposals = rows.pairs("select proposal_id, status from proposal");
    const auto messages = rows.pairs("select message_id, type from session_message");
    const auto deals = rows.pairs("select deal_id, accepted_by from deal");
    for (const Trader& trader : traders) {
        // A lost answer may hide a move that was made, never the other way round.
        for (const auto& [id, state] : trader.rfps) {
            REQUIRE(rfps.contains(id));
            CHECK((state == "open" || rfps.at(id) == state));
        }
        for (const auto& [id, state] : trader.proposals) {
            REQUIRE(proposals.contains(id));
            CHECK((state == "pending" || proposals.at(id) == state));
        }
        for (const std::string& id : trader.messages)
            CHECK(messages.contains(id));
        for (const std::string& id : trader.deals)
            CHECK(deals.contains(id));
        CHECK(!trader.deals.empty());
    }
}

}  // namespace

TEST_CASE("a market that is killed under load has nothing of the exchange half done") {
    test::TempDir dir;
    test::Market market(dir.path());
    market.stop_broker();
    std::vector<Trader> traders;
    for (int i = 0; i < kTraders; ++i)
        traders.emplace_back(market);
    kill_under_load(market, traders);
    market.stop_market();
    Rows rows(market);
    check_states(rows);
    check_told(rows);
    check_answered(rows, traders);
}
