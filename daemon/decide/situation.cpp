#include "daemon/decide/situation.h"

#include <algorithm>

#include "core/base/text.h"

namespace a2h::decide {
namespace {

/// More is not read: 64 KiB take 50 ms, and no rule answers or silences a text of this length.
constexpr std::size_t kTextCodePointsMax = 2'000;
constexpr std::size_t kHistoryRead = 6;  // entries looked at for our last message

bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/// "WKS" and at least 30 hexadecimal digits: the platform's order ids.
std::string order_id_in(std::string_view text) {
    constexpr std::size_t kHexDigitsMin = 30;
    constexpr std::size_t kHexDigitsMax = 64;
    for (std::size_t at = text.find("wks"); at != std::string_view::npos;
         at = text.find("wks", at + 1)) {
        std::size_t end = at + 3;
        while (end < text.size() && end - at - 3 < kHexDigitsMax && is_hex(text[end])) {
            ++end;
        }
        if (end - at - 3 < kHexDigitsMin) continue;
        return "WKS" + std::string(text.substr(at + 3, end - at - 3));
    }
    return {};
}

/// "250 btc": the word behind a bare number may be a currency that nobody told us of.
bool is_followed_by_unknown_word(const Reading& reading, std::size_t end,
                                 const RuleSet::Impl& playbook) {
    const std::string_view text = reading.text;
    const std::size_t after = end < text.size() && text[end] == ' ' ? end + 1 : end;
    if (after >= text.size() || text[after] < 'a' || text[after] > 'z') return false;
    return (playbook.lexicon.longest_at(text, after).lists & ~playbook.known.payment) == 0;
}

/// "250?": a number and the question whether it will do.
bool asks_for_a_number(const Reading& reading, const RuleSet::Impl& playbook) {
    const auto& clauses = reading.clauses;
    return std::any_of(clauses.begin(), clauses.end(),
                       [](const Clause& clause) { return clause.is_question; }) &&
           (reading.lists & ~(playbook.known.filler | playbook.known.question)) == 0 &&
           std::all_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
               return unknown_words(reading, clause).empty();
           });
}

/// The distinct amounts of `reading`; nothing in a place where one is not exact.
std::vector<std::optional<Money>> amounts_of(const Reading& reading, const Subject& subject,
                                             const RuleSet::Impl& playbook) {
    const KnownLists& known = playbook.known;
    const ListSet bargaining =
        known.offer | known.haggle | known.deal | known.paid | known.approximate;
    const bool bare_is_amount =
        (reading.lists & bargaining) != 0 || asks_for_a_number(reading, playbook);
    std::vector<std::optional<Money>> amounts;
    for (const NumberMention& number : reading.numbers) {
        if (number.kind == NumberKind::Quantity) continue;
        std::optional<Money> money = number.money;
        if (number.kind == NumberKind::Bare) {
            if (!bare_is_amount) continue;
            if (is_currency_code(subject.listed_currency) &&
                !is_followed_by_unknown_word(reading, number.end, playbook)) {
                if (auto parsed = parse_money(number.digits, subject.listed_currency)) {
                    money = *parsed;
                }
            }
        }
        if (std::find(amounts.begin(), amounts.end(), money) == amounts.end()) {
            amounts.push_back(money);
        }
    }
    return amounts;
}

/// Asks something besides facts: by its words, or by its mark about something unknown.
bool is_open_question(const Situation& situation, const Clause& clause) {
    const Reading& reading = situation.reading;
    if (!clause.is_question || clause.facts != 0) return false;
    const KnownLists& known = situation.playbook.known;
    const bool goes_with_a_fact = std::any_of(
        reading.clauses.begin(), reading.clauses.end(),
        [&](const Clause& other) { return other.sentence == clause.sentence && other.facts != 0; });
    // "Could you tell me, please, how much it is?" asks once.
    const bool says_nothing = unknown_words(reading, clause).empty();
    if ((clause.lists & known.question) != 0) {
        return (clause.lists & known.particular) != 0 || !says_nothing || !goes_with_a_fact;
    }
    return !says_nothing && !goes_with_a_fact;
}

bool asks_anything(const Reading& reading) {
    return std::any_of(reading.clauses.begin(), reading.clauses.end(),
                       [](const Clause& clause) { return clause.is_question; });
}

bool has_open_question(const Situation& situation) {
    const auto& clauses = situation.reading.clauses;
    const bool is_outside = (situation.reading.lists & situation.playbook.known.outside) != 0;
    return situation.subject.has_unknown_words || is_outside ||
           std::any_of(clauses.begin(), clauses.end(),
                       [&](const Clause& clause) { return is_open_question(situation, clause); });
}

/// A number that is not itself a word of `lists`, as 88 is a farewell; alone it is a number.
bool has_number_beside(const Reading& reading, ListSet lists) {
    if (!reading.numbers.empty() && reading.words.size() < 2) return true;
    return std::any_of(
        reading.numbers.begin(), reading.numbers.end(), [&](const NumberMention& number) {
            return std::none_of(reading.words.begin(), reading.words.end(),
                                [&](const WordMatch& word) {
                                    return (word.lists & lists) != 0 &&
                                           word.begin <= number.begin && number.end <= word.end;
                                });
        });
}

/// No word of `clause` that the rules know belongs to other lists alone.
bool has_only_words_of(const Reading& reading, const Clause& clause, ListSet lists) {
    return std::all_of(reading.words.begin(), reading.words.end(), [&](const WordMatch& word) {
        const bool is_here = word.begin < clause.end && word.end > clause.begin;
        return !is_here || (word.lists & lists) != 0;
    });
}

/// Only words of `lists` and fillers, or nothing but emoji and full stops. Who takes leave or
/// reports that something arrived may name what the listings are about.
bool says_only(const Situation& situation, ListSet lists) {
    const Reading& reading = situation.reading;
    const KnownLists& known = situation.playbook.known;
    if (situation.is_cut || has_number_beside(reading, lists)) return false;
    const bool says_any = (reading.lists & lists) != 0;
    const ListSet allowed = says_any ? lists | known.filler : 0;
    const bool may_name_listing = (reading.lists & lists & (known.leaving | known.receipt)) != 0;
    return std::all_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
        const bool is_bare_mark = clause.ends_with_mark && (clause.lists & lists) == 0;
        if (is_bare_mark) return false;
        if (is_covered_by(reading, clause, allowed)) return true;
        return may_name_listing && !situation.subject.has_unknown_statement &&
               has_only_words_of(reading, clause, allowed | known.plain);
    });
}

/// "Thanks for clearing that up": a word that sets the tone of a clause carries those that nobody
/// knows, while any word that means something else to the rules does not belong there.
bool says_mainly(const Situation& situation, ListSet lists) {
    const Reading& reading = situation.reading;
    const KnownLists& known = situation.playbook.known;
    if (situation.is_cut || has_number_beside(reading, lists)) return false;
    const ListSet plain = lists | known.assent | known.filler | known.plain | known.context |
                          known.first_person | known.promise | known.holding | known.counter_offer;
    return std::all_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
        if (!has_only_words_of(reading, clause, plain)) return false;
        return (clause.lists & lists) != 0 ||
               is_covered_by(reading, clause, known.filler | known.plain | known.assent);
    });
}

/// A text of ours to which a mere "ok" would agree: it asks something or goes beyond the listings.
/// "Anything else?" and "I will get back to you" do neither.
bool binds(std::string_view text, const Situation& situation) {
    const KnownLists& known = situation.playbook.known;
    const Reading reading = read_text(text, situation.playbook);
    const bool asked =
        std::any_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
            return clause.is_question && (clause.lists & known.closing) == 0;
        });
    if (asked) return true;
    constexpr ListSet kNone = 0;
    const bool is_harmless =
        (reading.lists & (known.closing | known.holding)) != kNone && reading.numbers.empty() &&
        (reading.lists & (known.deal | known.haggle | known.payment | known.paid | known.terms |
                          known.delivered | known.spelled_amount)) == kNone;
    return !is_harmless && !review_text(text, situation.input.listings).free;
}

/// Our last message went beyond the listings or asked something, so that a mere "ok" agrees to it.
bool is_after_commitment(const Situation& situation) {
    const auto& recent = situation.input.recent;
    const auto end =
        recent.begin() + static_cast<std::ptrdiff_t>(std::min(recent.size(), kHistoryRead));
    const auto ours =
        std::find_if(recent.begin(), end, [](const auto& entry) { return !entry.incoming; });
    if (ours == end) return false;
    return binds(wire::view_payload(ours->payload_json).text, situation);
}

/// The peer's words are the last that we sent: two programs that copy each other. Short ones and
/// those that bound us to something may be meant.
bool is_echo(const Situation& situation) {
    constexpr std::size_t kEchoBytesMin = 16;
    const auto& recent = situation.input.recent;
    const auto ours = std::find_if(recent.begin(), recent.end(),
                                   [](const auto& entry) { return !entry.incoming; });
    const std::string_view said = trim(situation.input.payload.text);
    if (ours == recent.end() || said.size() < kEchoBytesMin) return false;
    const std::string text = wire::view_payload(ours->payload_json).text;
    return trim(text) == said && !binds(text, situation);
}

template <typename Value>
bool holds(const std::vector<Value>& allowed, const Value& value) {
    return allowed.empty() || std::find(allowed.begin(), allowed.end(), value) != allowed.end();
}

bool is_none_of(const std::vector<std::string>& excluded, const std::string& value) {
    return std::find(excluded.begin(), excluded.end(), value) == excluded.end();
}

bool holds(const std::optional<bool>& wanted, bool value) {
    return !wanted || *wanted == value;
}

bool payload_applies(const Conditions& when, const Situation& situation) {
    const Input& input = situation.input;
    return holds(when.message_type, input.message.message_type) &&
           is_none_of(when.message_type_not, input.message.message_type) &&
           holds(when.payload_type, input.payload.type) &&
           is_none_of(when.payload_type_not, input.payload.type) &&
           holds(when.provenance, input.message.provenance) &&
           holds(when.source, input.message.source) && (situation.parts & when.has) == when.has &&
           (situation.parts & when.lacks) == 0;
}

bool counts_apply(const Conditions& when, const Situation& situation) {
    const Input& input = situation.input;
    return holds(when.repeated, input.same_payload_count > 0) &&
           input.answers_last_day >= when.rounds_at_least &&
           input.messages_last_minute >= when.per_minute_at_least &&
           (when.longer_than == 0 || code_point_count(input.payload.text) > when.longer_than);
}

bool words_apply(const Conditions& when, const Situation& situation) {
    const ListSet lists = situation.reading.lists;
    return (when.says == 0 || (lists & when.says) != 0) && (lists & when.says_not) == 0 &&
           (when.says_only == 0 || says_only(situation, when.says_only)) &&
           (when.says_mainly == 0 || says_mainly(situation, when.says_mainly)) &&
           holds(when.readable, situation.reading.is_readable) &&
           (!when.question || *when.question == asks_anything(situation.reading)) &&
           (!when.echo || *when.echo == is_echo(situation)) &&
           holds(when.asks_fact, situation.reading.facts != 0) &&
           holds(when.amount, situation.amount.reading);
}

bool subject_applies(const Conditions& when, const Situation& situation) {
    const Subject& subject = situation.subject;
    return holds(when.listing, subject.match()) &&
           (!when.facts_stated ||
            *when.facts_stated ==
                states_facts(subject.listings, situation.reading, situation.playbook)) &&
           (!when.open_question || *when.open_question == has_open_question(situation)) &&
           holds(when.quantity, subject.has_unknown_quantity) &&
           (!when.after_commitment || *when.after_commitment == is_after_commitment(situation));
}

PartSet parts_of(const wire::PayloadView& payload, const std::string& order_id) {
    PartSet parts = 0;
    if (!trim(payload.text).empty()) parts |= bit(Part::Text);
    if (!payload.payment_qr.empty()) parts |= bit(Part::PaymentQr);
    if (!order_id.empty()) parts |= bit(Part::OrderId);
    if (!payload.works_id.empty()) parts |= bit(Part::WorksId);
    if (!payload.attachment_url.empty()) parts |= bit(Part::Attachment);
    if (!payload.offer_amount.empty()) parts |= bit(Part::Offer);
    return parts;
}

/// That of the message, else of what the peer wrote last, else the owner's.
i18n::Language peer_language_of(const Input& input, const Reading& reading,
                                const RuleSet::Impl& playbook) {
    if (reading.has_letters) return reading.language;
    const std::size_t count = std::min(input.recent.size(), kHistoryRead);
    for (std::size_t k = 0; k < count; ++k) {
        if (!input.recent[k].incoming) continue;
        const std::string text = wire::view_payload(input.recent[k].payload_json).text;
        const Reading before = read_text(text, playbook);
        if (before.has_letters) return before.language;
    }
    return input.owner_language;
}

}  // namespace

AmountFound find_amount(const wire::PayloadView& payload, const Reading& reading,
                        const Subject& subject, const RuleSet::Impl& playbook) {
    auto amounts = amounts_of(reading, subject, playbook);
    if (!payload.offer_amount.empty()) {
        std::optional<Money> money;
        if (auto parsed = parse_money(payload.offer_amount, payload.offer_currency)) {
            money = *parsed;
        }
        if (std::find(amounts.begin(), amounts.end(), money) == amounts.end()) {
            amounts.push_back(money);
        }
    } else if (amounts.size() > 1 && subject.listed_price) {
        std::erase(amounts, subject.listed_price);
    }
    if (amounts.empty()) return {};
    const bool is_approximate = (reading.lists & playbook.known.approximate) != 0;
    if (is_approximate || amounts.size() > 1 || !amounts.front())
        return {AmountReading::Unclear, {}};
    return {AmountReading::Exact, amounts.front()};
}

Situation understand(const Input& input, const RuleSet::Impl& playbook) {
    Situation situation{
        .input = input,
        .playbook = playbook,
        .reading = read_text(truncate(input.payload.text, kTextCodePointsMax), playbook),
        .subject = {},
        .amount = {},
        .order_id = input.payload.order_id};
    if (situation.order_id.empty()) situation.order_id = order_id_in(situation.reading.text);
    situation.is_cut = code_point_count(input.payload.text) > kTextCodePointsMax;
    situation.subject = find_subject(input, situation.reading, playbook);
    situation.amount = find_amount(input.payload, situation.reading, situation.subject, playbook);
    situation.parts = parts_of(input.payload, situation.order_id);
    situation.peer_language = peer_language_of(input, situation.reading, playbook);
    return situation;
}

bool is_plain_offer(const Situation& situation) {
    constexpr PartSet kAllowed = bit(Part::Text) | bit(Part::WorksId) | bit(Part::Offer);
    constexpr std::string_view kMarks = " ,.!?，。！？、";
    const Reading& reading = situation.reading;
    const std::string_view text = reading.text;
    if (situation.is_cut || !reading.is_readable || reading.is_corrected ||
        (situation.parts & ~kAllowed) != 0 || situation.amount.reading != AmountReading::Exact ||
        reading.numbers.size() != (text.empty() ? 0 : 1)) {
        return false;
    }
    for (std::size_t i = 0; i < text.size();) {
        const NumberMention& number = reading.numbers.front();
        if (i == number.begin) {
            if (number.end == i) return false;
            i = number.end;
            continue;
        }
        const WordMatch word = situation.playbook.plain_offer.longest_at(text, i);
        const std::size_t length = code_point_length(text, i);
        if (word.end > i) {
            i = word.end;
        } else if (kMarks.find(text.substr(i, length)) != std::string_view::npos) {
            i += length;
        } else {
            return false;
        }
    }
    return true;
}

bool applies(const Conditions& when, const Situation& situation) {
    return payload_applies(when, situation) && counts_apply(when, situation) &&
           words_apply(when, situation) && subject_applies(when, situation);
}

}  // namespace a2h::decide
