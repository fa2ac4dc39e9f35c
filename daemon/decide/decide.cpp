#include "daemon/decide/decision.h"

#include <algorithm>

#include "core/base/enum_names.h"
#include "core/base/ids.h"
#include "core/base/text.h"
#include "daemon/decide/acts.h"
#include "daemon/decide/conditions.h"
#include "daemon/decide/conversation_order.h"
#include "daemon/decide/explanation.h"
#include "daemon/decide/free_words.h"
#include "daemon/decide/guards.h"
#include "daemon/decide/predicates.h"
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

/// The loop guards, which no playbook can switch off; empty if none is reached.
std::string_view guard_reached(const Input& input, const Limits& limits) {
    if (input.message.provenance == Provenance::Forged) return "guard.forged";
    if (input.message.sender_id == input.message.agent_id) return "guard.own_echo";
    if (input.messages_last_minute > limits.messages_per_minute) return kRateGuard;
    if (input.answers_last_day >= limits.rounds_per_day) return kRoundsGuard;
    return {};
}

/// Whether a playbook may answer without a human; if not, its rules cannot change that.
bool may_answer(const Situation& situation) {
    constexpr PartSet kSensitive = bit(Part::PaymentQr) | bit(Part::OrderId) | bit(Part::Offer);
    return !situation.is_cut && (situation.parts & kSensitive) == 0 &&
           situation.reading.facts != 0 && !situation.subject.listings.empty() &&
           situation.amount.reading == AmountReading::None;
}

/// The first condition of `rule` that does not hold; nullptr when all do.
const SetCondition* first_unmet(const Rule& rule, const Situation& situation) {
    for (const SetCondition& condition : rule.set) {
        if (!condition.field->holds(rule.when, situation)) return &condition;
    }
    return nullptr;
}

/// The market expects no answer, and the human sees its news in any case. A sender that only claims
/// to be the market gets no answer either, and no card that looks like the market's.
bool is_news(const InboxMessage& message) {
    return message.source == SourceClass::Platform || is_market_sender_id(message.sender_id);
}

/// Whether code allows `rule` to decide, apart from its conditions.
bool may_decide(const Rule& rule, const Situation& situation) {
    if (rule.action == Kind::Answer && !may_answer(situation)) return false;
    // For news, a rule may only give the reason for staying silent.
    return !is_news(situation.input.message) || rule.action == Kind::Silent;
}

/// Returns what was read in the message, for later explanation.
Basis basis_of(const Situation& situation) {
    constexpr std::size_t kWorksIdsMax = 5;
    Basis basis;
    basis.lists = situation.reading.lists;
    basis.facts = situation.reading.facts;
    basis.amount = static_cast<unsigned>(situation.amount.reading);
    basis.language = situation.peer_language;
    if (situation.rules.needs_mandates) basis.mandate = mandate_fit(situation);
    const auto& listings = situation.subject.listings;
    for (std::size_t k = 0; k < std::min(listings.size(), kWorksIdsMax); ++k)
        basis.works_ids.push_back(listings[k]->works_id);
    return basis;
}

/// A reply about an order names the order, even if only earlier messages named it. An offer is a
/// new matter unless the message says otherwise.
std::string order_of(const Situation& situation, const Decision& decision) {
    const Input& input = situation.input;
    const bool takes_over = situation.order_id.empty() && !input.order_has_ended &&
                            decision.kind != Kind::Silent && !decision.is_plain_offer;
    return takes_over ? order_of_conversation(input, decision.works_id) : situation.order_id;
}

/// True if `text` names no number but the listed price.
bool names_only_listed_price(std::string_view text, const Situation& situation) {
    const auto numbers =
        find_numbers(situation.vocabulary.lexicon.comparable(text), situation.vocabulary);
    return std::all_of(numbers.begin(), numbers.end(), [&](const NumberMention& number) {
        return number.kind == NumberKind::Quantity ||
               number.money == situation.subject.listed_price;
    });
}

/// True if the earlier message cannot have changed what is sold for the listed price: "Deal!" after
/// "How about 250?", or after "I want half of it only", does not agree to the listing.
bool leaves_terms_as_listed(const HistoryEntry& entry, const Situation& situation) {
    const wire::PayloadView payload = wire::view_payload(entry.payload_json);
    const std::vector<Listing>& listings = situation.input.listings;
    if (!payload.offer_amount.empty()) return false;
    if (trim(payload.text).empty()) return true;
    if (entry.incoming)
        return is_greeting_or_thanks(payload.text) || asks_for_facts_only(payload.text, listings);
    return names_only_listed_price(payload.text, situation) &&
           review_text(payload.text, listings).free;
}

/// The listing's price, if nothing in the conversation may have changed what it is for.
std::optional<Money> agreed_listed_price(const Situation& situation) {
    const auto& recent = situation.input.recent;
    const bool is_as_listed = std::all_of(recent.begin(), recent.end(), [&](const auto& entry) {
        return leaves_terms_as_listed(entry, situation);
    });
    return is_as_listed ? situation.subject.listed_price : std::nullopt;
}

Act asking() {
    Act act;
    act.kind = ActKind::Asks;
    return act;
}

Decision carry_out(const Rule& rule, Situation& situation) {
    if (rule.at_listed_price && situation.amount.reading == AmountReading::None) {
        situation.amount.money = agreed_listed_price(situation);
    }
    Decision decision;
    decision.kind = rule.action;
    decision.rule_id = rule.id;
    decision.why = word_why(rule, situation.input.owner_language);
    if (const Listing* listing = situation.subject.only()) decision.works_id = listing->works_id;
    decision.basis = basis_of(situation);
    decision.takes_back = takes_back(situation);
    // A rule answers only messages that ask for facts and name no amount.
    decision.acts = rule.action == Kind::Answer ? std::vector<Act>{asking()} : acts_of(situation);
    if (situation.amount.money) {
        decision.amount_minor = situation.amount.money->minor;
        decision.currency = situation.amount.money->currency;
    }
    if (rule.action == Kind::Answer) decision.reply_text = word_answer(situation);
    if (rule.action == Kind::Ask) word_ask(rule, situation, decision);
    if (rule.draft) decision.kind = Kind::NeedsDraft;
    decision.is_plain_offer =
        rule.action == Kind::Ask && rule.topic == "offer" && is_plain_offer(situation);
    decision.order_id = order_of(situation, decision);
    return decision;
}

/// Used if no rule applies: the human decides.
const Rule& fallback_rule() {
    static const Rule rule{.id = "fallback",
                           .when = {},
                           .set = {},
                           .action = Kind::Ask,
                           .topic = "unknown",
                           .why = {.key = "decide.why.unknown", .en = {}, .zh = {}}};
    return rule;
}

/// Calls `on_passed(rule, unmet, situation)` for each rule that does not decide, and
/// `on_read(situation)` once the message has been read.
template <typename OnPassed, typename OnRead>
Decision decide_and_tell(const Input& input, const RuleSet& rules, const Limits& limits,
                         OnPassed on_passed, OnRead on_read) {
    if (const auto guard = guard_reached(input, limits); !guard.empty()) {
        return guarded(guard, input.owner_language);
    }
    Situation situation = understand(input, rules.impl());
    on_read(situation);
    for (const Rule& rule : rules.impl().rules) {
        const SetCondition* unmet = first_unmet(rule, situation);
        if (unmet == nullptr && may_decide(rule, situation)) return carry_out(rule, situation);
        on_passed(rule, unmet, situation);
    }
    if (is_news(input.message)) {
        return guarded("guard.platform", input.owner_language);
    }
    return carry_out(fallback_rule(), situation);
}

ReadingNames names_of_reading(const Situation& situation) {
    ReadingNames names;
    const Basis basis = basis_of(situation);
    names.language = kLanguageNames[static_cast<std::size_t>(situation.reading.language)];
    names.lists = names_in(basis.lists, situation.vocabulary.list_names);
    names.asks = names_in(basis.facts, kFactNames);
    names.listings = basis.works_ids;
    names.amount = kAmountReadingNames[basis.amount];
    for (const Clause& clause : situation.reading.clauses) {
        for (const std::string_view word : unknown_words(situation.reading, clause))
            names.unknown.emplace_back(word);
    }
    return names;
}

}  // namespace

constexpr EnumName<Kind> kKindNames[] = {
    {Kind::Silent, "silent"},
    {Kind::Answer, "answer"},
    {Kind::Ask, "ask"},
    {Kind::NeedsDraft, "needs_draft"},
};
A2H_ENUM_NAMES(Kind, parse_kind, kKindNames);

Decision decide(const Input& input, const RuleSet& rules, const Limits& limits) {
    return decide_and_tell(
        input, rules, limits, [](const auto&...) {}, [](const Situation&) {});
}

Explanation explain(const Input& input, const RuleSet& rules, const Limits& limits) {
    Explanation explanation;
    explanation.decision = decide_and_tell(
        input, rules, limits,
        [&](const Rule& rule, const SetCondition* unmet, const Situation& situation) {
            PassedRule passed{rule.id, {}, {}, {}};
            if (unmet != nullptr) {
                passed.condition = unmet->field->name;
                passed.wanted = unmet->wanted;
                passed.found = unmet->field->found(situation);
            }
            explanation.passed.push_back(std::move(passed));
        },
        [&](const Situation& situation) { explanation.reading = names_of_reading(situation); });
    return explanation;
}

}  // namespace a2h::decide
