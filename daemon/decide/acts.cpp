#include "daemon/decide/acts.h"

#include <algorithm>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/money.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "core/wire/payload.h"
#include "daemon/reading/clause_roles.h"

namespace a2h::decide {
namespace {

using nlohmann::json;

/// A bare number may be money only if it is at least this part of an amount that was named before,
/// and at most this multiple of it.
constexpr std::int64_t kLikePriceFactor = 4;

/// One message in the words of its author, with what both stood to before it.
struct Said {
    std::string_view payload_json;
    wire::PayloadView view;
    json payload;
    const Vocabulary& vocabulary;
    const Reading& reading;
    std::optional<StandingOffer> own;    ///< of its author
    std::optional<StandingOffer> other;  ///< of the one who receives it
    bool is_agreed = false;
    std::optional<Money> listed_price;
    bool is_plain = false;  ///< it says nothing but an amount
};

bool contains(const Said& said, Cue cue, const Clause& clause) {
    const std::string_view text = said.reading.text;
    for (std::size_t i = clause.begin; i < clause.end; i += code_point_length(text, i)) {
        if (!is_word_boundary(text, i)) continue;
        if (said.vocabulary.cues[cue].longest_at(text, i).end > i) return true;
    }
    return false;
}

bool asks(const Clause& clause) {
    return clause.is_question || clause.ends_with_mark;
}

bool asks_anything(const Said& said) {
    const auto& clauses = said.reading.clauses;
    return std::any_of(clauses.begin(), clauses.end(), asks);
}

/// Whether a clause that asks nothing contains a word of `cue`.
bool states(const Said& said, Cue cue) {
    const auto& clauses = said.reading.clauses;
    return std::any_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
        return !asks(clause) && contains(said, cue, clause);
    });
}

/// An amount that has been named in this deal, for the currency of a bare number. That of the
/// listing is none: "200" about a bicycle of 250 CNY may be anything.
std::optional<Money> named_before(const Said& said) {
    for (const auto* offer : {&said.other, &said.own}) {
        if (*offer && (*offer)->terms.price) return (*offer)->terms.price;
    }
    return std::nullopt;
}

std::optional<Money> money_of(const NumberMention& number, const std::optional<Money>& before) {
    if (number.kind == NumberKind::Money) return number.money;
    if (number.kind != NumberKind::Bare || !before) return std::nullopt;
    const auto money = parse_money(number.digits, before->currency);
    if (!money) return std::nullopt;
    const bool is_like = money->minor >= before->minor / kLikePriceFactor &&
                         money->minor <= before->minor * kLikePriceFactor;
    return is_like ? std::optional(*money) : std::nullopt;
}

/// The different amounts of the message in order. A number without a currency counts if an amount
/// of similar size was named before.
std::vector<Money> amounts_in(const Said& said) {
    const auto before = named_before(said);
    std::vector<Money> amounts;
    for (const NumberMention& number : said.reading.numbers) {
        const auto money = money_of(number, before);
        if (!money || money->minor == 0) continue;
        std::erase(amounts, *money);
        amounts.push_back(*money);
    }
    return amounts;
}

bool is_price_of(const std::optional<StandingOffer>& offer, const Money& money) {
    return offer && offer->terms.price == money;
}

/// The amount that the message is about: the only one, or the last one that is not just mentioned.
std::optional<Money> amount_in(const Said& said) {
    std::vector<Money> amounts = amounts_in(said);
    if (amounts.size() > 1 && said.listed_price) std::erase(amounts, *said.listed_price);
    if (amounts.size() > 1)
        std::erase_if(amounts, [&](const Money& each) { return is_price_of(said.own, each); });
    if (amounts.size() > 1)
        std::erase_if(amounts, [&](const Money& each) { return is_price_of(said.other, each); });
    return amounts.empty() ? std::nullopt : std::optional(amounts.back());
}

Act act(ActKind kind) {
    Act made;
    made.kind = kind;
    return made;
}

std::string whole_text(const Said& said) {
    return std::string(trim(said.view.text));
}

Act offer_in_words(const Said& said, const Money& money) {
    Act made = act(ActKind::Offers);
    made.terms.price = money;
    if (!said.is_plain) made.terms.conditions.push_back(whole_text(said));
    return made;
}

/// A price of an offer with members that are no condition.
Act typed_offer(const Said& said) {
    Act made = act(ActKind::Offers);
    if (auto money = parse_money(said.view.offer_amount, said.view.offer_currency))
        made.terms.price = std::move(*money);
    if (!said.is_plain) made.terms.conditions.push_back(whole_text(said));
    std::erase(made.terms.conditions, std::string());
    made.payload_hash = wire::sha256_hex(said.payload_json);
    made.valid_until_ms = parse_time(wire::text_member(said.payload, "valid_until")).value_or(0);
    made.replaces_message_id = wire::text_member(said.payload, "replaces");
    return made;
}

Act typed_answer(const Said& said, ActKind kind) {
    Act made = act(kind);
    made.offer_message_id = wire::text_member(said.payload, "offer_message_id");
    made.offer_payload_hash = wire::text_member(said.payload, "offer_payload_hash");
    made.replaces_message_id = wire::text_member(said.payload, "replaces");
    if (auto money = parse_money(said.view.offer_amount, said.view.offer_currency))
        made.terms.price = std::move(*money);
    return made;
}

std::optional<Act> typed_act(const Said& said) {
    if (said.view.type == "offer" || said.view.type == "counter_offer") return typed_offer(said);
    if (said.view.type == "accept") return typed_answer(said, ActKind::Accepts);
    if (said.view.type == "reject") return typed_answer(said, ActKind::Declines);
    if (said.view.type == "text" && !said.view.offer_amount.empty()) return typed_offer(said);
    return std::nullopt;
}

bool adds_condition(const Said& said) {
    return states(said, Cue::AddsCondition);
}

/// Words that agree, about an amount or none. Agreement to another amount, or with a condition, is
/// an offer.
std::optional<Act> agreeing(const Said& said, const std::optional<Money>& money) {
    if (!said.other) return std::nullopt;
    const bool is_same = !money || is_price_of(said.other, *money);
    const bool repeats = money && is_same && !asks_anything(said);
    if (!repeats && !(is_same && states(said, Cue::Agrees))) return std::nullopt;
    if (states(said, Cue::Refuses)) return std::nullopt;
    Act made = act(ActKind::Accepts);
    made.terms.price = money;
    if (adds_condition(said)) made.terms.conditions.push_back(whole_text(said));
    return made;
}

std::optional<Act> taking_back(const Said& said) {
    const bool takes_back = states(said, Cue::TakesBack) || states(said, Cue::Withdrawal);
    if (!takes_back) return std::nullopt;
    return act(said.own || !said.other ? ActKind::Withdraws : ActKind::Declines);
}

/// What the message does to the terms.
std::optional<Act> act_on_terms(const Said& said) {
    const auto money = amount_in(said);
    if (auto made = agreeing(said, money)) return made;
    const bool refuses = states(said, Cue::Refuses);
    const bool is_mention = money && refuses && is_price_of(said.other, *money);
    if (money && !is_mention) return offer_in_words(said, *money);
    if (auto made = taking_back(said)) return made;
    if (refuses && said.other) return act(ActKind::Declines);
    const bool has_terms = said.own || said.is_agreed;
    if (has_terms && adds_condition(said) && !asks_anything(said)) {
        Act made = act(ActKind::Conditions);
        made.terms.conditions.push_back(whole_text(said));
        return made;
    }
    return std::nullopt;
}

/// What the message says about payment and delivery.
std::optional<Act> act_on_order(const Said& said) {
    const RoleLists& known = said.vocabulary.known;
    const bool is_paid = (said.reading.lists & known[Role::Paid]) != 0;
    const bool is_delivered = (said.reading.lists & known[Role::Delivered]) != 0;
    if (!said.view.payment_qr.empty()) return act(ActKind::AsksPayment);
    if (states(said, Cue::TellsReceipt)) return act(ActKind::ClaimsReceipt);
    if (is_paid || states(said, Cue::TellsPayment)) return act(ActKind::ClaimsPayment);
    if (is_delivered || states(said, Cue::TellsDelivery)) return act(ActKind::ClaimsDelivery);
    if (states(said, Cue::AsksPayment)) return act(ActKind::AsksPayment);
    return std::nullopt;
}

bool is_courtesy(const Said& said) {
    const RoleLists& known = said.vocabulary.known;
    const ListSet courtesies = known[Role::Courtesy] | known[Role::Greeting] | known[Role::Filler] |
                               known[Role::Assent] | known[Role::Aside];
    const auto& clauses = said.reading.clauses;
    return std::all_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
        return is_covered_by(said.reading, clause, courtesies);
    });
}

std::vector<Act> acts_in_words(const Said& said) {
    std::vector<Act> acts;
    if (auto made = act_on_terms(said)) acts.push_back(std::move(*made));
    if (acts.empty()) {
        if (auto made = act_on_order(said)) acts.push_back(std::move(*made));
    }
    const bool is_offer = !acts.empty() && acts.front().kind == ActKind::Offers;
    if (asks_anything(said) && !is_offer) acts.push_back(act(ActKind::Asks));
    if (acts.empty()) acts.push_back(act(is_courtesy(said) ? ActKind::Courtesy : ActKind::Other));
    return acts;
}

std::vector<Act> acts_in(const Said& said) {
    if (auto made = typed_act(said)) return {std::move(*made)};
    if (said.view.type != "text" || !said.reading.is_readable) return {act(ActKind::Other)};
    return acts_in_words(said);
}

}  // namespace

std::vector<Act> acts_of(const Situation& situation) {
    const Input& input = situation.input;
    Said said{.payload_json = input.message.payload_json,
              .view = input.payload,
              .payload = json::parse(input.message.payload_json, nullptr, false),
              .vocabulary = situation.vocabulary,
              .reading = situation.reading,
              .own = {},
              .other = {},
              .listed_price = situation.subject.listed_price,
              .is_plain = is_plain_offer(situation)};
    if (situation.is_cut) return {act(ActKind::Other)};
    if (input.deal) {
        said.own = input.deal->theirs;
        said.other = input.deal->ours;
        said.is_agreed = input.deal->phase == DealPhase::Agreed;
    }
    return acts_in(said);
}

std::vector<Act> own_acts(std::string_view payload_json, const std::optional<Deal>& deal) {
    const Vocabulary& vocabulary = built_in_vocabulary();
    const wire::PayloadView view = wire::view_payload(payload_json);
    const Reading reading = read_text(view.text, vocabulary);
    Said said{.payload_json = payload_json,
              .view = view,
              .payload = json::parse(payload_json, nullptr, false),
              .vocabulary = vocabulary,
              .reading = reading,
              .own = {},
              .other = {},
              .listed_price = {},
              .is_plain = false};
    if (deal) {
        said.own = deal->ours;
        said.other = deal->theirs;
        said.is_agreed = deal->phase == DealPhase::Agreed;
    }
    return acts_in(said);
}

}  // namespace a2h::decide
