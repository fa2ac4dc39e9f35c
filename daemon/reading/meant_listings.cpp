#include "daemon/reading/meant_listings.h"

#include <algorithm>

#include "daemon/reading/knowledge.h"

namespace a2h::reading {
namespace {

constexpr std::size_t kWorksIdHistory =
    6;  // number of conversation entries searched for a works id

/// The position of the listing with that id, if it is among `offered`.
std::optional<std::size_t> by_id(const std::vector<Listing>& listings,
                                 const std::vector<std::size_t>& offered,
                                 std::string_view works_id) {
    if (works_id.empty()) return std::nullopt;
    const auto found = std::find_if(offered.begin(), offered.end(), [&](std::size_t place) {
        return listings[place].works_id == works_id;
    });
    return found == offered.end() ? std::nullopt : std::optional(*found);
}

/// True if `text` contains a whole word with this stem that is not part of a longer name: "edited
/// pictures" do not mean an editor's service.
bool has_word(std::string_view text, const std::vector<WordMatch>& said, std::string_view stem) {
    for (std::size_t at = text.find(stem); at != std::string_view::npos;
         at = text.find(stem, at + 1)) {
        if (!is_word_boundary(text, at)) continue;
        std::size_t end = at + stem.size();
        while (!is_word_boundary(text, end)) {
            ++end;
        }
        const bool is_part = std::any_of(said.begin(), said.end(), [&](const WordMatch& name) {
            return name.begin <= at && end <= name.end && name.end - name.begin > end - at;
        });
        if (!is_part && stem_of(text.substr(at, end - at)) == stem) return true;
    }
    return false;
}

/// How much of a title a text repeats: its words, pairs of Han characters, and words with the same
/// meaning. `said` are the topics of the text. What `other` also contains does not count; nullptr:
/// everything counts.
std::size_t title_score(const ReadListing& listing, std::string_view text,
                        const std::vector<WordMatch>& said, const ReadListing* other) {
    constexpr std::size_t kScorePerTopic = 4;
    constexpr std::size_t kScorePerPair = 2;
    static const ReadListing kNone;
    const ReadListing& shared = other == nullptr ? kNone : *other;
    std::size_t score = 0;
    for (const ListSet topic : listing.title_topics) {
        const bool is_said = std::any_of(
            said.begin(), said.end(), [&](const WordMatch& match) { return match.lists == topic; });
        const auto& topics = shared.topics;
        const bool is_shared = std::find(topics.begin(), topics.end(), topic) != topics.end();
        if (is_said && !is_shared) score += kScorePerTopic;
    }
    for (const std::string& pair : listing.title_pairs) {
        const bool is_shared = other != nullptr && shared.text.find(pair) != std::string::npos;
        if (!is_shared && text.find(pair) != std::string_view::npos) score += kScorePerPair;
    }
    for (const ReadListing::TitleWord& word : listing.title_words) {
        const auto& stems = shared.stems;
        const bool is_shared = std::binary_search(stems.begin(), stems.end(), word.stem);
        if (!is_shared && has_word(text, said, word.stem)) score += word.score;
    }
    return score;
}

/// The listing of `best`, and others that the text names with their own words: "the slides and the
/// tutoring".
Places with_others_named(const Places& best, const Places& offered, const ListingIndex& index,
                         std::string_view text, const std::vector<WordMatch>& said) {
    constexpr std::size_t kScoreMin = 4;
    if (best.size() != 1) return best;
    Places named = best;
    for (const std::size_t place : offered) {
        const bool is_named =
            place != best.front() && title_score(index.listings()[place], text, said,
                                                 &index.listings()[best.front()]) >= kScoreMin;
        if (is_named) named.push_back(place);
    }
    std::sort(named.begin(), named.end());
    return named;
}

Places by_title(const Places& offered, const ListingIndex& index, const Reading& reading,
                const std::vector<WordMatch>& said) {
    Places best;
    std::size_t best_score = 0;
    for (const std::size_t place : offered) {
        const std::size_t score = title_score(index.listings()[place], reading.text, said, nullptr);
        if (score > best_score) best.clear();
        best_score = std::max(best_score, score);
        if (score != 0 && score == best_score) best.push_back(place);
    }
    return with_others_named(best, offered, index, reading.text, said);
}

std::optional<std::size_t> by_conversation(const Places& offered, const MessageContext& context) {
    const std::size_t count = std::min(context.recent.size(), kWorksIdHistory);
    for (std::size_t k = 0; k < count; ++k) {
        const std::string& payload = context.recent[k].payload_json;
        if (payload.find("worksId") == std::string::npos) continue;
        const auto place = by_id(context.listings, offered, wire::view_payload(payload).works_id);
        if (place) return place;
    }
    return std::nullopt;
}

/// The listings that state the requested details, if there are any.
Places by_detail(const Places& places, const ListingIndex& index, const Reading& reading,
                 const Vocabulary& vocabulary) {
    const ListSet details = reading.lists & vocabulary.needs_evidence;
    if (details == 0 || places.size() < 2) return places;
    Places stating;
    for (const std::size_t place : places) {
        if ((details & ~index.listings()[place].evidence) == 0) stating.push_back(place);
    }
    return stating.empty() ? places : stating;
}

/// The listings that contain most of the words that are in no list, if there are any: a peer may
/// mention the content of a listing without its title.
Places by_content(const Places& places, const ListingIndex& index, const Reading& reading,
                  const std::vector<WordMatch>& said, const Vocabulary& vocabulary) {
    if (places.size() < 2) return places;
    std::vector<std::string_view> words;
    for (const Clause& clause : reading.clauses) {
        const auto some = unknown_words(reading, clause);
        words.insert(words.end(), some.begin(), some.end());
    }
    Places best;
    std::ptrdiff_t most = 1;
    for (const std::size_t place : places) {
        const Knowledge knowledge(std::vector{&index.listings()[place]}, vocabulary);
        const auto& topics = index.listings()[place].topics;
        const auto known =
            std::count_if(words.begin(), words.end(),
                          [&](std::string_view word) {
                              return word.size() > 1 && knowledge.knows_all(word);
                          }) +
            std::count_if(said.begin(), said.end(), [&](const WordMatch& topic) {
                return std::find(topics.begin(), topics.end(), topic.lists) != topics.end();
            });
        if (known > most) best.clear();
        most = std::max(most, known);
        if (known == most) best.push_back(place);
    }
    return best.empty() ? places : best;
}

}  // namespace

Places meant_listings(const MessageContext& context, const ListingIndex& index,
                      const Reading& reading, const Vocabulary& vocabulary) {
    Places offered;
    for (std::size_t place = 0; place < index.listings().size(); ++place) {
        if (index.listings()[place].is_offered) offered.push_back(place);
    }
    if (!context.payload.works_id.empty()) {
        const auto place = by_id(context.listings, offered, context.payload.works_id);
        return place ? Places{*place} : Places{};
    }
    if (offered.size() < 2) return offered;
    const std::vector<WordMatch> said = vocabulary.topics.find(reading.text);
    Places titled = by_title(offered, index, reading, said);
    if (titled.size() == 1) return titled;
    if (const auto place = by_conversation(titled.empty() ? offered : titled, context)) {
        return {*place};
    }
    const Places named =
        titled.empty() ? by_content(offered, index, reading, said, vocabulary) : std::move(titled);
    return by_detail(named, index, reading, vocabulary);
}

}  // namespace a2h::reading
