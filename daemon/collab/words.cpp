#include "daemon/collab/words.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/i18n/normalize.h"
#include "daemon/collab/equal_words.h"
#include "daemon/reading/lexicon.h"
#include "embedded/playbooks.h"

namespace a2h::collab {
namespace {

constexpr std::size_t kIndexedWordsMax = 400;

using Words = std::unordered_set<std::string_view>;

/// Words that appear in texts of every kind, stemmed by `stem`.
const Words& empty_words() {
    static const Words words = {
        // English
        "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been",
        "but", "by", "can", "could", "do", "for", "from", "good", "great", "had", "has", "have",
        "help", "her", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "like",
        "look", "many", "me", "more", "most", "my", "need", "not", "of", "offer", "on", "one", "or",
        "our", "out", "over", "people", "person", "please", "provid", "she", "should", "so", "some",
        "someone", "support", "than", "that", "the", "their", "them", "there", "they", "thi",
        "this", "to", "two", "up", "us", "very", "want", "was", "we", "who", "will", "with",
        "would", "year", "you", "your", "service", "servic", "find", "finding", "seek", "seeking",
        "he", "were", "what", "when", "where", "which", "during", "after", "before",
        // Chinese
        "提供", "服务", "支持", "需要", "希望", "可以", "我们", "你们", "他们", "一个", "一些",
        "一场", "一起", "这个", "那个", "以及", "或者", "寻找", "帮忙", "帮助", "相关", "专业",
        "资源", "能力", "经验", "负责", "承接", "擅长", "喜欢", "以上", "以下", "左右", "有人",
        "大家", "自己", "进行", "能够", "并且", "如果", "没有", "什么", "怎么", "想要", "想找",
        "各类", "各种", "多年", "其他"};
    return words;
}

/// Words in so many tags that they do not distinguish them.
const Words& general_words() {
    static const Words words = {
        "event",    "design",     "plan",         "manag",    "management", "develop",  "project",
        "consult",  "expert",     "specialist",   "team",     "work",       "business", "activit",
        "activity", "profession", "professional", "training", "train",      "活动",     "设计",
        "策划",     "组织",       "开发",         "制作",     "管理",       "培训",     "教学",
        "运营",     "执行",       "协助",         "项目",     "技术",       "人员",     "老师",
        "咨询",     "顾问",       "专家",         "团队",     "工作",       "行业",     "公司",
        "产品"};
    return words;
}

bool is_ideograph(char32_t c) {
    return (c >= 0x3040 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x4DBF) ||
           (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7AF) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x3FFFF);
}

bool is_letter(char32_t c) {
    if (c < 0x80) return c < 0x80 && reading::begins_latin(static_cast<char>(c));
    return c >= 0xC0 && c != 0xD7 && c != 0xF7 && !(c >= 0x2000 && c <= 0x206F) &&
           !(c >= 0x2190 && c <= 0x2BFF) && !(c >= 0x3000 && c <= 0x303F) &&
           !(c >= 0xFE00 && c <= 0xFFFF) && !(c >= 0x1F000 && c <= 0x1FAFF);
}

/// A run of letters or of ideographs, as a view of the text.
struct LetterRun {
    bool is_chinese = false;
    std::string_view text;
};

std::vector<LetterRun> runs_in(std::string_view folded) {
    enum class Kind { Space, Letter, Ideograph };
    std::vector<LetterRun> runs;
    Kind last = Kind::Space;
    std::size_t begin = 0;
    const auto end_run = [&](std::size_t end) {
        if (last != Kind::Space)
            runs.push_back({last == Kind::Ideograph, folded.substr(begin, end - begin)});
    };
    for (std::size_t i = 0; i < folded.size();) {
        const char32_t c = reading::code_point_at(folded, i);
        // C++ and C# are not C.
        const bool is_sign = (c == U'+' || c == U'#') && last == Kind::Letter;
        const Kind kind = is_ideograph(c)           ? Kind::Ideograph
                          : is_letter(c) || is_sign ? Kind::Letter
                                                    : Kind::Space;
        if (kind != last) {
            end_run(i);
            begin = i;
            last = kind;
        }
        i += reading::code_point_length(folded, i);
    }
    end_run(folded.size());
    return runs;
}

/// Removes `ending` if at least `rest` bytes remain.
bool take_off(std::string& word, std::string_view ending, std::size_t rest) {
    if (!word.ends_with(ending) || word.size() < ending.size() + rest) return false;
    word.resize(word.size() - ending.size());
    return true;
}

void take_plural_off(std::string& word) {
    if (word.ends_with("ss") || word.ends_with("us") || word.ends_with("is")) return;
    if (take_off(word, "ies", 2)) {
        word += 'y';
        return;
    }
    for (const std::string_view hissing : {"sses", "xes", "ches", "shes"}) {
        if (!word.ends_with(hissing)) continue;
        word.resize(word.size() - 2);
        return;
    }
    take_off(word, "s", 3);
}

/// "photographers", "photography" → "photograph"; "planning", "planner" → "plan".
std::string stem(std::string_view from) {
    std::string word(from);
    take_plural_off(word);
    const bool is_cut = take_off(word, "ing", 4) || take_off(word, "er", 5) ||
                        take_off(word, "or", 6) || take_off(word, "ion", 5) ||
                        take_off(word, "ist", 5) || take_off(word, "y", 7) ||
                        take_off(word, "e", 6);
    const std::size_t size = word.size();
    const bool is_double = size > 4 && word[size - 1] == word[size - 2] &&
                           std::string_view("bdgmnprt").find(word.back()) != std::string_view::npos;
    if (is_cut && is_double) word.pop_back();
    return word;
}

const Meanings& known_meanings() {
    static const Meanings meanings = [] {
        auto read = read_equal_words(embedded::playbooks("equal_words.toml").value_or(""), stem);
        A2H_CHECK(read.has_value());
        return std::move(*read);
    }();
    return meanings;
}

/// Empty if the table has no meaning for the word. A Latin word must be stemmed.
std::string_view meaning_of(const std::string& word) {
    const auto found = known_meanings().find(word);
    return found == known_meanings().end() ? std::string_view() : std::string_view(found->second);
}

std::vector<std::string_view> characters_of(std::string_view text) {
    std::vector<std::string_view> characters;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = reading::code_point_length(text, i);
        characters.push_back(text.substr(i, length));
        i += length;
    }
    return characters;
}

std::string_view joined(std::string_view first, std::string_view second) {
    return {first.data(), first.size() + second.size()};
}

/// Calls `special` for each pair of neighbouring characters that is not part of an empty or general
/// word, and `general` for each general word.
template <typename Special, typename General>
void split_chinese(std::string_view run, Special special, General general) {
    const auto characters = characters_of(run);
    std::size_t piece = 0;  // start of the characters that belong to no such word
    const auto end_piece = [&](std::size_t end) {
        for (std::size_t i = piece; i + 1 < end; ++i)
            special(joined(characters[i], characters[i + 1]));
    };
    for (std::size_t i = 0; i + 1 < characters.size();) {
        const std::string_view pair = joined(characters[i], characters[i + 1]);
        const bool is_general = general_words().contains(pair);
        if (!is_general && !empty_words().contains(pair)) {
            ++i;
            continue;
        }
        end_piece(i);
        if (is_general) general(pair);
        piece = i += 2;
    }
    end_piece(characters.size());
}

void add_once(std::vector<std::string>& words, std::string_view word) {
    if (std::find(words.begin(), words.end(), word) == words.end()) words.emplace_back(word);
}

bool is_among(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool shares_any(const std::vector<std::string>& one, const std::vector<std::string>& other) {
    return std::any_of(one.begin(), one.end(),
                       [&](const std::string& word) { return is_among(other, word); });
}

bool has_all(const std::vector<std::string>& all, const std::vector<std::string>& wanted) {
    return !wanted.empty() && std::all_of(wanted.begin(), wanted.end(),
                                          [&](const auto& word) { return is_among(all, word); });
}

bool is_special(const TagWords& tag) {
    return !tag.latin.empty() || !tag.chinese.empty();
}

/// Whether `text` contains `part`, with Latin words as whole words.
bool contains_part(std::string_view text, std::string_view part) {
    if (part.empty()) return false;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) {
        if (reading::is_word_boundary(text, at) &&
            reading::is_word_boundary(text, at + part.size()))
            return true;
    }
    return false;
}

/// A single character is part of too many words.
bool may_be_part(const TagWords& tag) {
    return !tag.is_empty() && code_point_count(tag.tag) > 1;
}

void add_text(std::string& all, const nlohmann::json& value) {
    if (value.is_string()) {
        all += value.get_ref<const std::string&>();
        all += ' ';
    } else if (value.is_structured()) {
        for (const auto& [name, member] : value.items()) {
            if (value.is_object()) all += name + ' ';
            add_text(all, member);
        }
    }
}

class KeyCollector {
  public:
    void add(std::string_view text, store::WordPlace place) {
        for (std::string& word : words_of_text(i18n::fold(text))) {
            if (keys_.words.size() == kIndexedWordsMax) return;
            if (seen_.insert(word).second) keys_.words.push_back({std::move(word), place});
        }
    }
    void add_tag(std::string_view tag) {
        std::string folded = i18n::fold(tag);
        if (!folded.empty()) add_once(keys_.tags, folded);
    }
    store::ProfileKeys take() { return std::move(keys_); }

  private:
    store::ProfileKeys keys_;
    std::unordered_set<std::string> seen_;
};

}  // namespace

TagWords words_of_tag(std::string_view folded) {
    TagWords found;
    found.tag = folded;
    for (const LetterRun& run : runs_in(folded)) {
        if (run.is_chinese) {
            split_chinese(
                run.text, [&](std::string_view pair) { add_once(found.chinese, pair); },
                [&](std::string_view pair) { add_once(found.general, pair); });
            continue;
        }
        const std::string word = stem(run.text);
        if (empty_words().contains(word)) continue;
        add_once(general_words().contains(word) ? found.general : found.latin, word);
    }
    for (const auto* words : {&found.chinese, &found.latin}) {
        for (const std::string& word : *words) {
            if (const auto meaning = meaning_of(word); !meaning.empty())
                add_once(found.meanings, meaning);
        }
    }
    for (const std::string& word : found.general) {
        const auto meaning = meaning_of(word);
        add_once(found.general_meanings, meaning.empty() ? std::string_view(word) : meaning);
    }
    return found;
}

std::vector<std::string> words_of_text(std::string_view folded) {
    std::unordered_set<std::string_view> seen;
    std::vector<std::string> words;
    const auto add = [&](std::string_view word) {
        if (seen.insert(word).second) words.emplace_back(word);
    };
    std::unordered_set<std::string> stems;
    for (const LetterRun& run : runs_in(folded)) {
        if (run.is_chinese) {
            split_chinese(run.text, add, [](std::string_view) {});
            continue;
        }
        std::string word = stem(run.text);
        if (word.size() < 2 || empty_words().contains(word) || general_words().contains(word))
            continue;
        add(*stems.insert(std::move(word)).first);
    }
    return words;
}

std::vector<std::string> equal_words_of(const TagWords& tag) {
    std::vector<std::string> words;
    for (const auto& [word, meaning] : known_meanings()) {
        const bool is_own = is_among(tag.latin, word) || is_among(tag.chinese, word);
        if (!is_own && is_among(tag.meanings, meaning)) words.push_back(word);
    }
    std::sort(words.begin(), words.end());
    return words;
}

TagMatch match_tags(const TagWords& one, const TagWords& other) {
    if (one.tag == other.tag) return TagMatch::Exact;
    const TagWords& shorter = one.tag.size() < other.tag.size() ? one : other;
    const TagWords& longer = &shorter == &one ? other : one;
    if (may_be_part(shorter) && contains_part(longer.tag, shorter.tag)) return TagMatch::Part;
    if (!is_special(one) || !is_special(other)) {
        const bool has_other =
            !is_special(other) && has_all(one.general_meanings, other.general_meanings);
        const bool has_one =
            !is_special(one) && has_all(other.general_meanings, one.general_meanings);
        return has_other || has_one ? TagMatch::Word : TagMatch::None;
    }
    if (shares_any(one.chinese, other.chinese)) return TagMatch::Word;
    const bool is_latin = one.chinese.empty() && other.chinese.empty();
    if (!is_latin && shares_any(one.meanings, other.meanings)) return TagMatch::Word;
    if (is_latin && (has_all(one.latin, other.latin) || has_all(other.latin, one.latin)))
        return TagMatch::Word;
    return TagMatch::None;
}

SearchedText::SearchedText(std::string_view folded) : folded_(folded) {
    const auto note = [&](const std::string& word) {
        if (const auto meaning = meaning_of(word); !meaning.empty()) meant_.emplace(meaning, word);
    };
    for (const LetterRun& run : runs_in(folded_)) {
        if (!run.is_chinese) {
            note(*words_.insert(stem(run.text)).first);
            continue;
        }
        const auto characters = characters_of(run.text);
        for (std::size_t i = 0; i + 1 < characters.size(); ++i)
            note(std::string(joined(characters[i], characters[i + 1])));
    }
}

std::optional<std::string> SearchedText::stands_for(const std::string& word) const {
    const bool is_latin = static_cast<signed char>(word.front()) >= 0;
    if (is_latin ? words_.contains(word) : folded_.find(word) != std::string::npos) return word;
    const auto found = meant_.find(meaning_of(word));
    return found == meant_.end() ? std::nullopt : std::optional(found->second);
}

bool SearchedText::has(std::string_view part) const {
    return contains_part(folded_, part);
}

std::vector<std::string> SearchedText::evidence_of(const TagWords& tag) const {
    std::vector<std::string> all = tag.chinese;
    all.insert(all.end(), tag.latin.begin(), tag.latin.end());
    all.insert(all.end(), tag.general.begin(), tag.general.end());
    if (may_be_part(tag) && has(tag.tag)) return all;
    const auto stands = [&](const std::string& word) { return stands_for(word).has_value(); };
    if (!tag.chinese.empty()) {
        std::vector<std::string> found;
        for (const std::string& word : tag.chinese) {
            if (const auto standing = stands_for(word)) add_once(found, *standing);
        }
        return found;
    }
    const auto& wanted = tag.latin.empty() ? tag.general : tag.latin;
    const bool is_found = (!tag.latin.empty() || tag.general.size() > 1) &&
                          std::all_of(wanted.begin(), wanted.end(), stands);
    if (!is_found) return {};
    std::vector<std::string> found;
    for (const std::string& word : all)
        add_once(found, stands_for(word).value_or(word));
    return found;
}

store::ProfileKeys keys_of(const Profile& profile) {
    KeyCollector keys;
    for (const std::string& tag : profile.tags)
        keys.add_tag(tag);
    std::string capabilities;
    add_text(capabilities, nlohmann::json::parse(profile.capabilities_json, nullptr, false));
    keys.add(capabilities, store::WordPlace::Capabilities);
    for (const std::string& interest : profile.interests)
        keys.add(interest, store::WordPlace::Interests);
    keys.add(profile.profile_summary, store::WordPlace::Summary);
    return keys.take();
}

bool is_anywhere(std::string_view folded_location) {
    static constexpr std::array kAnywhere{"online", "remote", "anywhere", "线上", "远程", "不限"};
    return std::any_of(kAnywhere.begin(), kAnywhere.end(),
                       [&](std::string_view word) { return contains_part(folded_location, word); });
}

}  // namespace a2h::collab
