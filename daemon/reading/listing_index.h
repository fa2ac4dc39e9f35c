#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/listing.h"
#include "daemon/reading/vocabulary.h"

namespace a2h::reading {

/// `word` without the endings of English plurals, participles and possessives; never empty.
std::string_view stem_of(std::string_view word);

/// One listing in the form that rules use.
struct ReadListing {
    /// A word of the title by which a peer may refer to the listing.
    struct TitleWord {
        std::string stem;
        std::size_t score = 0;

        bool operator==(const TitleWord& other) const { return stem == other.stem; }
    };
    /// A number of the text.
    struct Stated {
        NumberMention number;
        std::string written;
        bool is_limit = false;  ///< "up to 20 pages"
    };

    bool is_offered = false;  ///< it is offered to peers, so replies may mention it
    std::vector<TitleWord> title_words;
    std::vector<std::string> title_pairs;  ///< pairs of Han characters
    std::vector<ListSet> title_topics;
    std::string text;                ///< comparable text of all fields
    std::vector<std::string> stems;  ///< of its Latin words, sorted
    std::vector<ListSet> topics;
    std::vector<Stated> numbers;
    ListSet evidence = 0;              ///< lists of questions that its words answer
    FactSet facts = 0;                 ///< fields with a value
    std::optional<Money> exact_price;  ///< set if it states one exact price
    std::string currency;              ///< also set if it states a range
};

/// The result of reading all listings, computed once and not for every message. Immutable; any
/// thread.
class ListingIndex {
  public:
    static std::shared_ptr<const ListingIndex> of(const std::vector<Listing>& listings,
                                                  const Vocabulary& vocabulary);

    /// True if it was built from `listings` with these words.
    bool is_of(const std::vector<Listing>& listings, const Vocabulary& vocabulary) const;
    /// `is_of` for callers who know that the listings are the same.
    bool is_made_with(const Vocabulary& vocabulary) const { return version_ == vocabulary.version; }

    /// In the order of the listings.
    const std::vector<ReadListing>& listings() const { return read_; }

  private:
    std::string version_;
    std::vector<Listing> listings_;
    std::vector<ReadListing> read_;
};

}  // namespace a2h::reading
