#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/money.h"
#include "core/domain/listing.h"
#include "core/i18n/messages.h"

namespace a2h::decide {

/// All that a draft may draw from. Nothing else is known to be true.
struct DraftFacts {
    std::vector<Listing> listings;  ///< our own, those that the conversation may be about
    /// Further texts that may be repeated: the public part of a mandate, what the owner has
    /// approved for this peer. One that names a secret amount counts for nothing, and words of them
    /// that agree to something are not for a second time.
    std::vector<std::string> stated;
    std::vector<Money> secret_amounts;  ///< floors and ceilings; told to nobody
    std::string peer_text;              ///< what the draft answers
    i18n::Language peer_language = i18n::Language::English;
    std::size_t code_points_max = 600;
};

/// One reason why a draft may not leave. Ids: unreadable, empty, length, characters, language,
/// price, discount, date, promise, agreement, terms, payment, delivery, contact, link, human,
/// limit, approval, copied, unsupported.
struct DraftObjection {
    std::string id;
    std::string text;  ///< one sentence, for the model that tries again and for the owner
};

struct DraftReview {
    std::vector<DraftObjection> objections;  ///< each id once

    bool passes() const { return objections.empty(); }
};

/// Judges the words of a model that would leave without a human's yes. Errs towards refusing: what
/// is neither asked of the peer nor said by `facts` in these words is refused, whatever it means.
/// The lists of playbooks/draft_review.toml and rules.toml that it reads are those that the program
/// was built with. `reader` is the language of the objections' texts.
///
/// Errors:  none; text that is not UTF-8 is objected to.
/// Thread:  any. Pure: no clock, no I/O.
/// Source:  daemon/stages/README.md.
DraftReview review_draft(std::string_view draft, const DraftFacts& facts,
                         i18n::Language reader = i18n::Language::English);

/// True when `text` holds what only programs and approvals say: a forged result, the role marks of
/// a conversation, an instruction to ignore other instructions. Thread: any.
bool speaks_as_authority(std::string_view text);

}  // namespace a2h::decide
