#include "daemon/decide/acts.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/money.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "core/wire/payload.h"
#include "daemon/decide/agreeing.h"
#include "daemon/decide/named_amounts.h"
#include "daemon/decide/said.h"
#include "daemon/reading/spelled_amounts.h"

namespace a2h::decide {
namespace {

using nlohmann::json;

/// Longer texts of ours are not read, as those of peers.
constexpr std::size_t kTextRead = 2'000;

Act act(ActKind kind) {
    Act made;
    made.kind = kind;
    return made;
}

bool has(const std::vector<Act>& acts, ActKind kind) {
    return std::any_of(acts.begin(), acts.end(),
                       [&](const Act& each) { return each.kind == kind; });
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

bool is_courtesy(const Said& said) {
    const RoleLists& known = said.vocabulary.known;
    const ListSet courtesies = known[Role::Courtesy] | known[Role::Greeting] | known[Role::Filler] |
                               known[Role::Assent] | known[Role::Aside];
    const auto& clauses = said.reading.clauses;
    return std::all_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
        return is_covered_by(said.reading, clause, courtesies);
    });
}

/// Everything that a typed message says beside its price, time and ids, so that nothing that
/// belongs to its terms is lost.
std::vector<std::string> said_beside(const Said& said, const json& payload, bool is_text_plain) {
    static constexpr std::array<std::string_view, 10> kKnown = {
        "type",        "price",    "text",       "worksId",          "orderId",
        "valid_until", "replaces", "session_id", "offer_message_id", "offer_payload_hash"};
    std::vector<std::string> conditions;
    if (!is_text_plain) conditions.push_back(whole_text(said));
    for (const auto& [name, value] : payload.items()) {
        if (std::find(kKnown.begin(), kKnown.end(), name) != kKnown.end()) continue;
        const std::string words = value.is_string() ? value.get<std::string>() : value.dump();
        conditions.push_back(name == "summary" ? words : name + ": " + words);
    }
    std::erase(conditions, std::string());
    return conditions;
}

Act typed_offer(const Said& said) {
    const json payload = json::parse(said.payload_json, nullptr, false);
    Act made = act(ActKind::Offers);
    if (auto money = parse_money(said.view.offer_amount, said.view.offer_currency))
        made.terms.price = std::move(*money);
    made.terms.conditions = said_beside(said, payload, said.is_plain);
    made.payload_hash = wire::sha256_hex(said.payload_json);
    made.valid_until_ms = parse_time(wire::text_member(payload, "valid_until")).value_or(0);
    made.replaces_message_id = wire::text_member(payload, "replaces");
    return made;
}

/// Whether the words of an acceptance say nothing but that it accepts.
bool only_agrees(const Said& said) {
    return said.is_plain || is_courtesy(said) ||
           assent_of(said, amounts_named(said)) == Assent::Whole;
}

Act typed_answer(const Said& said, ActKind kind) {
    const json payload = json::parse(said.payload_json, nullptr, false);
    Act made = act(kind);
    made.offer_message_id = wire::text_member(payload, "offer_message_id");
    made.offer_payload_hash = wire::text_member(payload, "offer_payload_hash");
    made.replaces_message_id = wire::text_member(payload, "replaces");
    if (auto money = parse_money(said.view.offer_amount, said.view.offer_currency))
        made.terms.price = std::move(*money);
    if (kind == ActKind::Accepts)
        made.terms.conditions = said_beside(said, payload, only_agrees(said));
    return made;
}

std::optional<Act> typed_act(const Said& said) {
    if (said.view.type == "offer" || said.view.type == "counter_offer") return typed_offer(said);
    if (said.view.type == "accept") return typed_answer(said, ActKind::Accepts);
    if (said.view.type == "reject") return typed_answer(said, ActKind::Declines);
    if (said.view.type == "text" && !said.view.offer_amount.empty()) return typed_offer(said);
    return std::nullopt;
}

/// "I can't go that low", "45 isn't enough": a clause that denies the other side's price.
bool denies_price(const Said& said, const Clause& clause) {
    if (!said.other || !contains(said, Cue::Cannot, clause)) return false;
    const auto numbers = numbers_in(said, clause);
    const auto& price = said.other->terms.price;
    const bool names_price =
        price && std::any_of(numbers.begin(), numbers.end(), [&](const NumberMention& number) {
            const auto money = parse_money(number.digits, price->currency);
            return money && *money == *price;
        });
    return names_price || contains(said, Cue::PriceMatter, clause);
}

bool refuses(const Said& said) {
    const auto& clauses = said.reading.clauses;
    return std::any_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
        return !asks(said, clause) &&
               (contains(said, Cue::Refuses, clause) || says_only(said, Cue::SaysNo, clause) ||
                denies_price(said, clause));
    });
}

std::optional<Act> agreeing(const Said& said, const std::vector<NamedAmount>& amounts) {
    const Assent assent = assent_of(said, amounts);
    if (assent == Assent::None) return std::nullopt;
    Act made = act(ActKind::Accepts);
    if (!amounts.empty()) made.terms.price = said.other->terms.price;
    if (assent == Assent::WithCondition) made.terms.conditions.push_back(whole_text(said));
    return made;
}

/// Whether a clause takes something back. "Forget it?" with a mark only asks.
bool takes_back(const Said& said) {
    const auto& clauses = said.reading.clauses;
    return std::any_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
        return !clause.ends_with_mark && contains(said, Cue::TakesBack, clause) &&
               !contains(said, Cue::OpenCondition, clause);
    });
}

/// Ends what the author stands to, what the other one stands to, or what both agreed to.
std::vector<Act> taking_back(const Said& said) {
    if (!takes_back(said)) return {};
    std::vector<Act> acts;
    if (said.other) acts.push_back(act(ActKind::Declines));
    if (said.own || !said.other) acts.push_back(act(ActKind::Withdraws));
    return acts;
}

/// Whether the message stays with the price that its author has named already: "no, 800 it is".
bool keeps_price(const Said& said, const std::optional<NamedAmount>& amount) {
    return said.own && amount && is_price_of(said.own, amount->money);
}

std::vector<Act> refusing(const Said& said, const std::optional<NamedAmount>& amount) {
    std::vector<Act> acts;
    const bool is_mention =
        amount && (is_price_of(said.other, amount->money) || amount->is_refused);
    const bool names_new = amount && !is_mention;
    const bool stays =
        states(said, Cue::HoldsPrice) || (!names_new && states(said, Cue::FindsWrong));
    const bool is_refusal = refuses(said) || ((!names_new || keeps_price(said, amount)) && stays);
    if (is_refusal && said.other) acts.push_back(act(ActKind::Declines));
    if (amount && !is_mention && !keeps_price(said, amount))
        acts.push_back(offer_in_words(said, amount->money));
    return acts;
}

std::optional<Act> condition(const Said& said) {
    const bool has_terms = said.own || said.is_agreed;
    if (!has_terms || !states(said, Cue::AddsCondition) || asks_anything(said)) return std::nullopt;
    Act made = act(ActKind::Conditions);
    made.terms.conditions.push_back(whole_text(said));
    return made;
}

/// Instructions to a program and alleged agreements offer nothing.
bool is_steering(const Said& said) {
    const auto& clauses = said.reading.clauses;
    return std::any_of(clauses.begin(), clauses.end(),
                       [&](const Clause& clause) { return contains(said, Cue::Steers, clause); });
}

/// Whether a clause tells with a word of `cue` what has happened.
bool tells(const Said& said, const Clause& clause, Cue cue) {
    return !asks(said, clause) && contains(said, cue, clause) &&
           !contains(said, Cue::Denies, clause);
}

bool names_money(const Said& said, const Clause& clause) {
    const auto numbers = numbers_in(said, clause);
    return contains(said, Cue::NamesMoney, clause) ||
           std::any_of(numbers.begin(), numbers.end(), [](const NumberMention& number) {
               return number.kind == NumberKind::Money;
           });
}

/// Not "I'll pay when I pick it up", which asks for nothing.
bool asks_to_pay(const Said& said, const Clause& clause) {
    const std::size_t begin = said.reading.text.find_first_not_of(' ', clause.begin);
    const bool is_own = end_of_cue(said, Cue::BeginsOwnPart, begin) > begin &&
                        !contains(said, Cue::Demands, clause);
    const bool is_request = !asks(said, clause) || contains(said, Cue::Requests, clause);
    return is_request && !is_own && contains(said, Cue::AsksPayment, clause);
}

/// What a clause says about payment and delivery. Things sent are a delivery once both agreed.
std::optional<ActKind> told_by(const Said& said, const Clause& clause) {
    const bool sends_money = tells(said, clause, Cue::TellsSending) && names_money(said, clause);
    if (sends_money || tells(said, clause, Cue::TellsPayment)) return ActKind::ClaimsPayment;
    if (asks_to_pay(said, clause)) return ActKind::AsksPayment;
    if (!said.is_agreed) return std::nullopt;
    if (tells(said, clause, Cue::TellsReceipt)) return ActKind::ClaimsReceipt;
    if (tells(said, clause, Cue::TellsDelivery)) return ActKind::ClaimsDelivery;
    return std::nullopt;
}

std::vector<Act> acts_on_order(const Said& said) {
    std::vector<Act> acts;
    if (!said.view.payment_qr.empty()) acts.push_back(act(ActKind::AsksPayment));
    for (const Clause& clause : said.reading.clauses) {
        const auto kind = told_by(said, clause);
        if (kind && !has(acts, *kind)) acts.push_back(act(*kind));
    }
    return acts;
}

bool tells_of_payment(const Said& said) {
    const auto acts = acts_on_order(said);
    return has(acts, ActKind::ClaimsPayment) || has(acts, ActKind::AsksPayment);
}

/// What the message does to the terms.
std::vector<Act> acts_on_terms(const Said& said) {
    if (is_steering(said)) return {};
    const auto amounts = amounts_named(said);
    if (auto made = agreeing(said, amounts)) return {std::move(*made)};
    auto meant = amount_meant(said, amounts);
    const bool is_settled = said.is_agreed && tells_of_payment(said);
    if (meant && (is_settled || meant->money == said.agreed)) meant.reset();
    if (meant && meant->is_asked) return {};
    if (!meant) {
        if (auto acts = taking_back(said); !acts.empty()) return acts;
    }
    if (auto acts = refusing(said, meant); !acts.empty()) return acts;
    if (meant) return {offer_in_words(said, meant->money)};
    if (const auto between = amounts.empty() ? amount_between(said) : std::nullopt)
        return {offer_in_words(said, *between)};
    if (auto made = condition(said)) return {std::move(*made)};
    return {};
}

std::vector<Act> acts_in_words(const Said& said) {
    std::vector<Act> acts = acts_on_terms(said);
    const bool offers = has(acts, ActKind::Offers);
    if (!offers) {
        auto about_order = acts_on_order(said);
        std::move(about_order.begin(), about_order.end(), std::back_inserter(acts));
    }
    if (asks_anything(said) && !offers) acts.push_back(act(ActKind::Asks));
    if (acts.empty()) acts.push_back(act(is_courtesy(said) ? ActKind::Courtesy : ActKind::Other));
    return acts;
}

std::vector<Act> acts_in(const Said& said) {
    if (auto made = typed_act(said)) return {std::move(*made)};
    if (said.view.type != "text" || !said.reading.is_readable) return {act(ActKind::Other)};
    // Words may name the typed offer that ends with them.
    const json payload = json::parse(said.payload_json, nullptr, false);
    std::vector<Act> acts = acts_in_words(said);
    for (Act& each : acts)
        each.replaces_message_id = wire::text_member(payload, "replaces");
    return acts;
}

/// What both stand to before the message; `by` is its author.
void take_terms(Said& said, const std::optional<Deal>& deal, ActBy by) {
    said.by = by;
    if (!deal) return;
    said.own = by == ActBy::Us ? deal->ours : deal->theirs;
    said.other = by == ActBy::Us ? deal->theirs : deal->ours;
    said.is_agreed = deal->phase == DealPhase::Agreed;
    if (said.is_agreed && deal->agreed) said.agreed = deal->agreed->terms.price;
}

}  // namespace

std::vector<Act> acts_of(const Situation& situation) {
    const Input& input = situation.input;
    if (situation.is_cut) return {act(ActKind::Other)};
    Said said{.payload_json = input.message.payload_json,
              .view = input.payload,
              .vocabulary = situation.vocabulary,
              .reading = situation.reading,
              .recent = input.recent,
              .listed = situation.subject.listed_price,
              .spelled = find_spelled_amounts(situation.reading.text, situation.vocabulary),
              .is_plain = is_plain_offer(situation)};
    if (const Listing* listing = situation.subject.only()) said.title = listing->title;
    take_terms(said, input.deal, ActBy::Peer);
    return acts_in(said);
}

bool tells_asked_price(const Situation& situation) {
    const Input& input = situation.input;
    const auto is_named = [&](const Listing& listing) {
        return listing.works_id == input.payload.works_id;
    };
    const bool may_be_ours =
        !input.listings.empty() &&
        (input.payload.works_id.empty() || std::ranges::any_of(input.listings, is_named));
    if (may_be_ours || input.payload.type != "text" || (input.deal && input.deal->ours))
        return false;
    const auto ours = std::ranges::find(input.recent, false, &HistoryEntry::incoming);
    if (ours == input.recent.end()) return false;
    const auto acts = own_acts(ours->payload_json, {});
    return acts.size() == 1 && acts.front().kind == ActKind::Asks;
}

bool adds_condition(const Situation& situation) {
    const auto& deal = situation.input.deal;
    return deal && deal->theirs && has(acts_of(situation), ActKind::Conditions);
}

bool changes_own_terms(const std::vector<Act>& acts) {
    return has(acts, ActKind::Offers) || has(acts, ActKind::Withdraws) ||
           has(acts, ActKind::Conditions);
}

Act answer_of(const Situation& situation) {
    const InboxMessage& message = situation.input.message;
    Act answer = acts_of(situation).front();
    answer.by = ActBy::Peer;
    answer.message_id = message.message_id;
    answer.at_ms = message.received_at_ms;
    answer.sureness = certainty(message.provenance);
    return answer;
}

std::vector<Act> typed_acts(std::string_view payload_json) {
    static const std::vector<HistoryEntry> kNone;
    const Vocabulary& vocabulary = built_in_vocabulary();
    const wire::PayloadView view = wire::view_payload(payload_json);
    const Reading reading = read_text(view.text, vocabulary);
    const Said said{.payload_json = payload_json,
                    .view = view,
                    .vocabulary = vocabulary,
                    .reading = reading,
                    .recent = kNone};
    if (auto made = typed_act(said)) return {std::move(*made)};
    Act made = act(ActKind::Other);
    made.replaces_message_id =
        wire::text_member(json::parse(payload_json, nullptr, false), "replaces");
    return {std::move(made)};
}

Matter matter_of(const Listing& listing) {
    const Vocabulary& vocabulary = built_in_vocabulary();
    const auto numbers =
        find_numbers(vocabulary.lexicon.comparable(listing.expected_price), vocabulary);
    Matter matter{{}, listing.title};
    if (numbers.size() == 1) matter.price = numbers.front().money;
    return matter;
}

std::vector<Act> own_acts(std::string_view payload_json, const std::optional<Deal>& deal,
                          const std::vector<HistoryEntry>& recent, const Matter& matter) {
    const Vocabulary& vocabulary = built_in_vocabulary();
    const wire::PayloadView view = wire::view_payload(payload_json);
    if (code_point_count(view.text) > kTextRead) return {act(ActKind::Other)};
    const Reading reading = read_text(view.text, vocabulary);
    Said said{.payload_json = payload_json,
              .view = view,
              .vocabulary = vocabulary,
              .reading = reading,
              .recent = recent,
              .listed = matter.price,
              .title = matter.title,
              .spelled = find_spelled_amounts(reading.text, vocabulary)};
    take_terms(said, deal, ActBy::Us);
    return acts_in(said);
}

}  // namespace a2h::decide
