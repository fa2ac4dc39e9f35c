#include "daemon/answers/executor.h"

#include <doctest/doctest.h>

#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/approval_store.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/approvals.h"
#include "tests/support/identity.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using nlohmann::json;

namespace {

constexpr UnixMs kAskedAt = 1'760'000'000'000;

constexpr consent::ActionRow kRows[] = {
    {.action = "shop.buy", .market_lane = "shop"},
    {.action = "shop.ask"},
};

/// Writes down what it is asked to do.
struct Market final : consent::MarketCaller {
    void call(const Approval& approval, bool is_late) override {
        done.push_back((is_late ? "call late " : "call ") + approval.id);
    }
    void settle(const Approval& approval) override { done.push_back("settle " + approval.id); }
    std::vector<std::string> done;
};

/// An agent whose owner has said yes.
class Yes {
  public:
    Yes() {
        consent::register_actions(kRows);
        agents_["ag_1"] = std::make_unique<Agent>(test::identity_of("ag_1"), 0U);
        thread_ = std::thread([this] { loop_.run(); });
    }
    ~Yes() {
        loop_.stop();
        thread_.join();
    }

    /// An approved approval whose outcome is None.
    Approval to(const std::string& action) {
        consent::Ask ask;
        ask.agent_id = "ag_1";
        ask.action = action;
        ask.question = "Do it?";
        ask.request_json = R"({"what":"it"})";
        ask.requested_by = "tool:test";
        const auto asked = consent::new_approval(ask, config_->approval, kAskedAt);
        Approval approval = asked;
        write([&](store::Database& db) -> Result<void> {
            A2H_TRY(consent::open_approval(db, asked, config_->approval, kAskedAt));
            consent::Answer answer;
            answer.approval_id = approval.id;
            answer.kind = AnswerKind::Approve;
            answer.surface = AnswerSurface::Terminal;
            answer.pin = consent::ProofState::Valid;
            A2H_ASSIGN_OR_RETURN(
                const auto given,
                consent::apply_answer(db, answer, secrets_, config_->approval, kAskedAt));
            REQUIRE(given.answered);
            CHECK(given.answered->needs_execution);
            approval = given.answered->approval;
            return {};
        });
        return approval;
    }
    /// As if a process had ended while it was carrying out `approval`.
    void interrupt(const Approval& approval) {
        write([&](store::Database& db) {
            return store::consume_approval(db, approval.id, kAskedAt);
        });
    }

    void execute(const Approval& approval) {
        on_loop([&] { executor_.execute(approval); });
    }
    void restart() {
        on_loop([&] { executor_.resume(); });
    }
    Approval stored(const std::string& id) {
        return store::get_approval(*reader_, id).value().value();
    }

    Market market;
    std::vector<std::string> carried;

  private:
    std::unique_ptr<store::Database> open(store::Database::Mode mode) {
        return store::Database::open(folder_.path() / "a2hd.db", mode).value();
    }
    void write(const store::Writer::Work& work) { REQUIRE(writer_->submit_urgent(work).get()); }
    /// Waits for what the work writes as well.
    void on_loop(const std::function<void()>& work) {
        std::promise<void> done;
        loop_.post([&] {
            work();
            done.set_value();
        });
        done.get_future().wait();
        write([](store::Database&) { return Result<void>(); });
    }
    consent::Carriers carriers() {
        return {
            {"shop.carried", [this](const Approval& approval, const json&, const consent::UseYes&,
                                    const std::function<void(const Result<void>&)>&) {
                 carried.push_back(approval.id);
             }}};
    }

    test::TempDir folder_;
    ManualClock clock_{kAskedAt};
    Loop loop_;
    std::unique_ptr<store::Writer> writer_ =
        std::make_unique<store::Writer>(open(store::Database::Mode::ReadWrite));
    std::unique_ptr<store::Database> reader_ = open(store::Database::Mode::ReadOnly);
    Workers workers_{1};
    const Current<Config> config_{Config{}};
    consent::HumanSecrets secrets_;
    kernel::Metrics metrics_;
    kernel::Kernel kernel_{clock_, loop_, *writer_, *reader_, workers_};
    Agents agents_;
    outcome::Commits commits_{metrics_, true};
    answers::Executor executor_{kernel_, config_, agents_, carriers(), market, commits_};
    std::thread thread_;
};

}  // namespace

TEST_CASE("A yes to a call of the market is left to the market's caller, unused") {
    Yes yes;
    const Approval buy = yes.to("shop.buy");
    yes.execute(buy);
    CHECK(yes.market.done == std::vector{"call " + buy.id});
    CHECK(yes.stored(buy.id).outcome == ApprovalOutcome::None);
}

TEST_CASE("After a restart a call of the market is made late, or settled if it was begun") {
    Yes yes;
    const Approval unused = yes.to("shop.buy");
    const Approval begun = yes.to("shop.buy");
    yes.interrupt(begun);
    yes.restart();
    CHECK(yes.market.done == std::vector{"call late " + unused.id, "settle " + begun.id});
}

TEST_CASE("A yes to an action that has a carrier goes to the carrier") {
    Yes yes;
    const Approval carried = yes.to("shop.carried");
    yes.execute(carried);
    CHECK(yes.carried == std::vector{carried.id});
    CHECK(yes.market.done.empty());
}

TEST_CASE("A yes that nothing can carry out fails, and the outcome says so") {
    Yes yes;
    for (const char* action : {"shop.ask", "shop.unregistered"}) {
        CAPTURE(action);
        const Approval asked = yes.to(action);
        yes.execute(asked);
        const Approval after = yes.stored(asked.id);
        CHECK(after.outcome == ApprovalOutcome::Failed);
        CHECK(after.outcome_detail == "a2hd does not know how to carry out " + std::string(action));
    }
    CHECK(yes.market.done.empty());
}

TEST_CASE("The outcome of a begun action that nothing can carry out is unknown") {
    Yes yes;
    const Approval asked = yes.to("shop.unregistered");
    yes.interrupt(asked);
    yes.restart();
    const Approval after = yes.stored(asked.id);
    CHECK(after.outcome == ApprovalOutcome::Unknown);
    CHECK(after.outcome_detail == "a2hd does not know how to carry out shop.unregistered");
    CHECK(yes.market.done.empty());
}
