#include "daemon/bargain/bargain_matter.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "core/store/bargain_store.h"
#include "core/store/mandate_store.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;

namespace {

constexpr const char* kOfListing = R"({"text":"Agreed.","worksId":"works_1"})";

/// A bargain of ag_me with ag_peer about somebody else's listing, under the mandate mdt_1.
struct BargainAbout : test::StoreFixture {
    BargainAbout() {
        Mandate mandate;
        mandate.id = "mdt_1";
        mandate.agent_id = "ag_me";
        mandate.given_by = "human";
        mandate.terms_json = "{}";
        REQUIRE(store::insert_mandate(db(), mandate));
        Bargain bargain;
        bargain.agent_id = "ag_me";
        bargain.peer_id = "ag_peer";
        bargain.works_id = "works_1";
        bargain.mandate_id = "mdt_1";
        bargain.state = "open";
        bargain.listing_hash = "seen";
        bargain.close_at_ms = 5;
        REQUIRE(store::insert_bargain(db(), bargain));
    }
    consent::MatterPtr matter(const std::string& cause, const std::string& payload,
                              const Approval* yes = nullptr) {
        OutboxMessage message = test::sample_reply("r1");
        message.cause = cause;
        message.payload_json = payload;
        const auto found = bargain::find_matter(db(), message, yes);
        REQUIRE(found);
        return *found;
    }
    Bargain stored() { return **store::find_bargain(db(), "mdt_1", "ag_peer", "works_1"); }
};

Approval yes_of_mandate() {
    Approval yes;
    yes.id = "apr_1";
    yes.agent_id = "ag_me";
    yes.peer_id = "ag_peer";
    yes.surface = AnswerSurface::Mandate;
    yes.answered_by = "mandate:mdt_1";
    return yes;
}

}  // namespace

TEST_CASE_FIXTURE(BargainAbout, "the offer of a mandate is about the listing of its bargain") {
    const Approval yes = yes_of_mandate();
    const auto found = matter("approval:apr_1", kOfListing, &yes);
    REQUIRE(found);
    REQUIRE(found->subject().has_value());
    CHECK(found->subject()->works_id == "works_1");
    CHECK(*found->says_the_same(db(), "seen"));
    CHECK_FALSE(*found->says_the_same(db(), "changed"));
    CHECK_FALSE(*found->says_the_same(db(), ""));
}

TEST_CASE_FIXTURE(BargainAbout, "a bargain whose message is given up is left to the human") {
    const Approval yes = yes_of_mandate();
    REQUIRE(matter("approval:apr_1", kOfListing, &yes)->hand_over(db()));
    CHECK(stored().state == "handed_over");
    CHECK(stored().close_at_ms == 0);
}

TEST_CASE_FIXTURE(BargainAbout, "the end of a bargain needs no look at its listing") {
    const auto found = matter("mandate:mdt_1", kOfListing);
    REQUIRE(found);
    CHECK_FALSE(found->subject().has_value());
}

TEST_CASE_FIXTURE(BargainAbout, "other messages are of no bargain") {
    CHECK_FALSE(matter("tool:send", kOfListing));
    CHECK_FALSE(matter("mandate:mdt_2", kOfListing));
    CHECK_FALSE(matter("mandate:mdt_1", R"({"text":"Agreed.","worksId":"works_2"})"));
}
