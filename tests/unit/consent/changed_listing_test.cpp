#include "daemon/consent/changed_listing.h"

#include <doctest/doctest.h>

#include "core/store/approval_store.h"
#include "tests/unit/consent/fixture.h"

using namespace a2h;
using test::Desk;
using test::must;

TEST_CASE("several drafts about one listing are all ended, and each question is asked again") {
    Desk desk;
    const Approval first = desk.open();
    consent::Ask more = desk.ask();
    more.reply_text = "Another draft about the same listing.";
    const Approval second = desk.open(more);
    consent::Ask about_other = desk.ask();
    about_other.works_id = "works_2";
    const Approval other = desk.open(about_other);
    desk.write([&] {
        must(consent::end_drafts_about(*desk.db, "ag_seller", {"works_1"}, desk.policy, desk.now));
    });
    CHECK(desk.stored(first.id).closed_by == ClosedBy::Market);
    CHECK(desk.stored(second.id).closed_by == ClosedBy::Market);
    CHECK(desk.stored(other.id).status == ApprovalStatus::Pending);
    for (const Approval& ended : {first, second}) {
        const Approval next = desk.stored(desk.stored(ended.id).next_id);
        CHECK(next.status == ApprovalStatus::Pending);
        CHECK(next.reply_text.empty());
        CHECK(next.reject_text.empty());
    }
}
