#include "daemon/decide/wording.h"

#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

#include "core/base/fence.h"
#include "core/base/text.h"
#include "core/domain/deal.h"
#include "core/wire/json_member.h"
#include "daemon/decide/acts.h"

namespace a2h::decide {
namespace {

constexpr std::size_t kListingsNamedMax = 5;
constexpr std::size_t kContentCodePointsMax = 300;
constexpr std::size_t kPeerIdCodePointsMax = 64;

/// `text` without invisible characters and those that change the reading direction.
std::string visible(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); i += code_point_length(text, i)) {
        const char32_t c = code_point_at(text, i);
        const bool is_hidden = (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
                               (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF;
        if (!is_hidden) out += text.substr(i, code_point_length(text, i));
    }
    return out;
}

/// An id of the peer in a form that is safe to show, on one line.
std::string quotable(std::string_view text) {
    return preview(visible(text));
}

/// At most `kContentCodePointsMax` of our own text, ending after a sentence or word, because a cut
/// number would be another number.
std::string excerpt(std::string_view content) {
    const std::string_view trimmed = trim(content);
    const std::string_view cut = truncate(trimmed, kContentCodePointsMax);
    if (cut.size() == trimmed.size()) return std::string(cut);
    std::size_t end = 0;
    for (std::size_t i = 0; i < cut.size(); i += code_point_length(cut, i)) {
        const char32_t c = code_point_at(cut, i);
        if (c == ' ' || c == '\n' || c == 0x3002 || c == 0xFF0C || c == 0xFF1B || c == 0xFF01) {
            end = i;
        }
    }
    return std::string(trim(cut.substr(0, end))) + " …";
}

/// For a text that is continued in the same sentence.
std::string_view without_full_stop(std::string_view text) {
    for (const std::string_view stop : {".", "。"}) {
        if (text.ends_with(stop)) return text.substr(0, text.size() - stop.size());
    }
    return text;
}

std::string method_text(const Listing& listing, i18n::Language language) {
    if (listing.service_method == "online") return i18n::text(language, "decide.method.online");
    if (listing.service_method == "offline") return i18n::text(language, "decide.method.offline");
    return listing.service_method;
}

std::string fact_text(const Listing& listing, Fact fact, i18n::Language language) {
    const auto say = [&](std::string_view key, std::string_view value) {
        return trim(value).empty() ? std::string() : i18n::text(language, key, {{"value", value}});
    };
    switch (fact) {
        case Fact::Price:
            return say(
                listing.type == ListingType::Demand ? "decide.fact.budget" : "decide.fact.price",
                trim(listing.expected_price));
        case Fact::Method:
            return say("decide.fact.method", method_text(listing, language));
        case Fact::Location:
            return say("decide.fact.location", trim(listing.service_location));
        case Fact::Availability:
            return i18n::text(language, "decide.fact.availability");
        case Fact::Overview:
            return say("decide.fact.content", without_full_stop(excerpt(listing.content)));
    }
    A2H_CHECK(false);
}

std::string facts_text(const Listing& listing, FactSet facts, i18n::Language language) {
    constexpr FactSet kOverview =
        bit(Fact::Overview) | bit(Fact::Price) | bit(Fact::Method) | bit(Fact::Location);
    if ((facts & bit(Fact::Overview)) != 0) facts |= kOverview;
    constexpr std::array<Fact, 5> kOrder = {Fact::Availability, Fact::Overview, Fact::Price,
                                            Fact::Method, Fact::Location};
    std::string all;
    for (const Fact fact : kOrder) {
        if ((facts & bit(fact)) == 0) continue;
        const std::string part = fact_text(listing, fact, language);
        if (part.empty()) continue;
        if (!all.empty()) all += i18n::text(language, "decide.reply.join");
        all += part;
    }
    return all;
}

struct Words {
    std::string peer, amount, listing, price, order, state;
};

std::string for_listing(const Subject& subject, i18n::Language language) {
    const Listing* listing = subject.only();
    if (listing == nullptr) return {};
    return i18n::text(language, "decide.for_listing", {{"title", one_line(listing->title)}});
}

std::string state_key(OrderState state) {
    std::string key = "decide.order_state_";
    for (const char c : to_string(state))
        key += c == '_' ? c : static_cast<char>(c - 'A' + 'a');
    return key;
}

Words words_for(const Situation& situation, i18n::Language language) {
    const Listing* listing = situation.subject.only();
    Words words;
    words.peer =
        std::string(truncate(quotable(situation.input.message.sender_id), kPeerIdCodePointsMax));
    if (situation.amount.money) words.amount = to_text(*situation.amount.money);
    words.listing = for_listing(situation.subject, language);
    if (listing != nullptr) words.price = one_line(listing->expected_price);
    words.order = quotable(situation.order_id);
    if (const DealOrder* order = known_order(situation))
        words.state = i18n::text(language, state_key(order->state));
    return words;
}

/// The text of the topic for `part`, preferably the wording with an amount or a price if one is
/// known; empty if the topic has none.
std::string topic_text(std::string_view topic, const std::string& part, const Words& words,
                       i18n::Language language) {
    const std::string base = "decide." + std::string(topic) + "." + part;
    std::string key = base;
    if (!words.price.empty() && i18n::has_key(language, base + "_price")) key = base + "_price";
    if (!words.amount.empty() && i18n::has_key(language, base + "_amount")) key = base + "_amount";
    if (!i18n::has_key(language, key)) return {};
    return i18n::text(language, key,
                      {{"peer", words.peer},
                       {"amount", words.amount},
                       {"listing", words.listing},
                       {"price", words.price},
                       {"order", words.order},
                       {"state", words.state}});
}

/// The peer's words for the question: all of them, or only their length if they are too long. The
/// approval contains all of them.
std::string quote_text(const Situation& situation, i18n::Language language) {
    constexpr std::size_t kQuoteCodePointsMax = 100;
    const std::string text = shown_whole(situation.input.payload.text);
    if (trim(text).empty()) return {};
    const std::size_t count = code_point_count(trim(text));
    if (count <= kQuoteCodePointsMax) {
        return i18n::text(language, "decide.note.quote", {{"quote", preview(text)}});
    }
    return i18n::text(language, "decide.note.long", {{"count", std::to_string(count)}});
}

/// An offer with a condition about payment, such as "250 CNY unless paid late", does not report a
/// received payment.
bool bargains(const Situation& situation) {
    const RoleLists& known = situation.vocabulary.known;
    return (situation.reading.lists &
            (known[Role::Offer] | known[Role::Haggle] | known[Role::Deal])) != 0;
}

/// The topic of a peer's answer to an offer of ours: what it does in the deal.
std::string_view topic_of_answer(const Situation& situation) {
    const Act answer = answer_of(situation);
    if (answer.kind == ActKind::Declines) return "offer_rejected";
    if (!situation.input.deal) return "accepted_late";
    const Step step = advance(*situation.input.deal, answer).step;
    if (step == Step::Countered) return "accepted_changed";
    return step == Step::AcceptedTooLate ? "accepted_late" : "accepted";
}

/// "Agreed" is drafted only if the message says nothing else that it would agree to, and an order
/// is named only if it has a valid id. Nothing is drafted for words that may end the conversation,
/// nor for an amount in another currency than that of the listing. An answer to our own offer needs
/// no yes and bears no no.
std::string_view topic_of(const Rule& rule, const Situation& situation) {
    if (!situation.input.answered_offer.empty()) return topic_of_answer(situation);
    const bool ends = takes_back(situation);
    if (ends && (rule.topic == "haggle" || rule.topic == "deal")) return "ending";
    if (rule.topic == "haggle" && adds_condition(situation)) return "condition_added";
    if (rule.topic == "offer" && tells_asked_price(situation)) return "price_told";
    if (rule.topic == "offer" && is_in_other_currency(situation)) return "offer_currency";
    if (rule.topic == "offer" && (ends || !says_no_more(situation))) return "offer_more";
    if (rule.topic == "paid" && bargains(situation)) return "unknown";
    if (rule.topic == "order" && situation.order_id.empty()) return "order_unnamed";
    if (rule.topic == "order" && known_order(situation) != nullptr) return "order_known";
    const bool is_deal = rule.topic == "deal" && situation.amount.money.has_value();
    return is_deal && !says_no_more(situation) ? std::string_view("deal_more") : rule.topic;
}

/// What a typed offer says beside its price and text: a yes accepts what it is for. If it names a
/// session, which may be about anything, no draft accepts it (R26).
std::string offer_note(std::string_view topic, const Situation& situation) {
    if (situation.input.payload.type != "offer") return {};
    const i18n::Language language = situation.input.owner_language;
    const auto offer = nlohmann::json::parse(situation.input.message.payload_json, nullptr, false);
    if (topic == "offer_more" && !wire::member(offer, "session_id").is_null())
        return i18n::text(language, "decide.note.session");
    const std::string summary = one_line(shown_whole(wire::text_member(offer, "summary")));
    const bool is_accepted = topic == "offer" || topic == "deal";
    if (!is_accepted || trim(summary).empty()) return {};
    return i18n::text(language, "decide.note.summary", {{"summary", with_single_quotes(summary)}});
}

std::string listing_of_deal(const Situation& situation, i18n::Language language) {
    const auto& deal = situation.input.deal;
    const auto& own = situation.input.listings;
    if (!deal || deal->subject.kind != kListingSubject) return {};
    const auto listing = std::ranges::find(own, deal->subject.id, &Listing::works_id);
    if (listing == own.end()) return {};
    return i18n::text(language, "decide.for_listing", {{"title", one_line(listing->title)}});
}

std::string question_text(std::string_view topic, const Situation& situation) {
    const i18n::Language language = situation.input.owner_language;
    Words words = words_for(situation, language);
    if (const std::string& offered = situation.input.answered_offer; !offered.empty()) {
        // The answer may name any listing; the offer was about that of the deal.
        words.amount = offered;
        words.listing = listing_of_deal(situation, language);
        words.price.clear();
    }
    if (topic == "condition_added" && situation.input.deal->theirs->terms.price)
        words.amount = to_text(*situation.input.deal->theirs->terms.price);
    const std::string gap = i18n::text(language, "decide.sentence_gap");
    std::string question = topic_text(topic, "question", words, language);
    const auto add = [&](std::string_view key, i18n::Arguments arguments) {
        question += gap + i18n::text(language, key, arguments);
    };
    if (!words.price.empty()) add("decide.note.listed_price", {{"price", words.price}});
    if (const std::string quote = quote_text(situation, language); !quote.empty()) {
        question += gap + quote;
    }
    if (const std::string note = offer_note(topic, situation); !note.empty())
        question += gap + note;
    if ((situation.reading.lists & situation.vocabulary.known[Role::Claim]) != 0) {
        add("decide.note.claim", {});
    }
    if (situation.input.message.provenance == Provenance::Unverified) {
        add("decide.note.unverified", {{"peer", words.peer}});
    }
    return question;
}

/// A peer who is interested in something of ours. A peer who answers what we asked as a buyer is
/// not waiting for us.
bool waits_for_us(const Situation& situation) {
    const RoleLists& known = situation.vocabulary.known;
    const bool is_hostile = (situation.reading.lists & (known[Role::Claim] | known[Role::Steering] |
                                                        known[Role::Trouble])) != 0;
    return !is_hostile && (!situation.input.listings.empty() || !situation.order_id.empty());
}

}  // namespace

std::string word_answer(const Situation& situation) {
    const i18n::Language language = situation.peer_language;
    const auto& listings = situation.subject.listings;
    std::string reply;
    if (const Listing* listing = situation.subject.only()) {
        return i18n::text(language, "decide.reply.about",
                          {{"title", one_line(listing->title)},
                           {"facts", facts_text(*listing, situation.reading.facts, language)}});
    }
    // Of many listings only title, price and the facts asked for are given, which distinguish them.
    const bool asks_detail = (situation.reading.lists & situation.vocabulary.needs_evidence) != 0;
    const FactSet hidden = asks_detail ? 0 : bit(Fact::Overview);
    const FactSet facts = (situation.reading.facts & ~hidden) | bit(Fact::Price);
    reply = i18n::text(language, "decide.reply.several");
    const std::size_t count = std::min(listings.size(), kListingsNamedMax);
    for (std::size_t k = 0; k < count; ++k) {
        reply += '\n' + i18n::text(language, "decide.reply.entry",
                                   {{"title", one_line(listings[k]->title)},
                                    {"facts", facts_text(*listings[k], facts, language)}});
    }
    return reply;
}

void word_ask(const Rule& rule, const Situation& situation, Decision& decision) {
    const i18n::Language owner = situation.input.owner_language;
    const i18n::Language peer = situation.peer_language;
    const Words for_peer = words_for(situation, peer);
    const std::string_view topic = topic_of(rule, situation);
    decision.about = about_of(rule.topic);
    decision.question = question_text(topic, situation);
    decision.reply_text = topic_text(topic, "reply", for_peer, peer);
    decision.reject_text = topic_text(topic, "reject", for_peer, peer);
    decision.accepts_offer = situation.input.payload.type == "offer" &&
                             (topic == "offer" || topic == "deal") && !decision.reply_text.empty();
    if (!decision.reject_text.empty() && !for_peer.price.empty()) {
        decision.reject_text +=
            i18n::text(peer, "decide.sentence_gap") +
            i18n::text(peer, "decide.reject.price", {{"price", for_peer.price}});
    }
    if (rule.holding && topic != "ending" && waits_for_us(situation)) {
        decision.holding_text = i18n::text(peer, "decide.reply.holding");
    }
    const Words for_owner = words_for(situation, owner);
    for (const OptionKind kind : {OptionKind::Yes, OptionKind::No, OptionKind::Close,
                                  OptionKind::Counter, OptionKind::Answer}) {
        std::string label =
            topic_text(topic, "option_" + std::string(to_string(kind)), for_owner, owner);
        if (!label.empty()) decision.options.emplace_back(std::move(label), kind);
    }
}

About about_of(std::string_view topic) {
    constexpr std::string_view kTerms[] = {"offer",     "offer_unclear",  "offer_more", "deal",
                                           "deal_more", "offer_currency", "ending"};
    if (std::find(std::begin(kTerms), std::end(kTerms), topic) != std::end(kTerms))
        return About::Terms;
    return topic == "unanswered" ? About::Facts : About::Other;
}

std::string word_why(const Rule& rule, i18n::Language language) {
    if (!rule.why.key.empty()) return i18n::text(language, rule.why.key);
    return language == i18n::Language::Chinese ? rule.why.zh : rule.why.en;
}

}  // namespace a2h::decide
