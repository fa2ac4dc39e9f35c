#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "core/base/money.h"
#include "core/store/mandate_store.h"
#include "daemon/consent/mandates.h"
#include "tests/unit/consent/mandate_desk.h"

using namespace a2h;
using test::Desk;
using test::kStart;
using test::must;

namespace {

/// ag_seller has a mandate for two offers of 280 CNY and more a day; ag_child is to have a part.
class ShareDesk : public Desk {
  public:
    ShareDesk() { parent_id = give_parent(); }

    std::string give_parent() {
        MandateTerms terms = test::reply_terms();
        terms.count_per_day = 2;
        std::string id;
        write([&] { id = must(mandates::give(*db, terms, test::kHuman, now)).id; });
        return id;
    }
    /// The id of the share, or the error.
    Result<std::string> cut(const std::string& maker, const std::string& agent_id,
                            const std::string& wanted) {
        std::optional<Result<Mandate>> share;
        write([&] { share = mandates::cut_share(*db, maker, agent_id, wanted, now); });
        if (!*share) return fail(share->error());
        return (*share)->id;
    }
    bool yes(const std::string& agent_id, std::int64_t amount_minor = 30'000) {
        consent::Ask wanted = ask();
        wanted.agent_id = agent_id;
        wanted.job_id = 0;
        wanted.is_bounded = true;
        wanted.amount_minor = amount_minor;
        wanted.reply_text = "Agreed: " + to_text({amount_minor, "CNY"});
        const auto approval = consent::new_approval(wanted, policy, now);
        bool given = false;
        write([&] {
            given = must(consent::open_approval(*db, approval, policy, now)).status ==
                    ApprovalStatus::Approved;
            // A question that stays open would keep mandates from answering the next one.
            if (!given) must(consent::call_off(*db, approval.id, "over", policy, now));
        });
        return given;
    }
    bool is_live(const std::string& id) {
        return must(store::get_mandate(*db, id))->revoked_at_ms == 0;
    }

    std::string parent_id;
};

}  // namespace

TEST_CASE_FIXTURE(ShareDesk, "A share covers what its terms say and names what it was cut from") {
    CHECK_FALSE(yes("ag_child"));
    const std::string id = must(cut("ag_seller", "ag_child", R"({"amount_from_minor":29000})"));
    const auto share = must(store::get_mandate(*db, id));
    CHECK(share->parent_mandate_id == parent_id);
    CHECK(share->agent_id == "ag_child");
    CHECK(share->given_by == "human");
    CHECK_FALSE(yes("ag_child", 28'500));
    CHECK(yes("ag_child", 29'000));
}

TEST_CASE_FIXTURE(ShareDesk,
                  "The use of a share by a child is taken from its maker and its siblings") {
    must(cut("ag_seller", "ag_child", "{}"));
    must(cut("ag_seller", "ag_other", "{}"));
    CHECK(yes("ag_child"));
    CHECK(yes("ag_other"));
    CHECK_FALSE(yes("ag_child"));
    CHECK_FALSE(yes("ag_other"));
    CHECK_FALSE(yes("ag_seller"));
}

TEST_CASE_FIXTURE(ShareDesk, "The use of a mandate by its maker is taken from all descendants") {
    must(cut("ag_seller", "ag_child", "{}"));
    must(cut("ag_child", "ag_grandchild", "{}"));
    CHECK(yes("ag_seller"));
    CHECK(yes("ag_grandchild"));
    CHECK_FALSE(yes("ag_grandchild"));
    const auto used = must(store::mandate_usage(*db, parent_id, kStart - test::kDayMs));
    CHECK(used.count == 2);
    CHECK(used.sum_minor == 60'000);
}

TEST_CASE_FIXTURE(ShareDesk, "Nobody gets more than its maker has, nor a part of another's") {
    const auto refused = [&](const std::string& maker, const std::string& wanted) {
        const auto share = cut(maker, "ag_child", wanted);
        REQUIRE_FALSE(share);
        CHECK(share.error().message.find("28") == std::string::npos);
        return share.error().code;
    };
    const std::string of_parent = R"("parent_mandate_id":")" + parent_id + "\"";
    CHECK(refused("ag_seller", R"({"amount_from_minor":27999})") == ErrorCode::PermissionDenied);
    CHECK(refused("ag_seller", R"({"count_per_day":3})") == ErrorCode::PermissionDenied);
    CHECK(refused("ag_seller", R"({"works_id":""})") == ErrorCode::PermissionDenied);
    CHECK(refused("ag_seller", R"({"action":"order.create"})") == ErrorCode::PermissionDenied);
    CHECK(refused("ag_seller", R"({"until":"2099-01-01T00:00:00Z"})") ==
          ErrorCode::PermissionDenied);
    CHECK(refused("ag_stranger", "{" + of_parent + "}") == ErrorCode::PermissionDenied);
    CHECK(refused("ag_seller", R"({"parent_mandate_id":"mdt_none"})") ==
          ErrorCode::PermissionDenied);
    CHECK(refused("ag_seller", R"({"amounts":1})") == ErrorCode::InvalidArgument);
    CHECK(refused("ag_seller", R"({"count_per_day":"2"})") == ErrorCode::InvalidArgument);
    CHECK(refused("ag_seller", "[]") == ErrorCode::InvalidArgument);
}

TEST_CASE_FIXTURE(ShareDesk, "Revoking a mandate revokes every share below it") {
    const std::string child = must(cut("ag_seller", "ag_child", "{}"));
    const std::string grandchild = must(cut("ag_child", "ag_grandchild", "{}"));
    const std::string beside = give_parent();
    write([&] { must(mandates::revoke(*db, "ag_seller", parent_id, test::kHuman, now)); });
    CHECK_FALSE(is_live(child));
    CHECK_FALSE(is_live(grandchild));
    CHECK(is_live(beside));
    CHECK_FALSE(yes("ag_grandchild"));
    CHECK(cut("ag_child", "ag_new", "{}").error().code == ErrorCode::PermissionDenied);
}

TEST_CASE_FIXTURE(ShareDesk, "Revoking a share leaves what is above and beside it") {
    const std::string child = must(cut("ag_seller", "ag_child", "{}"));
    const std::string other = must(cut("ag_seller", "ag_other", "{}"));
    CHECK(yes("ag_child"));
    write([&] { must(mandates::revoke(*db, "ag_child", child, test::kHuman, now)); });
    CHECK(is_live(parent_id));
    CHECK(is_live(other));
    CHECK(yes("ag_seller"));
    CHECK_FALSE(yes("ag_other"));  // what the revoked one has used stays used
}
