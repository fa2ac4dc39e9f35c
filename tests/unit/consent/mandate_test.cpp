#include <doctest/doctest.h>

#include <cstdlib>
#include <ctime>
#include <future>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/local_time.h"
#include "core/base/money.h"
#include "core/base/time_text.h"
#include "core/catalogue/arguments.h"
#include "core/catalogue/operations.h"
#include "core/domain/mandate_kind.h"
#include "core/store/contact_store.h"
#include "core/store/event_store.h"
#include "core/store/mandate_store.h"
#include "core/store/statement.h"
#include "core/store/writer.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/mandates.h"
#include "daemon/consent/terms.h"
#include "tests/unit/consent/mandate_desk.h"

using namespace a2h;
using consent::Ask;
using nlohmann::json;
using test::Desk;
using test::kDayMs;
using test::kHuman;
using test::kStart;
using test::MandateDesk;
using test::must;
using test::reply_terms;

TEST_CASE("Each kind of mandate can be given, and a feature has registered it") {
    const auto* give = catalogue::find_action("mandate.give");
    REQUIRE(give != nullptr);
    std::vector<std::string> known;
    for (const MandateKind& kind : kMandateKinds) {
        CAPTURE(kind.name);
        known.emplace_back(kind.name);
        CHECK(consent::find_mandate_kind(kind.name) != nullptr);
        const std::string_view summary = give->summary;
        CHECK((kind.haggles || summary.find(kind.name) != std::string_view::npos));
    }
    CHECK(json(known) == catalogue::input_schema(*give)["properties"]["action"]["enum"]);
    CHECK(consent::mandate_kinds().size() == known.size());
}

TEST_CASE("A mandate keeps its terms when its kind gets another name") {
    MandateTerms terms = reply_terms();
    terms.action = "negotiation";
    const auto read = mandates::read_terms(mandates::write_terms(terms));
    REQUIRE(read.has_value());
    CHECK(read->action == "bargain");

    const auto* give = catalogue::find_action("mandate.give");
    json arguments{{"action", "negotiation"}, {"currency", "CNY"}};
    catalogue::use_present_names(*give, arguments);
    CHECK(arguments["action"] == "bargain");
}

TEST_CASE_FIXTURE(MandateDesk, "An order that a mandate covers is released at once and recorded") {
    const std::string id = give(reply_terms());
    const Approval approval = opened(bounded());
    CHECK(approval.status == ApprovalStatus::Approved);
    CHECK(approval.outcome == ApprovalOutcome::Executed);
    CHECK(approval.surface == AnswerSurface::Mandate);
    CHECK(approval.answered_by == "mandate:" + id);
    REQUIRE(outbox().size() == 1);
    CHECK(outbox()[0].effect_key == "approval:" + approval.id);
    CHECK(audit(approval.id) == std::vector<std::string>{"asked", "answered", "consumed"});
    CHECK(must(store::audit_rows(*db, approval.id))[1].detail_json.find(id) != std::string::npos);
    CHECK(notifications(approval.id, "approval.asked") == 0);
    CHECK(notifications(approval.id, "mandate.used") == 2);
    const auto uses = must(store::mandate_uses(*db, "ag_seller", id, 10));
    REQUIRE(uses.size() == 1);
    CHECK(uses[0].approval_id == approval.id);
}

TEST_CASE_FIXTURE(MandateDesk, "The task that waited is done, by the mandate") {
    give(reply_terms());
    Ask asked = bounded();
    asked.job_id = job_id;
    CHECK(yes(asked));
    CHECK(job_state() == JobState::Done);
}

TEST_CASE_FIXTURE(MandateDesk, "A platform action is approved and left to the executor") {
    MandateTerms order = reply_terms();
    order.action = "order.create";
    give(order);
    Ask asked = bounded();
    asked.action = "order.create";
    asked.has_own_listing = true;
    asked.request_json = R"({"customer_id":"ag_buyer"})";
    asked.provenance = "";
    const Approval approval = opened(asked);
    CHECK(approval.status == ApprovalStatus::Approved);
    CHECK(approval.outcome == ApprovalOutcome::None);
    CHECK(outbox().empty());
}

TEST_CASE_FIXTURE(MandateDesk, "R48: after a failure a mandate rests, whatever the amount is") {
    MandateTerms order = reply_terms();
    order.action = "order.create";
    order.amount_to_minor = 50'000;
    const std::string id = give(order);
    order.amount_from_minor = 60'000;
    order.amount_to_minor = 70'000;
    give(order);
    Ask asked = bounded();
    asked.action = "order.create";
    asked.question = "Make it?";
    asked.has_own_listing = true;
    asked.request_json = R"({"customer_id":"ag_buyer"})";
    asked.provenance = "";
    const Approval failed = opened(asked);
    CHECK(failed.status == ApprovalStatus::Approved);
    write([&] {
        must(store::consume_approval(*db, failed.id, now));
        must(store::finish_approval(*db, failed.id, ApprovalOutcome::Failed, "refused", now));
    });
    for (const std::int64_t amount : {28'000, 50'000, 50'001, 60'000, 900'000}) {
        CAPTURE(amount);
        asked.amount_minor = amount;
        const Approval resting = opened(asked);
        CHECK(resting.status == ApprovalStatus::Pending);
        CHECK(resting.question.find("your mandate " + id) != std::string::npos);
        over(resting);
    }
    Ask other = bounded();
    give(reply_terms());
    CHECK(yes(other));  // of another kind
    now += kDayMs + 1;
    asked.amount_minor = 30'000;
    CHECK(yes(asked));
}

TEST_CASE_FIXTURE(MandateDesk, "Everything that a mandate does not name exactly asks") {
    MandateTerms narrow = reply_terms();
    narrow.peer_id = "ag_buyer";
    narrow.amount_to_minor = 50'000;
    give(narrow);
    const std::vector<std::pair<const char*, void (*)(Ask&)>> others = {
        {"below", [](Ask& ask) { ask.amount_minor = 27'999; }},
        {"above", [](Ask& ask) { ask.amount_minor = 300'000; }},
        {"no amount", [](Ask& ask) { ask.amount_minor.reset(); }},
        {"nothing", [](Ask& ask) { ask.amount_minor = 0; }},
        {"negative", [](Ask& ask) { ask.amount_minor = -30'000; }},
        {"currency", [](Ask& ask) { ask.currency = "USD"; }},
        {"no currency", [](Ask& ask) { ask.currency = ""; }},
        {"lower case", [](Ask& ask) { ask.currency = "cny"; }},
        {"listing", [](Ask& ask) { ask.works_id = "works_2"; }},
        {"no listing", [](Ask& ask) { ask.works_id = ""; }},
        {"peer", [](Ask& ask) { ask.peer_id = "ag_other"; }},
        {"no peer", [](Ask& ask) { ask.peer_id = ""; }},
        {"vouched", [](Ask& ask) { ask.provenance = "vouched"; }},
        {"unverified", [](Ask& ask) { ask.provenance = "unverified"; }},
        {"forged", [](Ask& ask) { ask.provenance = "forged"; }},
        {"unknown provenance", [](Ask& ask) { ask.provenance = "trusted"; }},
        {"no provenance", [](Ask& ask) { ask.provenance = ""; }},
        {"not bounded", [](Ask& ask) { ask.is_bounded = false; }},
        {"action", [](Ask& ask) { ask.action = "works.publish"; }},
        {"another agent", [](Ask& ask) { ask.agent_id = "ag_me2"; }},
        {"order.action but confirm",
         [](Ask& ask) {
             ask.action = "order.action";
             ask.request_json = R"({"action":"confirm-received"})";
         }},
        {"message", [](Ask& ask) { ask.action = "message.send"; }},
    };
    for (const auto& [name, change] : others) {
        CAPTURE(name);
        Ask asked = bounded();
        change(asked);
        expect_asked(asked);
    }
    CHECK(yes(bounded()));
}

TEST_CASE_FIXTURE(MandateDesk, "A peer whose key has changed is asked about") {
    give(reply_terms());
    write([&] {
        Contact contact;
        contact.agent_id = "ag_seller";
        contact.peer_id = "ag_buyer";
        must(store::add_contact(*db, contact));
        must(store::pin_key(*db, "ag_seller", "ag_buyer", "k1", "p1"));
    });
    CHECK(yes(bounded()));
    write([&] { must(store::pin_key(*db, "ag_seller", "ag_buyer", "k2", "p2")); });
    expect_asked(bounded());
}

TEST_CASE_FIXTURE(MandateDesk, "A mandate with a condition from another version covers nothing") {
    const std::string id = give(reply_terms());
    Mandate changed = *must(store::get_mandate(*db, id));
    write([&] { must(mandates::revoke(*db, "ag_seller", id, kHuman, now)); });
    changed.terms_json.insert(1, R"("weather":"dry",)");
    changed.id = "mdt_2";
    write([&] { must(store::insert_mandate(*db, changed)); });
    expect_asked(bounded());
    const auto listed = must(mandates::list(*db, "ag_seller", false, now));
    REQUIRE(listed.size() == 1);
    CHECK(!listed[0].terms);
    for (const char* bad : {"", "{", "[]", R"({"agent_id":7})", R"({"amount_from_minor":2.5})",
                            R"({"amount_from_minor":"28000"})", R"({"ends_ms":true})"}) {
        CAPTURE(bad);
        CHECK(mandates::read_terms(bad).error().code == ErrorCode::Unsupported);
    }
}

TEST_CASE_FIXTURE(MandateDesk, "A mandate is valid from its beginning until its end, exclusively") {
    MandateTerms later = reply_terms();
    later.starts_ms = kStart + 1'000;
    later.ends_ms = kStart + 2'000;
    give(later);
    expect_asked(bounded());
    now = kStart + 1'000;
    CHECK(yes(bounded()));
    now = kStart + 1'999;
    CHECK(yes(bounded(31'000)));
    now = kStart + 2'000;
    expect_asked(bounded(32'000));
}

TEST_CASE_FIXTURE(MandateDesk, "Counts and sums hold a day and a week, to the last unit") {
    MandateTerms limited = reply_terms();
    limited.count_per_day.reset();
    limited.sum_per_day_minor = 60'000;
    limited.sum_per_week_minor = 90'000;
    give(limited);
    now = start_of_local_week(kStart + 7 * kDayMs);  // a Monday, 00:00
    CHECK(yes(bounded(30'000)));
    CHECK_FALSE(yes(bounded(30'001)));
    CHECK(yes(bounded(30'000)));
    CHECK_FALSE(yes(bounded(28'000)));
    now += kDayMs;
    CHECK(yes(bounded(30'000)));
    CHECK_FALSE(yes(bounded(28'000)));  // the week's
    now += 6 * kDayMs - 1;              // Sunday, the last millisecond
    CHECK_FALSE(yes(bounded(28'000)));
    now += 1;
    CHECK(yes(bounded(28'000)));
}

TEST_CASE_FIXTURE(MandateDesk, "The third of three a day passes and the fourth asks") {
    give(reply_terms());
    CHECK(yes(bounded(30'000)));
    CHECK(yes(bounded(30'001)));
    CHECK(yes(bounded(30'002)));
    expect_asked(bounded(30'003));
    now = start_of_local_day(now) + kDayMs;
    CHECK(yes(bounded(30'004)));
}

TEST_CASE_FIXTURE(MandateDesk, "A clock that was set back gives no new budget") {
    give(reply_terms());
    now = kStart + 5 * kDayMs;
    CHECK(yes(bounded(30'000)));
    CHECK(yes(bounded(30'001)));
    CHECK(yes(bounded(30'002)));
    now = kStart + kDayMs;
    expect_asked(bounded(30'003));
}

TEST_CASE_FIXTURE(MandateDesk, "Sums past 64 bits neither wrap nor fail") {
    MandateTerms huge = reply_terms();
    huge.count_per_day.reset();
    huge.count_per_week = 1'000'000;
    const std::string id = give(huge);
    write([&] {
        for (int i = 0; i < 1'100; ++i) {
            Ask used = bounded(kMoneyMinorMax - i);
            used.peer_id = "ag_other";
            auto approval = consent::new_approval(used, policy, now);
            must(store::insert_approval(*db, approval));
            must(store::insert_mandate_use(*db, {approval.id, id, kMoneyMinorMax, now}));
        }
    });
    const auto used = must(store::mandate_usage(*db, id, 0));
    CHECK(used.count == 1'100);
    CHECK(used.sum_minor == std::numeric_limits<std::int64_t>::max());
    CHECK(yes(bounded(30'000)));  // no sum was limited
    write([&] { must(mandates::revoke(*db, "ag_seller", id, kHuman, now)); });
    huge.sum_per_week_minor = kMoneyMinorMax;
    const std::string second = give(huge);
    CHECK(yes(bounded(kMoneyMinorMax - 28'000)));
    CHECK(yes(bounded(28'000)));
    expect_asked(bounded(28'001));
    CHECK(must(store::mandate_usage(*db, second, 0)).sum_minor == kMoneyMinorMax);
}

TEST_CASE_FIXTURE(MandateDesk, "Nothing goes through after a mandate was revoked") {
    const std::string id = give(reply_terms());
    CHECK(yes(bounded(30'000)));
    write([&] { must(mandates::revoke(*db, "ag_seller", id, kHuman, now)); });
    expect_asked(bounded(30'001));
    CHECK(mandates::revoke(*db, "ag_seller", id, kHuman, now).error().code == ErrorCode::Conflict);
    CHECK(mandates::revoke(*db, "ag_buyer", id, kHuman, now).error().code == ErrorCode::NotFound);
    CHECK(mandates::revoke(*db, "ag_seller", "mdt_x", kHuman, now).error().code ==
          ErrorCode::NotFound);
}

TEST_CASE_FIXTURE(MandateDesk, "Revoking takes back what was approved and not begun") {
    MandateTerms order = reply_terms();
    order.action = "order.create";
    const std::string id = give(order);
    Ask asked = bounded();
    asked.action = "order.create";
    asked.has_own_listing = true;
    asked.request_json = "{}";
    asked.provenance = "";
    const Approval approval = opened(asked);
    REQUIRE(approval.status == ApprovalStatus::Approved);
    write([&] { CHECK(must(mandates::revoke_all(*db, "ag_seller", kHuman, now)) == 1); });
    CHECK(stored(approval.id).outcome == ApprovalOutcome::Failed);
    CHECK(store::consume_approval(*db, approval.id, now).error().code == ErrorCode::Conflict);
}

TEST_CASE_FIXTURE(MandateDesk, "All mandates of one agent are revoked, and of no other") {
    for (int i = 0; i < 5; ++i)
        give(reply_terms());
    MandateTerms other = reply_terms();
    other.agent_id = "ag_other";
    give(other);
    write([&] { CHECK(must(mandates::revoke_all(*db, "ag_seller", kHuman, now)) == 5); });
    CHECK(must(mandates::list(*db, "ag_seller", false, now)).empty());
    CHECK(must(mandates::list(*db, "ag_seller", true, now)).size() == 5);
    CHECK(must(mandates::list(*db, "ag_other", false, now)).size() == 1);
    write([&] { CHECK(must(mandates::revoke_all(*db, "ag_seller", kHuman, now)) == 0); });
}

TEST_CASE_FIXTURE(MandateDesk, "A second mandate goes on where the first is used up") {
    MandateTerms one = reply_terms();
    one.count_per_day = 1;
    const std::string first = give(one);
    const std::string second = give(one);
    CHECK(opened(bounded(30'000)).answered_by == "mandate:" + first);
    CHECK(opened(bounded(30'001)).answered_by == "mandate:" + second);
    expect_asked(bounded(30'002));
}

TEST_CASE_FIXTURE(MandateDesk, "A mandate that would limit in name only is refused") {
    const std::vector<std::pair<const char*, void (*)(MandateTerms&)>> bad = {
        {"action", [](MandateTerms& terms) { terms.action = "works.publish"; }},
        {"claim", [](MandateTerms& terms) { terms.action = "order.confirm-received"; }},
        {"currency", [](MandateTerms& terms) { terms.currency = "yuan"; }},
        {"no amounts", [](MandateTerms& terms) { terms.amount_from_minor.reset(); }},
        {"no count or sum", [](MandateTerms& terms) { terms.count_per_day.reset(); }},
        {"count 0", [](MandateTerms& terms) { terms.count_per_day = 0; }},
        {"negative sum", [](MandateTerms& terms) { terms.sum_per_week_minor = -1; }},
        {"too much", [](MandateTerms& terms) { terms.amount_to_minor = kMoneyMinorMax + 1; }},
        {"reversed", [](MandateTerms& terms) { terms.amount_to_minor = 27'999; }},
        {"buys without a highest amount",
         [](MandateTerms& terms) { terms.action = "order.confirm"; }},
        {"sells without a lowest amount",
         [](MandateTerms& terms) {
             terms.amount_from_minor.reset();
             terms.amount_to_minor = 30'000;
         }},
        {"may buy or sell, with a lowest amount only",
         [](MandateTerms& terms) { terms.action = "message.accept"; }},
        {"words of no order", [](MandateTerms& terms) { terms.listing_digest = "d"; }},
        {"words of no listing",
         [](MandateTerms& terms) {
             terms.action = "order.create";
             terms.works_id = "";
             terms.listing_digest = "d";
         }},
        {"over", [](MandateTerms& terms) { terms.ends_ms = kStart; }},
        {"turned", [](MandateTerms& terms) { terms.starts_ms = terms.ends_ms; }},
        {"for ever", [](MandateTerms& terms) { terms.ends_ms = kStart + 400 * kDayMs; }},
    };
    for (const auto& [name, change] : bad) {
        CAPTURE(name);
        MandateTerms wanted = reply_terms();
        change(wanted);
        const auto given = mandates::give(*db, wanted, kHuman, now);
        REQUIRE(!given);
        CHECK(given.error().code == ErrorCode::InvalidArgument);
    }
    CHECK(must(mandates::list(*db, "ag_seller", true, now)).empty());
}

TEST_CASE_FIXTURE(MandateDesk, "Terms are read back as they were written, and salted") {
    MandateTerms all = reply_terms();
    all.peer_id = "ag_buyer";
    all.amount_to_minor = 50'000;
    all.count_per_week = 4;
    all.sum_per_day_minor = 5;
    all.sum_per_week_minor = 6;
    const auto read = must(mandates::read_terms(mandates::write_terms(all)));
    CHECK(read.agent_id == all.agent_id);
    CHECK(read.works_id == all.works_id);
    CHECK(read.amount_from_minor == all.amount_from_minor);
    CHECK(read.amount_to_minor == all.amount_to_minor);
    CHECK(read.count_per_day == all.count_per_day);
    CHECK(read.sum_per_week_minor == all.sum_per_week_minor);
    CHECK(read.ends_ms == all.ends_ms);
    CHECK(mandates::write_terms(all) != mandates::write_terms(all));
}

TEST_CASE_FIXTURE(MandateDesk, "Nobody can answer in the name of a mandate") {
    give(reply_terms());
    const Approval approval = opened(bounded(10'000));
    consent::Answer answer;
    answer.approval_id = approval.id;
    answer.kind = AnswerKind::Approve;
    answer.surface = AnswerSurface::Mandate;
    answer.person = "mandate:mdt_1";
    CHECK(refusal(answer) == ErrorCode::PermissionDenied);
    CHECK(outbox().empty());
}

TEST_CASE_FIXTURE(MandateDesk, "The lowest amount is nowhere but in the mandate's own row") {
    MandateTerms secret = reply_terms();
    secret.amount_from_minor = 28'673;
    secret.sum_per_week_minor = 917'331;
    const std::string id = give(secret);
    opened(bounded(30'000));
    expect_asked(bounded(28'672));
    write([&] { must(mandates::revoke(*db, "ag_seller", id, kHuman, now)); });
    std::string everything;
    for (const auto& row : must(store::audit_rows(*db, "")))
        everything += row.what + row.detail_json;
    for (const auto& event : must(store::events_after(*db, "ag_seller", 0, 1'000)))
        everything += event.kind + event.detail_json;
    for (const auto& message : outbox())
        everything += message.payload_json + message.cause;
    for (const auto& approval : must(store::list_approvals(*db, "ag_seller", std::nullopt, 100))) {
        everything += approval.action_json + approval.question + approval.outcome_detail +
                      approval.answered_by + approval.context;
        for (const auto& row : must(store::notifications_of_approval(*db, approval.id)))
            everything += row.body_json + row.outcome;
    }
    for (const char* shown : {"28673", "286.73", "917331", "9173.31"}) {
        CAPTURE(shown);
        CHECK(everything.find(shown) == std::string::npos);
    }
    CHECK(everything.find(id) != std::string::npos);
}

TEST_CASE_FIXTURE(MandateDesk,
                  "Only one of a hundred orders that race for the rest of a budget passes") {
    MandateTerms last = reply_terms();
    last.count_per_day.reset();
    last.sum_per_day_minor = 30'000;
    give(last);
    store::Writer writer(std::move(db));
    std::vector<std::future<Result<void>>> done;
    std::vector<std::vector<Approval>> opened(4);
    std::vector<std::thread> threads;
    std::mutex mutex;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, thread] {
            for (int i = 0; i < 25; ++i) {
                const auto approval =
                    consent::new_approval(bounded(28'000 + thread * 25 + i), policy, now);
                auto ready = writer.submit_urgent([&, thread, approval](store::Database& database) {
                    auto result = consent::open_approval(database, approval, policy, now);
                    if (result) opened[static_cast<std::size_t>(thread)].push_back(*result);
                    return result ? Result<void>() : fail(result.error());
                });
                const std::lock_guard lock(mutex);
                done.push_back(std::move(ready));
            }
        });
    }
    for (auto& thread : threads)
        thread.join();
    for (auto& ready : done)
        CHECK(ready.get().has_value());
    int approved = 0;
    for (const auto& part : opened) {
        for (const Approval& approval : part)
            approved += approval.status == ApprovalStatus::Approved ? 1 : 0;
    }
    CHECK(approved == 1);
}

TEST_CASE("Days and weeks begin at midnight of the machine's time zone, also when clocks change") {
    setenv("TZ", "Europe/Berlin", 1);
    tzset();
    // 2025-03-30 04:30 CEST: the day began at 00:00 CET, five and not four hours and a half ago.
    const UnixMs morning = 1'743'301'800'000;
    CHECK(start_of_local_day(morning) == 1'743'289'200'000);
    CHECK(start_of_local_week(morning) == 1'742'770'800'000);  // Monday, 2025-03-24
    setenv("TZ", "Asia/Shanghai", 1);
    tzset();
    CHECK(start_of_local_day(1'760'000'000'000) == 1'759'939'200'000);  // 2025-10-09 00:00 +08:00
    CHECK(start_of_local_week(1'760'000'000'000) == 1'759'680'000'000);
    CHECK(start_of_local_day(-1) == -28'800'000);
    unsetenv("TZ");
    tzset();
}

TEST_CASE_FIXTURE(MandateDesk, "R52: no mandate says yes while words of the peer are open") {
    give(reply_terms());
    Ask asked = bounded();
    asked.job_id = job_id;
    asked.accepts_inbox_id = 0;
    hear("I want TWO sessions with raw files, and you come to Beijing. My price follows.");
    expect_asked(asked);
}

TEST_CASE_FIXTURE(MandateDesk, "R48: a mandate agrees to no message with words in its envelope") {
    give(reply_terms());
    const auto put = [&](const char* sql) { write([&] { must(db->statement(sql).run()); }); };
    REQUIRE(yes(bounded()));
    SUBCASE("in its trace") {
        put("update inbox set trace_id = 'and_you_pay_the_train'");
    }
    SUBCASE("in its id") {
        put("update inbox set message_id = 'and_you_pay_the_train'");
    }
    SUBCASE("in its type") {
        put("update inbox set message_type = 'and.you.pay.the.train'");
    }
    hear_of_order();
    now += 1'000;
    expect_asked(bounded());
}

TEST_CASE_FIXTURE(MandateDesk, "R52: a mandate asks if anything else is open with the peer") {
    give(reply_terms());
    Ask asked = bounded();
    const struct {
        const char* text;
        const char* decision;
        const char* rule_id;
    } kHeard[] = {
        {"How much is it for two sessions?", "answer", "fact.stated"},
        {"How much is it with the frame?", "answer", "fact.stated"},
        {"How much is it? You also give me your house.", "answer", "fact.stated"},
        {"OK then?", "silent", "courtesy"},
        {"Thanks! With the frame.", "silent", "courtesy"},
        {"250 CNY?", "ask", "offer.made"},
        {"What?", "silent", "guard.rate"},
    };
    for (const auto& one : kHeard) {
        CAPTURE(one.text);
        hear(one.text, one.decision, one.rule_id);
        expect_asked(asked);
        answer_by_hand(asked);
        now += 1'000;
    }
}

TEST_CASE_FIXTURE(MandateDesk, "R52: a mandate agrees with a peer about a listing only once") {
    give(reply_terms());
    orders_follow = false;
    REQUIRE(yes(bounded(30'000)));
    SUBCASE("the next offer is asked about, and the card says why") {
        const Approval second = opened(bounded(29'000));
        CHECK(second.status == ApprovalStatus::Pending);
        CHECK(second.question.find("second agreement") != std::string::npos);
        over(second);
        CHECK_FALSE(yes(bounded(31'000)));
    }
    SUBCASE("until an order has followed") {
        hear_of_order("COMPLETED");
        CHECK_FALSE(yes(bounded(29'000)));
        hear_of_order();
        now += 1'000;
        CHECK(yes(bounded(29'000)));
        CHECK_FALSE(yes(bounded(29'000)));
    }
    SUBCASE("it does not matter that a person agreed to the first one") {
        hear_of_order();
        now += 1'000;
        Ask asked = bounded(20'000);
        SUBCASE("whose question a built-in rule asked") {
            asked.requested_by = "rule:offer.made";
        }
        SUBCASE("whose question a rule of the owner asked") {
            asked.requested_by = "rule:own.bids";
        }
        answer_by_hand(asked);
        CHECK_FALSE(yes(bounded(29'000)));
    }
    SUBCASE("words of a person that answer no offer agree to nothing") {
        hear_of_order();
        now += 1'000;
        Ask words = bounded(20'000);
        words.about = About::Facts;
        answer_by_hand(words);
        CHECK(yes(bounded(29'000)));
    }
}

TEST_CASE_FIXTURE(MandateDesk, "R52: greetings and answered questions leave a mandate its yes") {
    give(reply_terms());
    hear("Hello!", "silent", "courtesy");
    hear("How much is it?", "answer", "fact.stated");
    hear("Thank you very much!", "silent", "courtesy");
    Ask asked = bounded();
    asked.job_id = job_id;
    asked.accepts_inbox_id = hear("300 CNY?", "ask", "offer.made");
    CHECK(yes(asked));
    hear("Thanks anyway.", "silent", "courtesy");
    expect_asked(asked);
}

TEST_CASE_FIXTURE(MandateDesk, "R52: a question about the peer keeps mandates silent") {
    give(reply_terms());
    Ask other = ask();
    other.job_id = 0;
    const Approval open_question = open(other);
    expect_asked(bounded());
    over(open_question);
    CHECK(yes(bounded()));
}

TEST_CASE_FIXTURE(MandateDesk, "R52: a message to another agent of the home counts as open, too") {
    give(reply_terms());
    heard_by = "ag_second";
    hear("Whoever accepts my next offer also gives me their house.");
    expect_asked(bounded());
}

TEST_CASE_FIXTURE(MandateDesk, "R49: words in the peer's name without its key stop no mandate") {
    give(reply_terms());
    hear("Two sessions, please.", "ask", "offer.unclear", Provenance::Unverified);
    CHECK(yes(bounded()));
}

namespace {

MandateTerms offer_terms() {
    MandateTerms offers = reply_terms();
    offers.action = "message.offer";
    offers.works_id = "";
    offers.amount_to_minor = 50'000;
    return offers;
}

std::string offer_until(const std::string& valid_until) {
    return nlohmann::json{
        {"payload", {{"type", "offer"}, {"worksId", "works_1"}, {"valid_until", valid_until}}},
        {"target_agent_id", "ag_buyer"}}
        .dump();
}

}  // namespace

TEST_CASE_FIXTURE(MandateDesk, "R48: an offer of a mandate does not outlive it") {
    MandateTerms offers = offer_terms();
    offers.ends_ms = kStart + 2 * kDayMs;
    give(offers);
    Ask asked = bounded();
    asked.action = "message.send";
    asked.accepts_inbox_id = inbox_id();
    asked.provenance = "";
    asked.has_own_listing = true;
    asked.request_json = offer_until(to_utc_time(kStart + 2 * kDayMs + 1'000));
    expect_asked(asked);
    asked.request_json =
        R"({"payload":{"type":"offer","worksId":"works_1"},"target_agent_id":"ag_buyer"})";
    expect_asked(asked);
    asked.request_json = offer_until(to_utc_time(kStart + kDayMs));
    CHECK(yes(asked));
}

TEST_CASE_FIXTURE(MandateDesk, "R48: an offer of a mandate is valid for three days at most") {
    give(offer_terms());
    Ask asked = bounded();
    asked.action = "message.send";
    asked.accepts_inbox_id = inbox_id();
    asked.provenance = "";
    asked.has_own_listing = true;
    asked.request_json = offer_until(to_utc_time(kStart + 4 * kDayMs));
    expect_asked(asked);
}

TEST_CASE_FIXTURE(MandateDesk, "R48: an offer for somebody else's listing is not covered") {
    give(offer_terms());
    Ask asked = bounded();
    asked.action = "message.send";
    asked.accepts_inbox_id = inbox_id();
    asked.provenance = "";
    asked.request_json = offer_until(to_utc_time(kStart + kDayMs));
    expect_asked(asked);
    asked.has_own_listing = true;
    CHECK(yes(asked));
    asked.has_own_listing = false;
    asked.works_id = "";
    CHECK(yes(asked));
}
