#include "daemon/stages/own_review.h"

#include "core/store/mandate_store.h"
#include "daemon/decide/draft_review.h"
#include "daemon/mandates/terms.h"

namespace a2h::stages {
namespace {

constexpr int kMandatesMax = 1'000;

}  // namespace

Result<std::vector<Money>> secret_amounts(store::Database& db, const std::string& agent_id) {
    const auto mandates = store::list_mandates(db, agent_id, false, kMandatesMax);
    if (!mandates) return fail(mandates.error());
    std::vector<Money> amounts;
    for (const Mandate& mandate : *mandates) {
        const auto terms = mandates::read_terms(mandate.terms_json);
        if (!terms) continue;  // it covers nothing either
        for (const auto& minor : {terms->amount_from_minor, terms->amount_to_minor,
                                  terms->sum_per_day_minor, terms->sum_per_week_minor}) {
            if (minor) amounts.push_back({*minor, terms->currency});
        }
    }
    return amounts;
}

decide::Review own_review(CaseKind kind, const model::Draft& draft, const decide::Input& input,
                          const std::vector<Money>& secrets, i18n::Language peer,
                          i18n::Language reader) {
    if (draft.wish != model::Wish::Reply || kind == CaseKind::Holding) return {true, {}};
    if (kind == CaseKind::Reply) return decide::review_text(draft.text, input.listings);
    decide::DraftFacts facts;
    facts.listings = input.listings;
    facts.peer_text = input.payload.text;
    facts.peer_language = peer;
    for (const Money& secret : secrets) {
        if (!decide::review_text(to_text(secret), input.listings).free) {
            facts.secret_amounts.push_back(secret);
        }
    }
    const auto judged = decide::review_draft(draft.text, facts, reader);
    decide::Review review;
    review.free = judged.passes();
    for (const decide::DraftObjection& objection : judged.objections)
        review.reasons.push_back(objection.text);
    return review;
}

}  // namespace a2h::stages
