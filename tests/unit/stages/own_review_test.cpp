#include "daemon/stages/own_review.h"

#include "core/store/mandate_store.h"
#include "daemon/mandates/terms.h"
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

}  // namespace

TEST_CASE("words of a model are held against the listings, silence and questions are not") {
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
        Mandate mandate{.id = "mdt_1",
                        .agent_id = "ag_me",
                        .action = "reply.send",
                        .terms_json = mandates::write_terms(terms),
                        .given_by = "human",
                        .surface = "terminal",
                        .given_at_ms = kStart,
                        .revoked_by = {},
                        .revoked_at_ms = 0};
        A2H_TRY(store::insert_mandate(db, mandate));
        mandate.id = "mdt_2";
        mandate.terms_json = "{\"unknown\":1}";
        return store::insert_mandate(db, mandate);
    });
    const auto secrets = stages::secret_amounts(*bench.reader, "ag_me").value();
    CHECK(secrets == std::vector<Money>{{28'000, "CNY"}, {90'000, "CNY"}, {170'000, "CNY"}});
    CHECK(stages::secret_amounts(*bench.reader, "ag_other").value().empty());

    const auto review = [&](const std::string& text) {
        return stages::own_review(CaseKind::Draft, draft_of(text), input_of(bench), secrets,
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
