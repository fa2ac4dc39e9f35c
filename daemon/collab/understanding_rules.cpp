#include "daemon/collab/understanding_rules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/i18n/normalize.h"
#include "core/store/profile_store.h"
#include "daemon/collab/place_time.h"
#include "daemon/collab/words.h"
#include "daemon/reading/vocabulary.h"

namespace a2h::collab {
namespace {

constexpr std::size_t kTagsMax = 10;
constexpr reading::ListSet kPeople = 2;

/// How amounts of money and numbers of people are written in a demand.
reading::MoneyWords demand_money() {
    reading::MoneyWords words;
    constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kCurrencies{
        {{"cny", "CNY"},
         {"rmb", "CNY"},
         {"yuan", "CNY"},
         {"元", "CNY"},
         {"块", "CNY"},
         {"人民币", "CNY"},
         {"¥", "CNY"},
         {"usd", "USD"},
         {"$", "USD"},
         {"dollar", "USD"},
         {"dollars", "USD"},
         {"美元", "USD"},
         {"eur", "EUR"},
         {"€", "EUR"},
         {"euro", "EUR"},
         {"euros", "EUR"},
         {"欧元", "EUR"}}};
    for (const auto& [word, currency] : kCurrencies)
        words.add_currency(word, currency);
    for (const std::string_view word :
         {"人", "位", "名", "people", "persons", "person", "participants", "attendees", "guests"})
        words.add_unit(word, kPeople);
    for (const std::string_view word : {"个", "天", "小时", "场", "次", "days", "hours"})
        words.add_measure(word);
    return words;
}

/// A tag found in the text.
struct FoundTag {
    store::TagUse use;
    std::vector<std::string> evidence;
    bool is_whole = false;
};

bool comes_before(const FoundTag& one, const FoundTag& other) {
    const auto rank = [](const FoundTag& found) {
        return std::tuple(!found.is_whole, -static_cast<std::int64_t>(found.evidence.size()),
                          -found.use.profiles, found.use.tag.size());
    };
    return rank(one) != rank(other) ? rank(one) < rank(other) : one.use.tag < other.use.tag;
}

/// A requester who states a budget is not looking for an accountant.
bool says_budget_only(const FoundTag& found) {
    const auto is_budget = [](std::string_view word) { return word == "budget" || word == "预算"; };
    return std::all_of(found.evidence.begin(), found.evidence.end(), is_budget) &&
           (!found.is_whole || is_budget(found.use.tag));
}

/// Each tag must contribute a word that no earlier tag has contributed.
std::vector<std::string> tags_in(const SearchedText& text, const std::vector<store::TagUse>& known,
                                 bool has_budget) {
    std::vector<FoundTag> found;
    for (const store::TagUse& use : known) {
        auto evidence = text.evidence_of(words_of_tag(use.tag));
        if (!evidence.empty()) found.push_back({use, std::move(evidence), text.has(use.tag)});
    }
    if (has_budget) std::erase_if(found, says_budget_only);
    std::sort(found.begin(), found.end(), comes_before);
    std::unordered_set<std::string> claimed;
    std::vector<std::string> tags;
    for (const FoundTag& each : found) {
        if (tags.size() == kTagsMax) break;
        bool is_new = false;
        for (const std::string& word : each.evidence)
            is_new = claimed.insert(word).second || is_new;
        if (is_new) tags.push_back(each.use.tag);
    }
    return tags;
}

/// The longest location name that appears in the text.
std::string location_in(const SearchedText& text, const std::vector<std::string>& known) {
    std::string longest;
    for (const std::string& location : known) {
        for (std::string& name : names_of_location(location)) {
            if (name.size() > longest.size() && text.has(i18n::fold(name)))
                longest = std::move(name);
        }
    }
    return longest;
}

class Reader {
  public:
    Reader(std::string_view raw, std::string_view folded)
        : raw_(raw.size() == folded.size() ? raw : folded),
          folded_(folded),
          numbers_(
              reading::find_numbers(folded, demand_money(), reading::built_in_vocabulary().cues)) {}

    std::string date() const {
        const auto span = find_date(folded_);
        return span ? as_written(span->begin, span->end) : std::string();
    }

    std::optional<int> attendees() const {
        for (const reading::NumberMention& number : numbers_) {
            if (number.kind != reading::NumberKind::Quantity || (number.unit & kPeople) == 0)
                continue;
            int people = 0;
            const std::string& digits = number.digits;
            const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), people);
            if (read.ptr == digits.data() + digits.size() && people > 0) return people;
        }
        return std::nullopt;
    }

    std::string budget() const {
        for (const reading::NumberMention& number : numbers_) {
            if (number.kind != reading::NumberKind::Money) continue;
            if (says_budget(number)) return as_written(number.begin, number.end);
        }
        return {};
    }

  private:
    std::string as_written(std::size_t begin, std::size_t end) const {
        return std::string(trim(raw_.substr(begin, end - begin)));
    }

    /// True if the word for a budget is in the same sentence, shortly before the amount or directly
    /// after it.
    bool says_budget(const reading::NumberMention& number) const {
        constexpr std::size_t kBytesBefore = 40;
        constexpr std::size_t kBytesBehind = 10;
        const std::size_t begin = number.begin - std::min(number.begin, kBytesBefore);
        const std::string_view before = sentence_end(folded_.substr(begin, number.begin - begin));
        const std::string_view behind = folded_.substr(number.end, kBytesBehind);
        for (const std::string_view word : {"budget", "预算"}) {
            if (before.find(word) != before.npos || behind.find(word) != behind.npos) return true;
        }
        return false;
    }

    static std::string_view sentence_end(std::string_view text) {
        for (const std::string_view mark : {"。", ". ", ";", "!", "?", "\n"}) {
            if (const auto at = text.rfind(mark); at != text.npos)
                text.remove_prefix(at + mark.size());
        }
        return text;
    }

    std::string_view raw_;
    std::string_view folded_;
    std::vector<reading::NumberMention> numbers_;
};

}  // namespace

Result<wire::Understanding> understand_by_rules(store::Database& reader,
                                                std::string_view raw_input) {
    A2H_ASSIGN_OR_RETURN(const auto tags, store::tags_in_use(reader));
    A2H_ASSIGN_OR_RETURN(const auto locations, store::known_locations(reader));
    const std::string folded = i18n::fold(raw_input);
    const SearchedText text(folded);
    const Reader read(trim(raw_input), folded);
    wire::Understanding understanding;
    understanding.surface_demand = raw_input;
    understanding.location = location_in(text, locations);
    understanding.expected_attendees = read.attendees();
    understanding.date = read.date();
    understanding.budget = read.budget();
    understanding.capability_tags = tags_in(text, tags, !understanding.budget.empty());
    understanding.confidence = "low";
    return understanding;
}

}  // namespace a2h::collab
