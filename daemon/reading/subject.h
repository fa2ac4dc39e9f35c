#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/reading/listing_index.h"
#include "daemon/reading/meant_listings.h"
#include "daemon/reading/reading.h"
#include "daemon/reading/vocabulary.h"

namespace a2h::reading {

/// The subject of a message: those of our listings that it is about, and how much of it they cover.
struct Subject {
    std::vector<const Listing*> listings;  ///< point into the caller's vector; must not outlive it
    std::vector<const ReadListing*> read;  ///< the same, pointing into `index`
    std::shared_ptr<const ListingIndex> index;
    std::optional<Money> listed_price;  ///< price of the only listing, if it is exact
    bool has_unknown_words =
        false;  ///< asks about something that neither rules nor listings contain
    bool speaks_of_outside = false;  ///< asks for or wants something that listings do not cover
    bool has_unknown_quantity = false;
    /// States something that neither contains; computed only for farewells and acknowledgements.
    bool has_unknown_statement = false;

    const Listing* only() const { return listings.size() == 1 ? listings.front() : nullptr; }
};

/// Finds the listings by id, by the words of their titles, by the conversation, or because there is
/// only one; all of them if nothing distinguishes them. Marks in `reading` what depends on the
/// listings: questions with their words ask for what they state, and terms that they state are
/// facts.
Subject find_subject(const MessageContext& context, Reading& reading, const Vocabulary& vocabulary);

/// True if we may mention `listing`: a published service or demand.
bool is_offered(const Listing& listing);

/// True if every listing in question states each fact that `reading` asks for.
bool states_facts(const Subject& subject, const Reading& reading, const Vocabulary& vocabulary);

/// The numbers and amounts in a listing.
std::vector<NumberMention> numbers_of(const Listing& listing, const Vocabulary& vocabulary);

}  // namespace a2h::reading
