#include "daemon/decide/decision.h"

#include <algorithm>

#include "core/base/check.h"
#include "daemon/decide/conditions.h"
#include "daemon/decide/rules.h"
#include "daemon/decide/situation.h"
#include "daemon/decide/wording.h"

namespace a2h::decide {
namespace {

Decision guarded(std::string_view rule_id, i18n::Language language) {
    Decision decision;
    decision.rule_id = std::string(rule_id);
    decision.why = i18n::text(language, "decide.why." + decision.rule_id);
    return decision;
}

/// The guards that no playbook can switch off: empty when none is reached.
std::string_view guard_reached(const Input& input, const Limits& limits) {
    if (input.message.provenance == Provenance::Forged) return "guard.forged";
    if (input.message.sender_id == input.message.agent_id) return "guard.own_echo";
    if (input.messages_last_minute > limits.messages_per_minute) return "guard.rate";
    if (input.answers_last_day >= limits.rounds_per_day) return "guard.rounds";
    return {};
}

/// What no playbook may answer without a human, however its rules are written.
bool may_answer(const Situation& situation) {
    constexpr PartSet kSensitive = bit(Part::PaymentQr) | bit(Part::OrderId) | bit(Part::Offer);
    return !situation.is_cut && (situation.parts & kSensitive) == 0 &&
           situation.reading.facts != 0 && !situation.subject.listings.empty() &&
           situation.amount.reading == AmountReading::None;
}

bool applies(const Rule& rule, const Situation& situation) {
    return std::all_of(rule.set.begin(), rule.set.end(), [&](const ConditionField* field) {
        return field->holds(rule.when, situation);
    });
}

Decision carry_out(const Rule& rule, Situation& situation) {
    if (rule.at_listed_price && situation.amount.reading == AmountReading::None) {
        situation.amount.money = situation.subject.listed_price;
    }
    Decision decision;
    decision.kind = rule.action;
    decision.rule_id = rule.id;
    decision.why = word_why(rule, situation.input.owner_language);
    if (const Listing* listing = situation.subject.only()) decision.works_id = listing->works_id;
    decision.order_id = situation.order_id;
    if (situation.amount.money) {
        decision.amount_minor = situation.amount.money->minor;
        decision.currency = situation.amount.money->currency;
    }
    if (rule.action == Kind::Answer) decision.reply_text = word_answer(situation);
    if (rule.action == Kind::Ask) word_ask(rule, situation, decision);
    decision.is_plain_offer =
        rule.action == Kind::Ask && rule.topic == "offer" && is_plain_offer(situation);
    return decision;
}

/// When no rule applies: the human decides.
const Rule& fallback_rule() {
    static const Rule rule{.id = "fallback",
                           .when = {},
                           .set = {},
                           .action = Kind::Ask,
                           .topic = "unknown",
                           .why = {.key = "decide.why.unknown", .en = {}, .zh = {}}};
    return rule;
}

}  // namespace

std::string_view to_string(Kind kind) {
    switch (kind) {
        case Kind::Silent:
            return "silent";
        case Kind::Answer:
            return "answer";
        case Kind::Ask:
            return "ask";
        case Kind::NeedsDraft:
            return "needs_draft";
    }
    A2H_CHECK(false);
}

Decision decide(const Input& input, const RuleSet& rules, const Limits& limits) {
    if (const auto guard = guard_reached(input, limits); !guard.empty()) {
        return guarded(guard, input.owner_language);
    }
    // The market expects no answer, and the human is shown its news anyway: a rule may only name
    // the reason for which it stays silent.
    const bool is_news = input.message.source == SourceClass::Platform;
    Situation situation = understand(input, rules.impl());
    for (const Rule& rule : rules.impl().rules) {
        if (!applies(rule, situation)) continue;
        if (rule.action == Kind::Answer && !may_answer(situation)) continue;
        if (is_news && rule.action != Kind::Silent) continue;
        return carry_out(rule, situation);
    }
    if (is_news) return guarded("guard.platform", input.owner_language);
    return carry_out(fallback_rule(), situation);
}

}  // namespace a2h::decide
