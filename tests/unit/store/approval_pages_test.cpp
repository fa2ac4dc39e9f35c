#include "core/store/approval_pages.h"

#include "core/store/approval_store.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using a2h::test::sample_approval;
using a2h::test::StoreFixture;

namespace {

void ask(store::Database& db, const std::string& id, UnixMs answer_by_ms,
         const std::string& agent_id = "ag_seller", const std::string& peer_id = "ag_buyer") {
    Approval approval = sample_approval(id);
    approval.agent_id = agent_id;
    approval.peer_id = peer_id;
    approval.answer_by_ms = answer_by_ms;
    REQUIRE(store::insert_approval(db, approval));
}

void settle(store::Database& db, const std::string& id, ApprovalStatus status) {
    Approval approval = sample_approval(id);
    approval.status = status;
    approval.answered_by = "human";
    approval.surface = AnswerSurface::Page;
    approval.answered_at_ms = 2'000;
    REQUIRE(store::answer_approval(db, approval));
}

std::vector<std::string> ids(const store::ApprovalPage& page) {
    std::vector<std::string> found;
    for (const Approval& approval : page.approvals)
        found.push_back(approval.id);
    return found;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE_FIXTURE(StoreFixture, "Open approvals of all agents come by deadline, page by page") {
    ask(db(), "apr_1", 900);
    ask(db(), "apr_2", 500, "ag_other");
    ask(db(), "apr_3", 500);
    ask(db(), "apr_4", 500);
    ask(db(), "apr_5", 100);
    settle(db(), "apr_5", ApprovalStatus::Rejected);

    auto page = store::open_approvals(db(), "", {}, 2).value();
    CHECK(ids(page) == Ids{"apr_2", "apr_3"});
    CHECK(page.more);
    page = store::open_approvals(db(), "", page.end, 2).value();
    CHECK(ids(page) == Ids{"apr_4", "apr_1"});
    CHECK_FALSE(page.more);
    page = store::open_approvals(db(), "", page.end, 2).value();
    CHECK(ids(page).empty());
    CHECK(store::count_open_approvals(db()).value() == 4);
}

TEST_CASE_FIXTURE(StoreFixture, "Open approvals of one other side leave all others out") {
    ask(db(), "apr_1", 100);
    ask(db(), "apr_2", 200, "ag_seller", "ag_somebody");
    ask(db(), "apr_3", 300, "ag_seller", "ag_somebody");
    const auto page = store::open_approvals(db(), "ag_somebody", {}, 1).value();
    CHECK(ids(page) == Ids{"apr_2"});
    CHECK(page.more);
    CHECK(ids(*store::open_approvals(db(), "ag_nobody", {}, 10)).empty());
}

TEST_CASE_FIXTURE(StoreFixture, "Settled approvals of every kind come newest question first") {
    for (const char* id : {"apr_1", "apr_2", "apr_3", "apr_4"})
        ask(db(), id, 100, std::string(id) == "apr_2" ? "ag_other" : "ag_seller");
    settle(db(), "apr_1", ApprovalStatus::Approved);
    settle(db(), "apr_2", ApprovalStatus::Expired);
    settle(db(), "apr_4", ApprovalStatus::Rejected);

    auto page = store::settled_approvals(db(), {}, 2).value();
    CHECK(ids(page) == Ids{"apr_4", "apr_2"});
    CHECK(page.more);
    page = store::settled_approvals(db(), page.end, 2).value();
    CHECK(ids(page) == Ids{"apr_1"});
    CHECK_FALSE(page.more);
}
