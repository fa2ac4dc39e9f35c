#include "daemon/stages/own_review.h"
#include "daemon/effects/rows.h"

#include "core/base/time_text.h"
#include "core/store/mandate_store.h"
#include "daemon/consent/terms.h"
#include "tests/support/permit.h"
#include "tests/unit/stages/bench.h"

using namespace a2h;
using namespace a2h::test;
using i18n::Language;

namespace {

decide::Input input_of(const StageBench& bench) {
    decide::Input input;
    input.payload.text = "How much is the logo?";
    input.listings = bench.listings;
    return input;
}

model::Draft draft_of(const std::string& text, model::Wish wish = model::Wish::Reply) {
    model::Draft draft;
    draft.wish = wish;
    draft.text = text;
    return draft;
}

/// Words that left with a yes.
void release(StageBench& bench, const std::string& id, const std::string& peer,
             const std::string& payload) {
    bench.commit([&](store::Database& db) -> Result<void> {
        auto message = effects::new_outbox_message("ag_me", peer, payload, "trace_peer",
                                                   "approval:" + id, bench.clock.now_ms());
        message.effect_key = "approval:" + id;
        const auto place = test::insert_outbox(db, message);
        return place ? Result<void>() : fail(place.error());
    });
}

Mandate mandate_row(const std::string& id, const MandateTerms& terms) {
    Mandate mandate;
    mandate.id = id;
    mandate.agent_id = terms.agent_id;
    mandate.action = terms.action;
    mandate.terms_json = mandates::write_terms(terms);
    mandate.given_by = "human";
    mandate.surface = "terminal";
    mandate.given_at_ms = kStart;
    return mandate;
}

void give_mandate(StageBench& bench, std::int64_t from_minor) {
    MandateTerms terms;
    terms.agent_id = "ag_me";
    terms.action = "bargain";
    terms.currency = "CNY";
    terms.amount_from_minor = from_minor;
    const Mandate mandate = mandate_row("mdt_limit", terms);
    bench.commit([&](store::Database& db) { return store::insert_mandate(db, mandate); });
}

constexpr const char* kApproved = "The logo design costs 250 CNY for you.";

}  // namespace

TEST_CASE("a draft may say again what was approved for this peer") {
    StageBench bench;
    const auto refused = bench.open_draft();
    bench.draft("The logo design costs 250 CNY.");
    CHECK(bench.stage_case(refused).stage == CaseStage::Agent);  // the next try

    release(bench, "apr_1", "ag_peer", wire::text_payload(kApproved));
    bench.draft("The logo design costs 250 CNY.");
    CHECK(bench.stage_case(refused).outcome == "passed");
    CHECK(bench.replies()[0] == "The logo design costs 250 CNY.");
}

TEST_CASE("a draft may not say what was approved for another peer") {
    StageBench bench;
    release(bench, "apr_1", "ag_other", wire::text_payload(kApproved));
    const auto id = bench.open_draft();
    for (int tries = 0; tries < bench.options.max_attempts; ++tries)
        bench.draft("The logo design costs 250 CNY.");
    CHECK(bench.stage_case(id).outcome == "asked");
    CHECK(bench.replies().empty());
}

TEST_CASE("an own offer may be said again while it holds, the limit of the mandate never") {
    StageBench bench;
    give_mandate(bench, 25'000);
    const std::string offer =
        R"({"price":{"amount":"265","currency":"CNY"},"text":"We can offer 265 CNY.",)"
        R"("type":"offer","valid_until":")" +
        to_utc_time(kStart + 3'600'000) + R"("})";
    release(bench, "apr_1", "ag_peer", offer);
    release(bench, "apr_2", "ag_peer", wire::text_payload(kApproved));  // names the limit
    const auto id = bench.open_draft();
    bench.draft("The logo design costs 250 CNY.");
    CHECK(bench.stage_case(id).stage == CaseStage::Agent);
    bench.draft("The logo design costs 265 CNY.");
    CHECK(bench.stage_case(id).outcome == "passed");

    bench.pass_time(std::chrono::hours(2));
    const auto later = bench.open_draft();
    bench.draft("The logo design costs 265 CNY.");
    CHECK(bench.stage_case(later).stage == CaseStage::Agent);
}

TEST_CASE("a limited part of the approved texts counts, none about another listing") {
    StageBench bench;
    const auto stated = [&](const std::string& works_id) {
        return stages::stated_texts(*bench.reader, "ag_me", "ag_peer", works_id,
                                    bench.clock.now_ms())
            .value();
    };
    release(bench, "apr_old", "ag_peer", wire::text_payload("long ago"));
    bench.clock.advance(std::chrono::milliseconds(stages::kStatedForMs));
    release(bench, "apr_a", "ag_peer", wire::text_payload("of one", "", "works_1"));
    release(bench, "apr_b", "ag_peer", wire::text_payload("of another", "", "works_2"));
    release(bench, "apr_c", "ag_peer", wire::text_payload("of none"));
    CHECK(stated("").size() == 4);
    CHECK(stated("works_1") == std::vector<std::string>{"of none", "of one", "long ago"});
    bench.clock.advance(std::chrono::milliseconds(1));
    CHECK(stated("works_1") == std::vector<std::string>{"of none", "of one"});
    for (int i = 0; i < stages::kStatedTextsMax; ++i)
        release(bench, "apr_" + std::to_string(i), "ag_peer", wire::text_payload("again"));
    CHECK(stated("") == std::vector<std::string>(stages::kStatedTextsMax, "again"));
}

TEST_CASE("a model's statements are checked against the listings, its questions are not") {
    const StageBench bench;
    const auto input = input_of(bench);
    const auto review = [&](CaseKind kind, const model::Draft& draft) {
        return stages::own_review(kind, draft, input, {}, Language::English, Language::English);
    };
    CHECK(review(CaseKind::Draft, draft_of(kGoodReply)).free);
    const auto refused = review(CaseKind::Draft, draft_of(kBadReply));
    CHECK_FALSE(refused.free);
    CHECK_FALSE(refused.reasons.empty());
    CHECK(review(CaseKind::Draft, draft_of(kBadReply, model::Wish::Silent)).free);
    CHECK_FALSE(review(CaseKind::Reply, draft_of(kBadReply)).free);
    CHECK(review(CaseKind::Holding, draft_of("I will get back to you.")).free);
}

TEST_CASE("the amounts of live mandates are secrets, unless a listing states them") {
    StageBench bench;
    MandateTerms terms;
    terms.agent_id = "ag_me";
    terms.action = "reply.send";
    terms.currency = "CNY";
    terms.amount_from_minor = 28'000;
    terms.amount_to_minor = 90'000;
    terms.sum_per_day_minor = 170'000;
    bench.commit([&](store::Database& db) -> Result<void> {
        Mandate mandate = mandate_row("mdt_1", terms);
        A2H_TRY(store::insert_mandate(db, mandate));
        mandate.id = "mdt_2";
        mandate.terms_json = "{\"unknown\":1}";
        return store::insert_mandate(db, mandate);
    });
    const auto secrets = stages::secret_amounts(*bench.reader, "ag_me").value();
    CHECK(secrets == std::vector<Money>{{28'000, "CNY"}, {90'000, "CNY"}, {170'000, "CNY"}});
    CHECK(stages::secret_amounts(*bench.reader, "ag_other").value().empty());

    const auto review = [&](const std::string& text) {
        return stages::own_review(CaseKind::Draft, draft_of(text), input_of(bench), {secrets, {}},
                                  Language::English, Language::English);
    };
    CHECK(review(kGoodReply).free);  // 280 CNY
    CHECK_FALSE(review("The logo design costs 900 CNY.").free);
    const auto id = bench.open_draft();
    for (const auto& block : {bench.drafter.prompts[0].context_data, bench.drafter.prompts[0].task,
                              bench.drafter.prompts[0].system})
        CHECK(block.find("900") == std::string::npos);
    CHECK(bench.stage_case(id).blocks_json.find("1700") == std::string::npos);
}
