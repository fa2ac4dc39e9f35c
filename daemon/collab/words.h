#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/domain/profile.h"
#include "core/store/profile_store.h"

namespace a2h::collab {

// How tags and texts are compared without a model. Texts are folded first (i18n::fold). A Latin
// word is a run of letters and digits without the endings of plurals and of persons, so that
// "photographers" matches "photography". Chinese has no spaces, so every two neighbouring
// characters count as a word. Words without meaning (the, of, 提供, 服务) are ignored, and words in
// very many tags (活动, 设计) count less. Words of both languages with the same meaning match
// (playbooks/negotiation/equal_words.toml).
//
// Thread:  any.

/// The words of a tag.
struct TagWords {
    std::string tag;                    ///< folded
    std::vector<std::string> latin;     ///< without duplicates, like the next two
    std::vector<std::string> chinese;   ///< pairs of characters
    std::vector<std::string> general;   ///< words in too many tags
    std::vector<std::string> meanings;  ///< meanings of its Latin and Chinese words, where known
    std::vector<std::string>
        general_meanings;  ///< meanings of the general words, or these words themselves
    bool is_empty() const { return latin.empty() && chinese.empty() && general.empty(); }
};
TagWords words_of_tag(std::string_view folded);
/// Other words that mean the same as the tag, in the form of `words_of_text`.
std::vector<std::string> equal_words_of(const TagWords& tag);

/// The words of a whole text without general ones and duplicates.
std::vector<std::string> words_of_text(std::string_view folded);

/// How well one tag matches another.
enum class TagMatch { None, Word, Part, Exact };
/// Exact: the same. Part: one contains the other. Word: they share a Chinese word, or one has all
/// Latin words of the other, or they mean the same and are not both Latin. A tag with only general
/// words matches if the other has all of them.
TagMatch match_tags(const TagWords& one, const TagWords& other);

/// A text in which tags are searched.
class SearchedText {
  public:
    explicit SearchedText(std::string_view folded);

    /// Whether the text contains `part` (folded); Latin words must be whole words.
    bool has(std::string_view part) const;
    /// The words of the text by which `tag` is found, empty if it is not found: the words of the
    /// whole tag, or a match for one of its Chinese words or for all its Latin words.
    std::vector<std::string> evidence_of(const TagWords& tag) const;

  private:
    /// `word` itself, or a word of the text with the same meaning.
    std::optional<std::string> stands_for(const std::string& word) const;

    std::string folded_;
    std::unordered_set<std::string> words_;
    std::map<std::string, std::string, std::less<>> meant_;  ///< meaning → word of the text
};

/// The keys by which `profile` is found: its tags, and the words of its capabilities, interests and
/// summary.
store::ProfileKeys keys_of(const Profile& profile);

/// True if the location is no particular place: "online", "remote", 线上.
bool is_anywhere(std::string_view folded_location);

}  // namespace a2h::collab
