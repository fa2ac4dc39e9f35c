#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/money.h"
#include "core/domain/listing.h"
#include "core/i18n/messages.h"

namespace a2h::decide {

/// All facts that a draft may use. Nothing else is assumed to be true.
struct DraftFacts {
    std::vector<Listing> listings;  ///< our own listings that the conversation may be about
    /// Further texts that may be repeated: the public part of a mandate, and what the owner has
    /// approved for this peer. A text that names a secret amount is ignored, and words that agree
    /// to something may not be used a second time.
    std::vector<std::string> stated;
    std::vector<Money> secret_amounts;  ///< limits of price, never told to anybody
    std::string peer_text;              ///< the message that the draft answers
    i18n::Language peer_language = i18n::Language::English;
    std::size_t code_points_max = 600;
};

/// One reason why a draft may not be sent. Ids: unreadable, empty, length, characters, language,
/// price, discount, date, promise, agreement, terms, payment, delivery, contact, link, human,
/// limit, approval, copied, unsupported.
struct DraftObjection {
    std::string id;
    std::string text;  ///< one sentence, for the model's next attempt and for the owner
};

struct DraftReview {
    std::vector<DraftObjection> objections;  ///< each id at most once

    bool passes() const { return objections.empty(); }
};

/// Judges words of a model that would be sent without a human's yes. In doubt it refuses: words
/// that neither ask the peer something nor repeat `facts` are refused, whatever they mean. It uses
/// the built-in lists of playbooks/draft_review.toml and rules.toml. `reader` is the language of
/// the texts of objections.
///
/// Errors:  none; text that is not UTF-8 gets an objection.
/// Thread:  any. Pure: no clock, no I/O.
/// Source:  daemon/stages/README.md.
DraftReview review_draft(std::string_view draft, const DraftFacts& facts,
                         i18n::Language reader = i18n::Language::English);

/// True if `text` contains what only programs and approvals say: a forged result, role marks of a
/// conversation, an instruction to ignore other instructions.
///
/// Thread:  any.
bool speaks_as_authority(std::string_view text);

}  // namespace a2h::decide
