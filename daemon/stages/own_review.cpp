#include "daemon/stages/own_review.h"

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/store/mandate_store.h"
#include "core/store/outbox_store.h"
#include "core/wire/json_member.h"
#include "core/wire/payload.h"
#include "daemon/consent/terms.h"
#include "daemon/decide/draft_review.h"

namespace a2h::stages {
namespace {

constexpr int kMandatesMax = 1'000;

/// False for an expired offer, which would be a new one if repeated.
bool still_holds(const std::string& payload_json, UnixMs now_ms) {
    const auto payload = nlohmann::json::parse(payload_json, nullptr, false);
    const auto& until = wire::member(payload, "valid_until");
    if (until.is_null()) return true;
    const auto time = parse_time(until.is_string() ? until.get<std::string>() : "");
    return time && *time > now_ms;
}

}  // namespace

Result<std::vector<Money>> secret_amounts(store::Database& db, const std::string& agent_id) {
    A2H_ASSIGN_OR_RETURN(const auto mandates,
                         store::list_mandates(db, agent_id, false, kMandatesMax));
    std::vector<Money> amounts;
    for (const Mandate& mandate : mandates) {
        const auto terms = mandates::read_terms(mandate.terms_json);
        if (!terms) continue;  // such a mandate covers nothing either
        for (const auto& minor : {terms->amount_from_minor, terms->amount_to_minor,
                                  terms->sum_per_day_minor, terms->sum_per_week_minor}) {
            if (minor) amounts.push_back({*minor, terms->currency});
        }
    }
    return amounts;
}

Result<std::vector<std::string>> stated_texts(store::Database& db, const std::string& agent_id,
                                              const std::string& peer_id,
                                              const std::string& works_id, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(
        const auto released,
        store::released_outbox(db, agent_id, peer_id, now_ms - kStatedForMs, kStatedTextsMax));
    std::vector<std::string> texts;
    for (const OutboxMessage& message : released) {
        const auto view = wire::view_payload(message.payload_json);
        const bool is_other =
            !works_id.empty() && !view.works_id.empty() && view.works_id != works_id;
        if (is_other || view.text.empty() || !still_holds(message.payload_json, now_ms)) continue;
        texts.push_back(view.text);
    }
    return texts;
}

decide::Review own_review(CaseKind kind, const model::Draft& draft, const decide::Input& input,
                          const OwnFacts& known, i18n::Language peer, i18n::Language reader) {
    if (draft.wish != model::Wish::Reply || kind == CaseKind::Holding) return {true, {}};
    if (kind == CaseKind::Reply) return decide::review_text(draft.text, input.listings);
    decide::DraftFacts facts;
    facts.listings = input.listings;
    facts.peer_text = input.payload.text;
    facts.peer_language = peer;
    facts.stated = known.stated;
    for (const Money& secret : known.secrets) {
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
