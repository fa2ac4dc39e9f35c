// The exchange's rules that need no market: comparison, tables, amounts, matching.

#include <doctest/doctest.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "market/exchange/exchange_json.h"
#include "market/exchange/rfps.h"
#include "market/exchange/summary.h"
#include "market/exchange/timer.h"
#include "market/store/agent_store.h"
#include "market/store/capability_store.h"
#include "market/store/event_store.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::market;
using nlohmann::json;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;

ComparedProposal answer(const std::string& id, std::int64_t minor,
                        const std::string& currency = "CNY",
                        ProposalStatus status = ProposalStatus::Pending) {
    ComparedProposal row;
    row.proposal.proposal_id = id;
    row.proposal.supplier_id = "ag_" + id;
    row.proposal.status = status;
    row.proposal.price = {minor, currency};
    row.proposal.created_at_ms = kNow;
    return row;
}

RfpSummary ranked(std::vector<ComparedProposal> proposals, std::optional<Money> budget = {}) {
    RfpSummary summary;
    summary.rfp.title = "Wanted";
    summary.rfp.budget = std::move(budget);
    summary.proposals = std::move(proposals);
    rank_proposals(summary);
    return summary;
}

std::string order_of(const RfpSummary& summary) {
    std::string all;
    for (const ComparedProposal& row : summary.proposals)
        all += row.proposal.proposal_id + (row.rank ? std::to_string(*row.rank) : "-") + " ";
    return all;
}

/// A database with agents ag_0000…, added without ceremony.
struct Stored {
    test::TempDir dir;
    std::unique_ptr<db::Database> database = *db::open_sqlite(dir.path() / "market.db");

    std::string add_agent(int number) {
        const std::string id = "ag_" + std::to_string(100'000 + number);
        write([&](db::Transaction& transaction) -> Result<void> {
            Agent agent;
            agent.agent_id = id;
            agent.name = "Agent";
            agent.public_key = id;
            const auto added = store::add_agent(transaction, agent);
            return added ? Result<void>() : fail(added.error());
        });
        return id;
    }
    /// Agents 1 to `count`, all of whom offer `type`.
    void add_crowd(int count, const std::string& type) {
        write([&](db::Transaction& transaction) -> Result<void> {
            for (int i = 1; i <= count; ++i) {
                Agent agent;
                agent.agent_id = agent.public_key = "ag_" + std::to_string(100'000 + i);
                A2H_TRY(store::add_agent(transaction, agent));
                A2H_TRY(store::replace_capabilities(transaction, agent.agent_id, {{type, {}}}));
            }
            return {};
        });
    }
    void write(const db::Database::Work& work) {
        const auto written = database->write(work);
        REQUIRE_MESSAGE(written.has_value(), written.error().message);
    }
    void offers(const std::string& agent_id, const std::vector<Capability>& capabilities) {
        write([&](db::Transaction& transaction) {
            return store::replace_capabilities(transaction, agent_id, capabilities);
        });
    }
    std::vector<std::string> matched(const std::string& type,
                                     const std::vector<std::string>& domains,
                                     const std::string& after = "", std::int64_t limit = 100) {
        return *database->read_as<std::vector<std::string>>([&](db::Transaction& transaction) {
            return store::matched_agents(transaction, type, domains, after, limit);
        });
    }
    std::int64_t events() { return *database->read_as<std::int64_t>(store::count_events); }
};

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("the cheapest is first, then the earlier delivery, then the earlier proposal (R25)") {
    auto late = answer("c", 100);
    late.proposal.delivery_at = "2026-02-01T00:00:00Z";
    auto early = answer("d", 100);
    early.proposal.delivery_at = "2026-01-01T00:00:00Z";
    auto words = answer("a", 100);
    words.proposal.delivery_at = "soon";
    auto first = answer("z", 100);
    first.proposal.delivery_at = "later";
    first.proposal.created_at_ms = kNow - 1;
    CHECK(order_of(ranked({answer("e", 200), words, late, early, first, answer("f", 50)})) ==
          "f1 d2 c3 z4 a5 e6 ");
}

TEST_CASE("another currency than the budget's is flagged and not compared (R25)") {
    const auto summary =
        ranked({answer("a", 1, "USD"), answer("b", 600), answer("c", 500)}, Money{500, "CNY"});
    CHECK(order_of(summary) == "c1 b2 a- ");
    CHECK(summary.proposals[0].within_budget == true);
    CHECK(summary.proposals[1].within_budget == false);
    CHECK(summary.proposals[2].other_currency);
    CHECK_FALSE(summary.proposals[2].within_budget);
}

TEST_CASE("without a budget one currency is compared, and several are not") {
    CHECK(order_of(ranked({answer("a", 2, "USD"), answer("b", 1, "USD")})) == "b1 a2 ");
    CHECK(order_of(ranked({answer("a", 2, "USD"), answer("b", 1)})) == "a- b- ");
    // A withdrawn one decides nothing.
    CHECK(order_of(ranked({answer("a", 2, "USD"),
                           answer("b", 1, "CNY", ProposalStatus::Withdrawn)})) == "a1 b- ");
    CHECK(ranked({}).currency.empty());
}

TEST_CASE("count is the live proposals, total is all, and only acceptable ones rank (R25)") {
    const auto summary = ranked({answer("a", 1, "CNY", ProposalStatus::Withdrawn),
                                 answer("b", 2, "CNY", ProposalStatus::Rejected),
                                 answer("c", 3, "CNY", ProposalStatus::Accepted), answer("d", 4)});
    CHECK(summary.count == 3);
    CHECK(summary.total == 4);
    CHECK(order_of(summary) == "c1 d2 a- b- ");
}

TEST_CASE("no text of an agent gets out of its cell, or becomes markup") {
    CHECK(markdown_cell("a | b") == "a \\| b");
    CHECK(markdown_cell("a\\| b") == "a\\\\\\| b");
    CHECK(markdown_cell("a\n| 1 | x |\r\n\t") == "a \\| 1 \\| x \\|");
    CHECK(markdown_cell("<img src=x onerror=alert(1)>") == "\\<img src=x onerror=alert\\(1\\)\\>");
    CHECK(markdown_cell("[pay](https://evil.example)") == "\\[pay\\]\\(https\\://evil.example\\)");
    CHECK(markdown_cell("see WWW.evil.example") == "see WWW\\.evil.example");
    CHECK(markdown_cell("**bold** _x_ `code` ~~s~~ # h") ==
          "\\*\\*bold\\*\\* \\_x\\_ \\`code\\` \\~\\~s\\~\\~ \\# h");
    CHECK(markdown_cell("&lt;b&gt;") == "\\&lt;b\\&gt;");
    CHECK(markdown_cell("a\xe2\x80\xae"
                        "b\x1b[31m") == "a\\[U+202E\\]b\\[U+001B\\]\\[31m");
    CHECK(markdown_cell("24 小时内, 12:30") == "24 小时内, 12:30");
    CHECK(markdown_cell(std::string(500, 'x')).size() < 110);
}

TEST_CASE("the table has a row for each proposal and as many cells in each") {
    auto hostile = answer("a", 100);
    hostile.supplier_name = "| x |\n|---|";
    hostile.proposal.delivery_at = "| a | b |";
    auto summary = ranked({hostile, answer("b", 1, "USD")}, Money{500, "CNY"});
    summary.rfp.title = "x\n\n# y";
    for (const auto language : {i18n::Language::English, i18n::Language::Chinese}) {
        const std::string table = summary_markdown(summary, language, kNow);
        std::size_t rows = 0;
        for (std::size_t begin = 0; begin < table.size();) {
            const std::size_t end = table.find('\n', begin);
            const std::string line = table.substr(begin, end - begin);
            begin = end + 1;
            if (!line.starts_with("|")) continue;
            ++rows;
            int cells = 0;
            for (std::size_t i = 0; i < line.size(); ++i)
                cells += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
            CHECK(cells == 8);
        }
        CHECK(rows == 4);
        CHECK(table.find("\n# ") == std::string::npos);
    }
}

TEST_CASE("an amount is a number where a double keeps it, else a text (R27)") {
    CHECK(amount_json({500000, "CNY"}) == 5000);
    CHECK(amount_json({500000, "CNY"}).is_number_integer());
    CHECK(amount_json({1990, "CNY"}).dump() == "19.9");
    CHECK(amount_json({1, "CNY"}).dump() == "0.01");
    CHECK(amount_json({500, "JPY"}).dump() == "500");
    CHECK(amount_json({1234, "KWD"}).dump() == "1.234");
    CHECK(amount_json({999'999'999'999'999, "CNY"}).dump() == "9999999999999.99");
    CHECK(amount_json({kMoneyMinorMax, "CNY"}) == "90071992547409.91");
    CHECK(amount_json({kMoneyMinorMax, "JPY"}) == kMoneyMinorMax);
}

TEST_CASE("type and domain match on one capability, each agent once, folded (R20)") {
    Stored stored;
    const std::string one = stored.add_agent(1);
    const std::string two = stored.add_agent(2);
    stored.offers(one, {{"Write", {"A", "b"}}, {"read", {"c"}}, {"WRITE", {"Ｂ"}}});
    stored.offers(two, {{"write", {}}});
    CHECK(stored.matched("write", {}) == Ids{one, two});
    CHECK(stored.matched(" ＷRITE ", {"B", "a"}) == Ids{one});
    CHECK(stored.matched("write", {"c"}).empty());
    CHECK(stored.matched("read", {"x", "C"}) == Ids{one});
    CHECK(stored.matched("read", {"x"}).empty());
    stored.offers(one, {});
    CHECK(stored.matched("write", {}) == Ids{two});
}

TEST_CASE("matched agents are notified in batches, none missed and none twice") {
    Stored stored;
    Ids all;
    for (int i = 0; i < 12; ++i) {
        all.push_back(stored.add_agent(i));
        stored.offers(all.back(),
                      {{"t", i % 3 == 0 ? Ids{"a", "b"} : Ids{i % 3 == 1 ? "a" : "b"}}});
    }
    Ids found;
    for (std::string after;; after = found.back()) {
        const auto part = stored.matched("t", {"b", "a"}, after, 5);
        found.insert(found.end(), part.begin(), part.end());
        if (part.size() < 5) break;
    }
    CHECK(found == all);
}

TEST_CASE("the timer notifies the remaining agents of an RFP and closes due ones once") {
    Stored stored;
    const std::string creator = stored.add_agent(0);
    stored.offers(creator, {{"t", {}}});
    stored.add_crowd(450, "t");
    Rfp rfp{.rfp_id = "rfp_1",
            .creator_id = creator,
            .title = "Wanted",
            .description = std::string(8000, 'd'),
            .capability_type = "t",
            .deadline_at_ms = kNow + 1000,
            .created_at_ms = kNow,
            .updated_at_ms = kNow};
    stored.write([&](db::Transaction& transaction) { return create_rfp(transaction, rfp); });
    CHECK(stored.events() == kNotifiedAtOnce - 1);  // the creator was one of them
    while (*run_exchange(*stored.database, kNow)) {
    }
    CHECK(stored.events() == 450);
    CHECK_FALSE(*run_exchange(*stored.database, kNow + 999));
    while (*run_exchange(*stored.database, kNow + 1000)) {
    }
    CHECK(stored.events() == 451);  // no supplier waited for an answer
    const auto closed = stored.database->read_as<std::optional<Rfp>>(
        [&](db::Transaction& transaction) { return store::find_rfp(transaction, "rfp_1"); });
    CHECK((*closed)->status == RfpStatus::Closed);
}

TEST_CASE("an RFP is closed from its deadline on, not before") {
    Rfp rfp;
    rfp.deadline_at_ms = kNow;
    CHECK(rfp.status_at(kNow - 1) == RfpStatus::Open);
    CHECK(rfp.status_at(kNow) == RfpStatus::Closed);
    rfp.status = RfpStatus::Cancelled;
    CHECK(rfp.status_at(kNow) == RfpStatus::Cancelled);
    rfp = Rfp{};
    CHECK(rfp.status_at(INT64_MAX) == RfpStatus::Open);
}
