#include "core/store/contact_store.h"
#include "core/store/event_store.h"
#include "core/store/health.h"
#include "core/store/listing_store.h"
#include "core/store/login_store.h"
#include "core/store/setting_store.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using a2h::test::StoreFixture;

namespace {

Contact sample_contact() {
    Contact contact;
    contact.agent_id = "ag_me";
    contact.peer_id = "ag_peer";
    contact.source = ContactSource::Introduction;
    contact.introduced_by = "ag_friend";
    contact.role = "seller";
    contact.added_at_ms = 7;
    return contact;
}

Listing sample_listing(const std::string& works_id, UnixMs updated_at_ms) {
    Listing listing;
    listing.works_id = works_id;
    listing.agent_id = "ag_me";
    listing.type = ListingType::Demand;
    listing.title = "Logo";
    listing.content = "A logo in 3 days";
    listing.expected_price = "280 CNY";
    listing.service_method = "online";
    listing.service_location = "上海";
    listing.pictures = {"https://example.org/a.png", "https://example.org/b.png"};
    listing.status = "published";
    listing.updated_at_ms = updated_at_ms;
    return listing;
}

}  // namespace

TEST_CASE_FIXTURE(StoreFixture, "A contact is added once and never overwritten") {
    CHECK_FALSE(store::get_contact(db(), "ag_me", "ag_peer")->has_value());
    CHECK(store::add_contact(db(), sample_contact()).has_value());
    Contact other = sample_contact();
    other.role = "buyer";
    CHECK(store::add_contact(db(), other).has_value());
    const auto found = store::get_contact(db(), "ag_me", "ag_peer");
    CHECK((*found)->role == "seller");
    CHECK((*found)->source == ContactSource::Introduction);
    CHECK((*found)->introduced_by == "ag_friend");
    CHECK((*found)->added_at_ms == 7);
    CHECK(store::list_contacts(db(), "ag_me", 10)->size() == 1);
    CHECK(store::list_contacts(db(), "ag_other", 10)->empty());
}

TEST_CASE_FIXTURE(StoreFixture, "The first key is pinned, a later one only raises the flag") {
    CHECK(store::pin_key(db(), "ag_me", "ag_peer", "k1", "key1").error().code ==
          ErrorCode::NotFound);
    REQUIRE(store::add_contact(db(), sample_contact()).has_value());
    CHECK(*store::pin_key(db(), "ag_me", "ag_peer", "k1", "key1"));
    CHECK(*store::pin_key(db(), "ag_me", "ag_peer", "k1", "key1"));
    CHECK_FALSE((*store::get_contact(db(), "ag_me", "ag_peer"))->key_changed);
    CHECK_FALSE(*store::pin_key(db(), "ag_me", "ag_peer", "k2", "key2"));
    const auto found = store::get_contact(db(), "ag_me", "ag_peer");
    CHECK((*found)->key_id == "k1");
    CHECK((*found)->public_key == "key1");
    CHECK((*found)->key_changed);
}

TEST_CASE_FIXTURE(StoreFixture, "Events are read on from the last id, of one agent or of all") {
    Event event{0, "ag_me", "message.received", "msg_1", "{}", 5};
    const std::int64_t first = *store::insert_event(db(), event);
    event.agent_id = "ag_other";
    const std::int64_t second = *store::insert_event(db(), event);
    CHECK(store::events_after(db(), "", 0, 10)->size() == 2);
    const auto mine = store::events_after(db(), "ag_me", 0, 10);
    REQUIRE(mine->size() == 1);
    CHECK(mine->front().id == first);
    CHECK(mine->front().kind == "message.received");
    CHECK(mine->front().subject == "msg_1");
    CHECK(mine->front().created_at_ms == 5);
    CHECK(store::events_after(db(), "", first, 10)->front().id == second);
    CHECK(store::events_after(db(), "", 0, 1)->size() == 1);
}

TEST_CASE_FIXTURE(StoreFixture, "Never more than the promised number of events is kept") {
    const Event event{0, "ag_me", "message.received", "", "{}", 5};
    REQUIRE(db().begin());
    std::int64_t last = 0;
    for (std::int64_t i = 0; i < store::kEventRowsMax + 300; ++i)
        last = *store::insert_event(db(), event);
    REQUIRE(db().commit());
    const auto kept = store::events_after(db(), "", 0, 200'000);
    CHECK(kept->size() <= store::kEventRowsMax);
    CHECK(kept->size() > store::kEventRowsMax - 1'000);
    CHECK(kept->back().id == last);
}

TEST_CASE_FIXTURE(StoreFixture, "Listings are replaced as a whole, agent by agent") {
    CHECK(store::replace_listings(db(), "ag_me",
                                  {sample_listing("w1", 10), sample_listing("w2", 0)}, 99)
              .has_value());
    CHECK(store::replace_listings(db(), "ag_other", {sample_listing("w1", 5)}, 99).has_value());
    const auto found = store::list_listings(db(), "ag_me");
    REQUIRE(found->size() == 2);
    CHECK(found->at(0).works_id == "w2");
    CHECK(found->at(0).updated_at_ms == 99);
    CHECK(found->at(1).updated_at_ms == 10);
    CHECK(found->at(1).type == ListingType::Demand);
    CHECK(found->at(1).title == "Logo");
    CHECK(found->at(1).content == "A logo in 3 days");
    CHECK(found->at(1).expected_price == "280 CNY");
    CHECK(found->at(1).service_method == "online");
    CHECK(found->at(1).service_location == "上海");
    CHECK(found->at(1).pictures.size() == 2);
    CHECK(found->at(1).status == "published");
    CHECK(store::replace_listings(db(), "ag_me", {sample_listing("w3", 1)}, 99).has_value());
    CHECK(store::list_listings(db(), "ag_me")->size() == 1);
    CHECK(store::list_listings(db(), "ag_other")->size() == 1);
    CHECK(
        store::replace_listings(db(), "ag_me", {sample_listing("w", 1), sample_listing("w", 1)}, 99)
            .error()
            .code == ErrorCode::Conflict);
}

TEST_CASE_FIXTURE(StoreFixture, "A setting is of an agent or of the whole daemon") {
    CHECK_FALSE(store::get_setting(db(), "", "pin.failures")->has_value());
    CHECK(store::put_setting(db(), "", "pin.failures", "1").has_value());
    CHECK(store::put_setting(db(), "", "pin.failures", "2").has_value());
    CHECK(store::put_setting(db(), "ag_me", "pin.failures", "9").has_value());
    CHECK(**store::get_setting(db(), "", "pin.failures") == "2");
    CHECK(**store::get_setting(db(), "ag_me", "pin.failures") == "9");
}

TEST_CASE_FIXTURE(StoreFixture,
                  "a login takes one account, and keeps its key until it is forgotten") {
    store::BegunLogin login;
    login.code = "c1";
    login.agent_id = "ag_me";
    login.login_base = "https://market.example";
    login.begun_at_ms = 5;
    REQUIRE(store::insert_login(db(), login));
    CHECK(store::insert_login(db(), login).error().code == ErrorCode::Conflict);
    CHECK_FALSE(store::find_login(db(), "c2")->has_value());
    CHECK(store::find_login(db(), "c1")->value().account_id.empty());

    login.account_id = "ag_new";
    login.account_name = "Shop";
    login.agent_key = "secret";
    login.api_base = "https://market.example";
    REQUIRE(store::set_login_account(db(), login));
    CHECK(store::set_login_account(db(), login).error().code == ErrorCode::NotFound);
    CHECK(store::login_of_account(db(), "ag_new")->value().agent_key == "secret");
    REQUIRE(store::forget_login_keys(db(), "ag_new"));
    CHECK_FALSE(store::login_of_account(db(), "ag_new")->has_value());
    CHECK(store::find_login(db(), "c1")->value().agent_key.empty());
}

TEST_CASE_FIXTURE(StoreFixture, "a database is unused until an a2hd has stored anything in it") {
    CHECK(*store::is_unused(db()));
    SUBCASE("an agent") {
        REQUIRE(store::note_own_agents(db(), std::vector<std::string>{"ag"}, 1));
    }
    SUBCASE("a setting") {
        REQUIRE(store::put_number(db(), {}, "key", 1));
    }
    CHECK_FALSE(*store::is_unused(db()));
}

TEST_CASE_FIXTURE(StoreFixture, "own agents keep the order in which they were taken in") {
    const std::vector<std::string> first{"ag_b", "ag_c"};
    const std::vector<std::string> later{"ag_a", "ag_b", "ag_c"};
    REQUIRE(store::note_own_agents(db(), first, 1));
    REQUIRE(store::note_own_agents(db(), later, 2));
    CHECK(*store::own_agents(db()) == std::vector<std::string>{"ag_b", "ag_c", "ag_a"});
    REQUIRE(store::remove_own_agent(db(), "ag_b"));
    REQUIRE(store::note_own_agents(db(), later, 3));
    CHECK(*store::own_agents(db()) == std::vector<std::string>{"ag_c", "ag_a", "ag_b"});
}
