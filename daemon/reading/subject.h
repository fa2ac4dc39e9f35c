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

/// What a message is about: the listings of ours it means, and how much of it they cover.
struct Subject {
    std::vector<const Listing*> listings;  ///< into the caller's vector; must not outlive it
    std::vector<const ReadListing*> read;  ///< the same, into `index`
    std::shared_ptr<const ListingIndex> index;
    std::optional<Money> listed_price;  ///< of the one listing, when it states one exact price
    bool has_unknown_words = false;     ///< asks about something that neither knows
    bool speaks_of_outside = false;     ///< asks or wants what listings never state
    bool has_unknown_quantity = false;
    /// Says something that neither knows; found out only for who takes leave or confirms receipt.
    bool has_unknown_statement = false;

    const Listing* only() const { return listings.size() == 1 ? listings.front() : nullptr; }
};

/// By id, by the words of its title, by what the conversation was about, else the only one there
/// is; all of them when nothing tells them apart.
/// Marks in `reading` what only the listings tell: questions about their words ask for what they
/// say, and terms that they state are facts.
Subject find_subject(const MessageContext& context, Reading& reading, const Vocabulary& vocabulary);

/// True when `listing` is one that we may speak of: a service or demand that is published.
bool is_offered(const Listing& listing);

/// True when every listing meant states each fact that `reading` asks for.
bool states_facts(const Subject& subject, const Reading& reading, const Vocabulary& vocabulary);

/// The numbers and amounts that a listing itself names.
std::vector<NumberMention> numbers_of(const Listing& listing, const Vocabulary& vocabulary);

}  // namespace a2h::reading
