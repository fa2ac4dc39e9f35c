#include "daemon/decide/situation.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "core/base/fence.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/wire/json_member.h"
#include "daemon/decide/conversation_order.h"
#include "daemon/reading/clause_roles.h"
#include "daemon/reading/lexicon.h"

namespace a2h::decide {
namespace {

/// Longer texts are cut: 64 KiB take 50 ms, and no rule answers or ignores a text of this length.
constexpr std::size_t kTextCodePointsMax = 2'000;
constexpr std::size_t kHistoryRead = 6;  // entries searched for the language

/// Whatever else could be an order makes the message about one, so that it is asked about.
PartSet parts_of(const wire::PayloadView& payload, const std::string& order_id) {
    PartSet parts = 0;
    if (!trim(payload.text).empty()) parts |= bit(Part::Text);
    if (!payload.payment_qr.empty()) parts |= bit(Part::PaymentQr);
    if (!order_id.empty() || !payload.order_id.empty()) parts |= bit(Part::OrderId);
    if (!payload.works_id.empty()) parts |= bit(Part::WorksId);
    if (!payload.attachment_url.empty()) parts |= bit(Part::Attachment);
    if (!payload.offer_amount.empty()) parts |= bit(Part::Offer);
    return parts;
}

/// The language of the message, or of what the peer wrote last, or the owner's.
i18n::Language peer_language_of(const Input& input, const Reading& reading,
                                const Vocabulary& vocabulary) {
    if (reading.has_letters) return reading.language;
    const std::size_t count = std::min(input.recent.size(), kHistoryRead);
    for (std::size_t k = 0; k < count; ++k) {
        if (!input.recent[k].incoming) continue;
        const std::string text = wire::view_payload(input.recent[k].payload_json).text;
        const Reading before = read_text(text, vocabulary);
        if (before.has_letters) return before.language;
    }
    return input.owner_language;
}

/// Finds the listings that the message is about.
ListingMatch match_of(const Subject& subject) {
    if (subject.listings.empty()) return ListingMatch::None;
    return subject.listings.size() == 1 ? ListingMatch::One : ListingMatch::Several;
}

}  // namespace

Situation understand(const Input& input, const RuleSet::Impl& rules) {
    const Vocabulary& vocabulary = *rules.vocabulary;
    Situation situation{.input = input,
                        .rules = rules,
                        .vocabulary = vocabulary,
                        .reading = read_text(truncate(input.payload.text, kTextCodePointsMax),
                                             vocabulary, Writer::Peer),
                        .subject = {},
                        .amount = {},
                        .order_id = {}};
    if (is_order_id(input.payload.order_id)) situation.order_id = input.payload.order_id;
    find_roles(situation.reading, vocabulary);
    if (situation.order_id.empty()) situation.order_id = order_id_in(situation.reading.text);
    situation.length = code_point_count(input.payload.text);
    situation.is_cut = situation.length > kTextCodePointsMax;
    const auto& clauses = situation.reading.clauses;
    situation.asks_anything = std::any_of(clauses.begin(), clauses.end(),
                                          [](const Clause& clause) { return clause.is_question; });
    situation.subject = find_subject({input.payload, input.listings, input.index, input.recent},
                                     situation.reading, vocabulary);
    situation.match = match_of(situation.subject);
    if (asks_for_listed_price(input.payload, situation.reading, situation.subject, vocabulary)) {
        situation.reading.facts |= bit(Fact::Price);
        for (Clause& clause : situation.reading.clauses)
            if (clause.is_question) clause.facts |= bit(Fact::Price);
    } else {
        situation.amount =
            find_amount(input.payload, situation.reading, situation.subject, vocabulary);
    }
    // The part that was not read may name another amount.
    if (situation.is_cut) situation.amount = {AmountReading::Unclear, {}};
    situation.parts = parts_of(input.payload, situation.order_id);
    if (known_order(situation) != nullptr) situation.parts |= bit(Part::KnownOrder);
    situation.peer_language = peer_language_of(input, situation.reading, vocabulary);
    return situation;
}

const DealOrder* known_order(const Situation& situation) {
    const auto& deal = situation.input.deal;
    const bool is_known = deal && deal->order && !situation.order_id.empty() &&
                          deal->order->order_id == situation.order_id;
    return is_known ? &*deal->order : nullptr;
}

namespace {

/// Characters of ordinary writing. Other characters are normalised to text that they do not look
/// like (㉒ and ㊀ become numbers) or are ignored when read, such as the ① of "250元可以吗 ①".
bool is_ordinary(char32_t c) {
    constexpr std::u32string_view kOthers = U"\n£¥€、。《》「」『』【】‘’“”–—…￥￡";
    const bool is_latin = (c >= 0xC0 && c <= 0x24F) || (c >= ' ' && c <= '~');
    return is_latin || is_han(c) || (c >= 0xFF01 && c <= 0xFF5E) ||
           kOthers.find(c) != std::u32string_view::npos;
}

bool is_in_ordinary_characters(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); at += code_point_length(text, at)) {
        if (!is_ordinary(code_point_at(text, at))) return false;
    }
    return true;
}

/// True if the message can be judged as a whole: all of it was read as written, and people see all
/// of it.
bool is_read_whole(const Situation& situation) {
    const Reading& reading = situation.reading;
    const std::string_view text = situation.input.payload.text;
    return !situation.is_cut && reading.is_readable && !reading.is_corrected &&
           !first_hidden(text) && is_in_ordinary_characters(text);
}

/// True if the text contains only its one amount, if any, marks, and words that `word_end` accepts.
/// `word_end` takes a position and returns the end of the word there, or the same position.
template <typename WordEnd>
bool holds_only(const Reading& reading, WordEnd word_end) {
    constexpr std::string_view kMarks = " ,.!?，。！？、";
    const std::string_view text = reading.text;
    for (std::size_t i = 0; i < text.size();) {
        if (!reading.numbers.empty() && i == reading.numbers.front().begin) {
            if (reading.numbers.front().end == i) return false;
            i = reading.numbers.front().end;
            continue;
        }
        const std::size_t end = word_end(i);
        const std::size_t length = code_point_length(text, i);
        if (end > i) {
            i = end;
        } else if (kMarks.find(text.substr(i, length)) != std::string_view::npos) {
            i += length;
        } else {
            return false;
        }
    }
    return true;
}

/// What a typed offer is for, if a question can name it whole: then a yes accepts it, too.
bool is_shown_summary(std::string_view payload_type, const nlohmann::json& value) {
    constexpr std::size_t kSummaryCodePointsMax = 300;
    if (payload_type != "offer" || !value.is_string()) return false;
    const auto& text = value.get_ref<const std::string&>();
    return code_point_count(text) <= kSummaryCodePointsMax && !first_hidden(text) &&
           is_in_ordinary_characters(text);
}

/// A typed payload that contains more than amount, listing, text and what an offer is for, such as
/// a note, terms or a quantity.
bool has_other_members(const Situation& situation) {
    constexpr std::array<std::string_view, 8> kKnown = {"type",
                                                        "worksId",
                                                        "text",
                                                        "valid_until",
                                                        "price",
                                                        "offer_message_id",
                                                        "offer_payload_hash",
                                                        "replaces"};
    const auto payload =
        nlohmann::json::parse(situation.input.message.payload_json, nullptr, false);
    if (!payload.is_object()) return false;
    const auto price = payload.find("price");
    if (price != payload.end() && (!price->is_object() || price->size() > 2)) return true;
    for (const char* name : {"type", "worksId", "valid_until", "offer_message_id",
                             "offer_payload_hash", "replaces", "text"}) {
        const nlohmann::json& value = wire::member(payload, name);
        if (!value.is_null() && !value.is_string()) return true;
    }
    // An acceptance repeats the id of the message.
    if (!is_token(situation.input.message.message_id)) return true;
    for (const char* id : {"type", "worksId", "offer_message_id", "offer_payload_hash", "replaces"})
        if (!is_token(wire::text_member(payload, id))) return true;
    return std::any_of(payload.items().begin(), payload.items().end(), [&](const auto& member) {
        if (member.key() == "summary")
            return !is_shown_summary(wire::text_member(payload, "type"), member.value());
        return std::find(kKnown.begin(), kKnown.end(), member.key()) == kKnown.end();
    });
}

/// Letters, and marks that end or divide sentences.
bool is_in_plain_letters(std::string_view text) {
    constexpr std::string_view kMarks = " .,!'\n";
    constexpr std::u32string_view kWideMarks = U"。，！、～";
    for (std::size_t at = 0; at < text.size(); at += code_point_length(text, at)) {
        const char32_t c = code_point_at(text, at);
        const bool is_letter =
            (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') || (c >= 0x4E00 && c <= 0x9FFF);
        const bool is_mark = c < 0x80 ? kMarks.find(static_cast<char>(c)) != std::string_view::npos
                                      : kWideMarks.find(c) != std::u32string_view::npos;
        if (!is_letter && !is_mark) return false;
    }
    return true;
}

}  // namespace

bool is_in_other_currency(const Situation& situation) {
    const auto& money = situation.amount.money;
    const auto& read = situation.subject.read;
    const auto is_same = [&](const ReadListing* listing) {
        return listing->currency == money->currency;
    };
    const auto has_none = [](const ReadListing* listing) { return listing->currency.empty(); };
    return money && !std::all_of(read.begin(), read.end(), has_none) &&
           std::none_of(read.begin(), read.end(), is_same);
}

bool is_plain_offer(const Situation& situation) {
    constexpr PartSet kAllowed = bit(Part::Text) | bit(Part::WorksId) | bit(Part::Offer);
    const Reading& reading = situation.reading;
    if (!is_read_whole(situation) || (situation.parts & ~kAllowed) != 0 ||
        situation.amount.reading != AmountReading::Exact || is_in_other_currency(situation) ||
        takes_back(situation) || reading.numbers.size() != (reading.text.empty() ? 0 : 1)) {
        return false;
    }
    return holds_only(reading, [&](std::size_t i) {
        return situation.vocabulary.cues[Cue::PlainOffer].longest_at(reading.text, i).end;
    });
}

bool takes_back(const Situation& situation) {
    const Reading& reading = situation.reading;
    const RoleLists& known = situation.vocabulary.known;
    if ((reading.lists & (known[Role::Refusal] | known[Role::Leaving])) != 0) return true;
    const std::string_view text = reading.text;
    for (std::size_t i = 0; i < text.size(); i += code_point_length(text, i)) {
        const bool begins = static_cast<signed char>(text[i]) < 0 || is_word_boundary(text, i);
        if (begins && situation.vocabulary.cues[Cue::Withdrawal].longest_at(text, i).end > i)
            return true;
    }
    return false;
}

bool is_greeting_or_thanks(std::string_view text) {
    if (!is_in_plain_letters(text)) return false;
    const Vocabulary& vocabulary = built_in_vocabulary();
    const Reading reading = read_text(text, vocabulary);
    return reading.is_readable && reading.numbers.empty() && !reading.clauses.empty() &&
           holds_only(reading, [&](std::size_t i) {
               return vocabulary.cues[Cue::BareCourtesy].longest_at(reading.text, i).end;
           });
}

bool answers_offer(std::string_view text) {
    const Vocabulary& vocabulary = built_in_vocabulary();
    const RoleLists& known = vocabulary.known;
    const Reading reading = read_text(text, vocabulary);
    const ListSet settling = known[Role::Deal] | known[Role::Offer] | known[Role::Haggle] |
                             known[Role::Refusal] | known[Role::Leaving] | known[Role::Trouble];
    if ((reading.lists & settling & ~known[Role::Assent]) != 0) {
        // "ok" is in the list of offers as well. Alone it agrees; in a sentence it may not.
        const bool is_more_than_assent =
            std::any_of(reading.words.begin(), reading.words.end(), [&](const WordMatch& word) {
                return (word.lists & settling) != 0 && (word.lists & known[Role::Assent]) == 0;
            });
        if (is_more_than_assent) return true;
    }
    if (std::any_of(reading.numbers.begin(), reading.numbers.end(),
                    [](const auto& number) { return number.kind == NumberKind::Money; })) {
        return true;
    }
    const bool assents = (reading.lists & known[Role::Assent]) != 0;
    return assents &&
           std::all_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
               return is_covered_by(reading, clause,
                                    known[Role::Assent] | known[Role::Thanks] |
                                        known[Role::Acknowledgement] | known[Role::Greeting]);
           });
}

/// Whether the offer is still valid, if it says until when.
bool holds_now(const Situation& situation) {
    const auto payload =
        nlohmann::json::parse(situation.input.message.payload_json, nullptr, false);
    const nlohmann::json& until = wire::member(payload, "valid_until");
    if (until.is_null()) return true;
    const auto time = parse_time(until.is_string() ? until.get<std::string>() : "");
    return time && *time > situation.input.now_ms;
}

/// If the listing is not ours, nobody here has read what it promises.
bool is_about_foreign_listing(const Situation& situation) {
    const std::string& named = situation.input.payload.works_id;
    const auto& own = situation.input.listings;
    return !named.empty() && std::none_of(own.begin(), own.end(), [&](const Listing& listing) {
        return listing.works_id == named;
    });
}

bool says_no_more(const Situation& situation) {
    constexpr PartSet kAllowed = bit(Part::Text) | bit(Part::WorksId) | bit(Part::Offer);
    const Reading& reading = situation.reading;
    if (!is_read_whole(situation) || (situation.parts & ~kAllowed) != 0 ||
        reading.numbers.size() > 1 || has_other_members(situation) || !holds_now(situation) ||
        is_about_foreign_listing(situation)) {
        return false;
    }
    if (!reading.numbers.empty() && reading.numbers.front().kind != NumberKind::Money) return false;
    const Listing* listing = situation.subject.only();
    const std::string title = listing != nullptr
                                  ? situation.vocabulary.lexicon.comparable(listing->title)
                                  : std::string();
    return holds_only(reading, [&](std::size_t i) {
        const std::string_view rest = std::string_view(reading.text).substr(i);
        if (!title.empty() && rest.starts_with(title)) return i + title.size();
        return std::max(situation.vocabulary.cues[Cue::PlainOffer].longest_at(reading.text, i).end,
                        situation.vocabulary.cues[Cue::PlainDeal].longest_at(reading.text, i).end);
    });
}

}  // namespace a2h::decide
