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

// By which words tags and texts are compared, without a model. Text is folded (i18n::fold) first. A
// Latin word is a run of letters and digits without the endings of plurals and of who or what does
// it, so that "photographers" finds "photography". Chinese has no spaces: every two neighbouring
// characters count as a word. Words that say nothing (the, of, 提供, 服务) are left out, and those
// that stand in too many tags (活动, 设计) count less. Words of both languages that mean the same
// (playbooks/negotiation/equal_words.toml) meet. Thread: any.

/// What a tag consists of.
struct TagWords {
    std::string tag;                            ///< folded
    std::vector<std::string> latin;             ///< each once, as the next two
    std::vector<std::string> chinese;           ///< pairs of characters
    std::vector<std::string> general;           ///< in too many tags
    std::vector<std::string> meanings;          ///< of its Latin and Chinese words, where known
    std::vector<std::string> general_meanings;  ///< of the general ones, or they themselves
    bool is_empty() const { return latin.empty() && chinese.empty() && general.empty(); }
};
TagWords words_of_tag(std::string_view folded);
/// Other words with a meaning that the tag has, in the form of `words_of_text`.
std::vector<std::string> equal_words_of(const TagWords& tag);

/// The words of a whole text, the general ones not among them; each once.
std::vector<std::string> words_of_text(std::string_view folded);

/// How well one tag stands for another.
enum class TagMatch { None, Word, Part, Exact };
/// Exact: the same. Part: one contains the other. Word: they have a Chinese word in common, or one
/// has all Latin words of the other, or they mean the same and not both are Latin; of tags of
/// general words only, the other must have all.
TagMatch match_tags(const TagWords& one, const TagWords& other);

/// A text in which tags are looked for.
class SearchedText {
  public:
    explicit SearchedText(std::string_view folded);

    /// Whether `part` (folded) stands in it; Latin words only as whole ones.
    bool has(std::string_view part) const;
    /// The words of the text by which `tag` is found, none when it is not: those of the whole tag,
    /// or what stands for one of its Chinese words, or for all its Latin ones.
    std::vector<std::string> evidence_of(const TagWords& tag) const;

  private:
    /// `word` itself, or one of the text that means the same.
    std::optional<std::string> stands_for(const std::string& word) const;

    std::string folded_;
    std::unordered_set<std::string> words_;
    std::map<std::string, std::string, std::less<>> meant_;  ///< meaning → word of the text
};

/// What `profile` is found by: its tags; the words of its capabilities, interests and summary.
store::ProfileKeys keys_of(const Profile& profile);

/// True when it means no place in particular: "online", "remote", 线上.
bool is_anywhere(std::string_view folded_location);

}  // namespace a2h::collab
