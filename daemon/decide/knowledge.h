#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/decide/playbook.h"

namespace a2h::decide {

/// `word` without the endings of English plurals, participles and possessives; never empty.
std::string_view stem_of(std::string_view word);

/// The words of one or more listings, to tell what a peer's words refer to. Refers to the playbook,
/// which must outlive it.
class Knowledge {
  public:
    /// Only `with_numbers` can it tell what `covers` asks: most messages name no number.
    Knowledge(const std::vector<const Listing*>& listings, const RuleSet::Impl& playbook,
              bool with_numbers);

    /// True when a listing has the word in some form, or one that means the same. A run of Han is
    /// known when each of its pairs is; one character alone is a particle more often than a topic.
    bool knows(std::string_view word) const;

    /// As `knows`, and a Han character or Latin letter that stands alone must be there too.
    bool knows_all(std::string_view word) const;

    /// True when a number with these digits and this unit is named by a listing or lies within a
    /// limit that it states: 12 pages of "up to 20 pages".
    bool covers(const NumberMention& number, std::string_view written) const;

  private:
    bool has_latin(std::string_view word) const;
    bool has_han(std::string_view run, bool also_alone) const;
    bool has_topic(ListSet topic) const;

    struct Stated {
        NumberMention number;
        bool is_limit = false;
    };

    const RuleSet::Impl& playbook_;
    std::string text_;
    std::vector<std::string> stems_;
    std::vector<ListSet> topics_;
    std::vector<Stated> numbers_;
};

}  // namespace a2h::decide
