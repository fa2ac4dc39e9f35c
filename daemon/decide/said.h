#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/deal.h"
#include "core/domain/message.h"
#include "core/wire/payload.h"
#include "daemon/reading/reading.h"
#include "daemon/reading/vocabulary.h"

namespace a2h::decide {

using namespace a2h::reading;

// One message in the words of its author, for finding out what it does in a deal.
//
// Pure. Thread: any.

struct Said {
    std::string_view payload_json;
    const wire::PayloadView& view;
    const Vocabulary& vocabulary;
    const Reading& reading;
    const std::vector<HistoryEntry>& recent;  ///< before the message, newest first
    std::optional<StandingOffer> own = {};    ///< of its author
    std::optional<StandingOffer> other = {};  ///< of the one who receives it
    std::optional<Money> agreed = {};         ///< the price that both agreed to
    std::optional<Money> listed = {};         ///< the price of the listing
    std::string title = {};                   ///< the title of the listing
    std::vector<NumberMention> spelled = {};  ///< amounts in words
    ActBy by = ActBy::Peer;
    bool is_agreed = false;
    bool is_plain = false;  ///< it says nothing but an amount
};

/// The end of the longest word of `cue` at `position` of the text; `position` if there is none.
std::size_t end_of_cue(const Said& said, Cue cue, std::size_t position);

/// Whether a word of `cue` begins in `clause`.
bool contains(const Said& said, Cue cue, const Clause& clause);

/// Whether a word of `cue` ends, or begins, at `position`, with at most a space between.
bool ends_before(const Said& said, Cue cue, std::size_t position);
bool begins_behind(const Said& said, Cue cue, std::size_t position);

/// Whether the clause is a question, because of its words or its mark.
bool asks(const Said& said, const Clause& clause);
bool asks_anything(const Said& said);

/// Whether a clause that asks nothing contains a word of `cue`.
bool states(const Said& said, Cue cue);

/// Whether a clause contains only words of `cue` and of courtesy.
bool says_only(const Said& said, Cue cue, const Clause& clause);

/// The numbers that begin in `clause`, those in words at last.
std::vector<NumberMention> numbers_in(const Said& said, const Clause& clause);

bool is_price_of(const std::optional<StandingOffer>& offer, const Money& money);

}  // namespace a2h::decide
