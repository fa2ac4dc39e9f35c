#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/reading/listing_index.h"

namespace a2h::reading {

/// The combined contents of some listings, to find out what a peer's words refer to. Refers to the
/// vocabulary and to indexed listings, which must outlive it.
class Knowledge {
  public:
    Knowledge(std::vector<const ReadListing*> listings, const Vocabulary& vocabulary)
        : listings_(std::move(listings)), vocabulary_(vocabulary) {}
    /// Indexes `listings` itself and keeps no reference to them.
    Knowledge(const std::vector<Listing>& listings, const Vocabulary& vocabulary);

    /// True if a listing contains the word in some form, or a word with the same meaning. A run of
    /// Han characters is known if each of its pairs is; a single character is more often a particle
    /// than a topic.
    bool knows(std::string_view word) const;

    /// `knows`, but a single Han character or Latin letter must be contained as well.
    bool knows_all(std::string_view word) const;

    /// The words of `text` with the meaning of what a listing is about, such as "标志设计" for a
    /// logo, with their positions.
    std::vector<WordMatch> topics_in(std::string_view text) const;

    /// True if a listing counts something in this unit.
    bool states_unit(ListSet unit) const;

    /// True if a listing names a number with these digits and this unit, or states a limit that
    /// includes it: 12 pages for "up to 20 pages".
    bool covers(const NumberMention& number, std::string_view written) const;

    /// The same for minutes of at least an hour, if a listing counts hours.
    bool covers_minutes(const NumberMention& number) const;

  private:
    bool has_text(std::string_view part) const;
    bool has_latin(std::string_view word) const;
    bool is_currency(std::string_view word) const;
    bool has_han(std::string_view run, bool also_alone) const;
    bool has_topic(ListSet topic) const;

    std::shared_ptr<const ListingIndex> index_;  ///< set if it has indexed the listings itself
    std::vector<const ReadListing*> listings_;
    const Vocabulary& vocabulary_;
};

}  // namespace a2h::reading
