#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/reading/listing_index.h"

namespace a2h::reading {

/// What some listings know together, to tell what a peer's words refer to. Refers to the vocabulary
/// and to listings that were read before, which must outlive it.
class Knowledge {
  public:
    Knowledge(std::vector<const ReadListing*> listings, const Vocabulary& vocabulary)
        : listings_(std::move(listings)), vocabulary_(vocabulary) {}
    /// Of all `listings`, which it reads and forgets.
    Knowledge(const std::vector<Listing>& listings, const Vocabulary& vocabulary);

    /// True when a listing has the word in some form, or one that means the same. A run of Han is
    /// known when each of its pairs is; one character alone is a particle more often than a topic.
    bool knows(std::string_view word) const;

    /// As `knows`, and a Han character or Latin letter that stands alone must be there too.
    bool knows_all(std::string_view word) const;

    /// The words of `text` that mean what a listing is about, "标志设计" for a logo, by their
    /// places.
    std::vector<WordMatch> topics_in(std::string_view text) const;

    /// True when a listing counts something in this unit.
    bool states_unit(ListSet unit) const;

    /// True when a number with these digits and this unit is named by a listing or lies within a
    /// limit that it states: 12 pages of "up to 20 pages".
    bool covers(const NumberMention& number, std::string_view written) const;

    /// The same for an hour or more in minutes, of what a listing counts in hours.
    bool covers_minutes(const NumberMention& number) const;

  private:
    bool has_text(std::string_view part) const;
    bool has_latin(std::string_view word) const;
    bool is_currency(std::string_view word) const;
    bool has_han(std::string_view run, bool also_alone) const;
    bool has_topic(ListSet topic) const;

    std::shared_ptr<const ListingIndex> index_;  ///< when it has read them itself
    std::vector<const ReadListing*> listings_;
    const Vocabulary& vocabulary_;
};

}  // namespace a2h::reading
