#include "daemon/decide/draft_review.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "core/base/text.h"
#include "daemon/decide/draft_sources.h"
#include "daemon/decide/draft_text.h"
#include "daemon/decide/draft_words.h"
#include "daemon/reading/reading.h"

namespace a2h::decide {
namespace {

/// A run of Han characters of at most this length is an answer by itself: 好, 行的. In a longer run
/// the same characters are parts of other words.
constexpr std::size_t kShortAnswerHanMax = 4;
/// The most foreign words, such as "logo" and "PPT", in a Chinese clause.
constexpr std::size_t kForeignWordsMax = 2;
/// The longest text that may equal a part of the peer's message; a Han character counts as three.
constexpr std::size_t kCopiedMax = 48;

bool is_within(const WordMatch& word, const std::vector<WordMatch>& words, ListSet lists) {
    return std::any_of(words.begin(), words.end(), [&](const WordMatch& outer) {
        return (outer.lists & lists) != 0 && outer.begin <= word.begin && word.end <= outer.end;
    });
}

std::string_view slice(const std::string& text, const WordMatch& word) {
    return std::string_view(text).substr(word.begin, word.end - word.begin);
}

std::size_t latin_word_count(std::string_view text) {
    std::size_t count = 0;
    bool in_word = false;
    for (const char c : text) {
        const bool is_letter = is_ascii_letter(c);
        if (is_letter && !in_word) ++count;
        in_word = is_letter || (in_word && c == '\'');
    }
    return count;
}

/// Judges one draft.
class DraftJudge {
  public:
    DraftJudge(std::string_view draft, const DraftFacts& facts, i18n::Language reader)
        : draft_(draft),
          facts_(facts),
          reader_(reader),
          vocabulary_(built_in_vocabulary()),
          sources_(facts, vocabulary_) {}

    DraftReview judge() {
        if (!is_utf8(draft_)) {
            object("unreadable");
            return std::move(review_);
        }
        if (trim(draft_).empty()) object("empty");
        if (code_point_count(draft_) > facts_.code_points_max) {
            object("length");  // the only objection: the other checks would take too long
            return std::move(review_);
        }
        check_characters();
        reading_ = read_text(sources_.without_quotations(vocabulary_.lexicon.comparable(draft_)),
                             vocabulary_);
        words_ = draft_lexicon().find(reading_.text);
        find_questions();
        check_language();
        check_numbers();
        check_text();
        check_words();
        check_copied();
        check_statements();
        return std::move(review_);
    }

  private:
    void object(std::string_view id) {
        const auto is_known = [&](const DraftObjection& known) { return known.id == id; };
        if (std::any_of(review_.objections.begin(), review_.objections.end(), is_known)) return;
        review_.objections.push_back(
            {std::string(id), i18n::text(reader_, "decide.draft." + std::string(id))});
    }
    void object_when(bool when, std::string_view id) {
        if (when) object(id);
    }

    void check_characters();
    void check_language();
    void check_numbers();
    void check_text();
    void check_words();
    void check_copied();
    void check_statements();

    void find_questions();
    bool is_asking(const Clause& clause) const;
    bool says_nothing(std::size_t begin, std::size_t end) const;
    ListSet lists_in(std::size_t begin, std::size_t end) const;
    bool is_stated_with_next_word(const WordMatch& word) const;
    bool is_in_stated_number(const WordMatch& word) const;
    bool is_part_of_longer_run(const WordMatch& word, const Clause& clause) const;
    bool is_secret(const NumberMention& number) const;
    void judge_word(const WordMatch& word, const Clause& clause, bool asks);
    void judge_playbook_word(const WordMatch& word, const Clause& clause, bool asks);
    std::vector<bool> covered_bytes() const;
    bool has_anchor(const Clause& clause) const;
    bool has_stated_number(const Clause& clause) const;
    bool is_of_a_source(std::string_view word) const;
    bool says_what_nobody_said(const Clause& clause, const std::vector<bool>& covered,
                               const Knowledge& peer) const;
    bool is_known(std::string_view word, bool restates, const Knowledge& peer) const;

    const std::string_view draft_;
    const DraftFacts& facts_;
    const i18n::Language reader_;
    const Vocabulary& vocabulary_;
    const DraftSources sources_;
    Reading reading_;               ///< of the text outside quotations
    std::vector<WordMatch> words_;  ///< of draft_review.toml, in `reading_.text`
    std::vector<bool> asks_;     ///< for each clause: it asks the peer something and states nothing
    std::vector<bool> goes_on_;  ///< for each clause: it belongs to a sentence that asks
    DraftReview review_;
};

void DraftJudge::check_characters() {
    object_when(has_invisible_characters(draft_), "characters");
    for (std::size_t i = 0; i < draft_.size();) {
        const std::size_t length = code_point_length(draft_, i);
        object_when(!is_plain_character(code_point_at(draft_, i)) &&
                        !sources_.has_character(draft_.substr(i, length)),
                    "characters");
        i += length;
    }
}

void DraftJudge::check_language() {
    object_when(!reading_.is_readable, "language");
    const bool is_english = facts_.peer_language == i18n::Language::English;
    for (const Clause& clause : reading_.clauses) {
        const std::string_view text =
            std::string_view(reading_.text).substr(clause.begin, clause.end - clause.begin);
        const std::size_t han = han_count(text);
        const std::size_t latin_words = latin_word_count(text);
        const bool is_foreign = latin_words > kForeignWordsMax && latin_words * 2 > han;
        object_when(is_english ? han > 0 : is_foreign, "language");
    }
    object_when(!is_english && latin_word_count(reading_.text) > 0 && han_count(reading_.text) == 0,
                "language");
}

bool DraftJudge::is_secret(const NumberMention& number) const {
    return std::any_of(facts_.secret_amounts.begin(), facts_.secret_amounts.end(),
                       [&](const Money& secret) {
                           const auto money = parse_money(number.digits, secret.currency);
                           return money && *money == secret;
                       });
}

void DraftJudge::check_numbers() {
    for (const NumberMention& number : reading_.numbers) {
        if (sources_.states(number)) continue;
        if (is_secret(number)) object("limit");
        const std::string_view written =
            std::string_view(reading_.text).substr(number.begin, number.end - number.begin);
        // Dates, versions and the like are compared as written.
        const bool is_written =
            number.kind == NumberKind::Quantity && number.unit == 0 && sources_.says(written);
        if (is_written) continue;
        object(number.kind == NumberKind::Discount ? "discount" : "price");
    }
}

void DraftJudge::check_text() {
    const TextFindings found = find_in_text(reading_, words_, sources_, vocabulary_);
    object_when(found.has_contact, "contact");
    object_when(found.has_link, "link");
    for (const std::string_view link : links_in(draft_))
        object_when(!sources_.has_link(link), "link");
    object_when(found.is_spelled_apart, "characters");
    object_when(found.has_count, "price");
    object_when(found.has_date, "date");
}

void DraftJudge::find_questions() {
    std::size_t sentences = 0;
    for (const Clause& clause : reading_.clauses)
        sentences = std::max(sentences, clause.sentence + 1);
    std::vector<bool> ends_with_mark(sentences);
    for (const Clause& clause : reading_.clauses)
        if (clause.ends_with_mark) ends_with_mark[clause.sentence] = true;
    std::vector<bool> has_asked(sentences);
    for (const Clause& clause : reading_.clauses) {
        const bool asks = ends_with_mark[clause.sentence] && is_asking(clause);
        asks_.push_back(asks);
        if (asks) has_asked[clause.sentence] = true;
        goes_on_.push_back(has_asked[clause.sentence]);
    }
}

ListSet DraftJudge::lists_in(std::size_t begin, std::size_t end) const {
    ListSet lists = 0;
    for (const WordMatch& word : words_)
        if (word.begin >= begin && word.end <= end) lists |= word.lists;
    return lists;
}

/// True if only harmless words are between the two positions.
bool DraftJudge::says_nothing(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end;) {
        const auto word = std::find_if(words_.begin(), words_.end(), [&](const WordMatch& match) {
            return match.begin == i && (match.lists & bit(DraftList::Harmless)) != 0;
        });
        if (word != words_.end()) {
            i = word->end;
            continue;
        }
        if (is_ascii_letter(reading_.text[i]) ||
            (reading_.text[i] >= '0' && reading_.text[i] <= '9') ||
            is_han(code_point_at(reading_.text, i))) {
            return false;
        }
        i += code_point_length(reading_.text, i);
    }
    return true;
}

/// "Which style do you prefer" asks. "We deliver, which you like" and 周五交付好吗 make a
/// statement.
bool DraftJudge::is_asking(const Clause& clause) const {
    const auto is_in_clause = [&](const WordMatch& word) {
        return word.begin >= clause.begin && word.end <= clause.end;
    };
    const bool speaks_of_us =
        std::any_of(reading_.words.begin(), reading_.words.end(), [&](const WordMatch& word) {
            if ((word.lists & vocabulary_.known[Role::Speaker]) == 0 || !is_in_clause(word))
                return false;
            // "tell me", "may I ask", 能告诉我
            return !std::any_of(words_.begin(), words_.end(), [&](const WordMatch& outer) {
                return (outer.lists & (bit(DraftList::Harmless) | bit(DraftList::Asks))) != 0 &&
                       outer.begin <= word.begin && word.end <= outer.end &&
                       outer.end - outer.begin > word.end - word.begin;
            });
        });
    if (speaks_of_us) return false;
    const std::string_view text =
        trim(std::string_view(reading_.text).substr(clause.begin, clause.end - clause.begin));
    for (const WordMatch& word : words_) {
        const bool is_tag = is_in_clause(word) && (word.lists & bit(DraftList::Tag)) != 0 &&
                            text.ends_with(slice(reading_.text, word));
        if (is_tag) return false;
    }
    const bool is_chinese = han_count(text) > 0;
    return std::any_of(words_.begin(), words_.end(), [&](const WordMatch& word) {
        if (!is_in_clause(word) || (word.lists & bit(DraftList::Asks)) == 0) return false;
        return is_chinese || says_nothing(clause.begin, word.begin);
    });
}

/// "two rounds" is allowed if a source says exactly that.
bool DraftJudge::is_stated_with_next_word(const WordMatch& word) const {
    const std::string& text = reading_.text;
    std::size_t end = word.end;
    if (end < text.size() && is_han(code_point_at(text, end))) {
        end += code_point_length(text, end);
    } else {
        while (end < text.size() && (text[end] == ' ' || text[end] == '-'))
            ++end;
        const std::size_t next = end;
        while (end < text.size() && !is_word_boundary(text, end + 1))
            ++end;
        end = end < text.size() && next < text.size() && is_ascii_letter(text[next]) ? end + 1
                                                                                     : word.end;
    }
    return sources_.says(std::string_view(text).substr(word.begin, end - word.begin));
}

bool DraftJudge::is_in_stated_number(const WordMatch& word) const {
    return std::any_of(
        reading_.numbers.begin(), reading_.numbers.end(), [&](const NumberMention& number) {
            return number.begin < word.end && word.begin < number.end && sources_.states(number);
        });
}

bool DraftJudge::is_part_of_longer_run(const WordMatch& word, const Clause& clause) const {
    const std::string_view text = slice(reading_.text, word);
    if (han_count(text) != 1) return false;
    return han_count(
               std::string_view(reading_.text).substr(clause.begin, clause.end - clause.begin)) >
           kShortAnswerHanMax;
}

void DraftJudge::judge_word(const WordMatch& word, const Clause& clause, bool asks) {
    struct Refused {
        DraftList list;
        std::string_view id;
        bool may_be_asked;
    };
    static constexpr std::array<Refused, 10> kRefused = {{
        {DraftList::Discount, "discount", false},
        {DraftList::Date, "date", true},
        {DraftList::Promise, "promise", true},
        {DraftList::Agreement, "agreement", true},
        {DraftList::Payment, "payment", false},
        {DraftList::Contact, "contact", false},
        {DraftList::Link, "link", false},
        {DraftList::Human, "human", false},
        {DraftList::Limit, "limit", false},
        {DraftList::Approval, "approval", false},
    }};
    if (is_part_of_longer_run(word, clause)) return;
    for (const Refused& refused : kRefused) {
        if ((word.lists & bit(refused.list)) == 0) continue;
        if (refused.list == DraftList::Date && is_in_stated_number({word.begin, word.end, 0}))
            continue;
        object_when(!(refused.may_be_asked && asks), refused.id);
    }
    const bool is_number = (word.lists & bit(DraftList::Number)) != 0;
    object_when(is_number && !is_in_stated_number(word) && !is_stated_with_next_word(word),
                "price");
}

void DraftJudge::judge_playbook_word(const WordMatch& word, const Clause& clause, bool asks) {
    if (is_within(word, words_, bit(DraftList::Harmless))) return;
    if (is_part_of_longer_run(word, clause)) return;
    const RoleLists& known = vocabulary_.known;
    object_when(!asks && (word.lists & (known[Role::Deal] | known[Role::Assent])) != 0,
                "agreement");
    object_when(!asks && (word.lists & known[Role::Promise]) != 0, "promise");
    object_when(!asks && (word.lists & known[Role::Terms]) != 0, "terms");
    object_when((word.lists & known[Role::AmountInWords]) != 0 && !is_stated_with_next_word(word),
                "price");
    object_when((word.lists & (known[Role::Payment] | known[Role::Paid])) != 0, "payment");
    object_when((word.lists & known[Role::Delivered]) != 0, "delivery");
    object_when((word.lists & known[Role::Haggle]) != 0, "discount");
    object_when((word.lists & known[Role::Claim]) != 0, "approval");
}

void DraftJudge::check_words() {
    for (std::size_t i = 0; i < reading_.clauses.size(); ++i) {
        const Clause& clause = reading_.clauses[i];
        const auto begins_here = [&](const WordMatch& word) {
            return word.begin >= clause.begin && word.begin < clause.end;
        };
        for (const WordMatch& word : words_)
            if (begins_here(word)) judge_word(word, clause, asks_[i]);
        for (const WordMatch& word : reading_.words)
            if (begins_here(word)) judge_playbook_word(word, clause, asks_[i]);
    }
}

/// Objects to a copied piece of the peer's words that no source contains. It needs one pass over
/// each text, because comparing every pair of positions could take minutes for some messages.
void DraftJudge::check_copied() {
    const std::string peer = vocabulary_.lexicon.comparable(facts_.peer_text);
    const std::string_view text = reading_.text;
    std::unordered_set<std::string_view> pieces;
    for (std::size_t i = 0; i + kCopiedMax <= text.size(); i += code_point_length(text, i)) {
        if (is_word_boundary(text, i)) pieces.insert(text.substr(i, kCopiedMax));
    }
    if (pieces.empty()) return;
    const std::string_view said = peer;
    for (std::size_t i = 0; i + kCopiedMax <= said.size(); ++i)
        object_when(pieces.contains(said.substr(i, kCopiedMax)), "copied");
}

/// The bytes of words whose meaning is known, including refused ones.
std::vector<bool> DraftJudge::covered_bytes() const {
    const RoleLists& known = vocabulary_.known;
    const ListSet without_meaning =
        ~(known[Role::Link] | known[Role::Offer] | known[Role::CounterOffer] |
          known[Role::Outside] | known[Role::Holding]);
    std::vector<bool> covered(reading_.text.size());
    const auto cover = [&](std::size_t begin, std::size_t end) {
        std::fill(covered.begin() + static_cast<std::ptrdiff_t>(begin),
                  covered.begin() + static_cast<std::ptrdiff_t>(end), true);
    };
    for (const WordMatch& word : reading_.words)
        if ((word.lists & without_meaning) != 0) cover(word.begin, word.end);
    for (const WordMatch& word : words_)
        cover(word.begin, word.end);
    for (const NumberMention& number : reading_.numbers)
        cover(number.begin, number.end);
    return covered;
}

bool DraftJudge::is_known(std::string_view word, bool restates, const Knowledge& peer) const {
    const bool is_particle = is_han(code_point_at(word, 0)) && han_count(word) == 1;
    return is_particle || sources_.knows(word) || (restates && peer.knows_all(word));
}

bool DraftJudge::has_stated_number(const Clause& clause) const {
    return std::any_of(reading_.numbers.begin(), reading_.numbers.end(),
                       [&](const NumberMention& number) {
                           return number.begin >= clause.begin && number.end <= clause.end &&
                                  sources_.states(number);
                       });
}

/// True if the clause is about something known: the listing, the owner's decision, a fact of a
/// source, or a courtesy. Common words alone could promise anything: "It is possible."
bool DraftJudge::has_anchor(const Clause& clause) const {
    const std::string_view text =
        std::string_view(reading_.text).substr(clause.begin, clause.end - clause.begin);
    if ((lists_in(clause.begin, clause.end) & bit(DraftList::Restates)) != 0) return true;
    if (!anchor_lexicon().find(text).empty() || has_stated_number(clause)) return true;
    if (text.find(trim(kQuotedMark)) != std::string_view::npos) return true;
    constexpr std::size_t kWordBytesMin = 4;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + code_point_length(text, i);
        if (is_han(code_point_at(text, i))) {
            const std::size_t next = end;
            if (next < text.size() && is_han(code_point_at(text, next))) {
                end += code_point_length(text, next);
                if (is_of_a_source(text.substr(i, end - i))) return true;
            }
            i = next;
            continue;
        }
        while (end < text.size() && is_ascii_letter(text[i]) && is_ascii_letter(text[end]))
            ++end;
        if (end - i >= kWordBytesMin && is_of_a_source(text.substr(i, end - i))) return true;
        i = end;
    }
    return false;
}

/// A meaningful word of the sources; words such as "with" and 一个 do not count.
bool DraftJudge::is_of_a_source(std::string_view word) const {
    const WordMatch match = vocabulary_.lexicon.longest_at(word, 0);
    const bool is_filler =
        match.end == word.size() && (match.lists & vocabulary_.known[Role::Filler]) != 0;
    return !is_filler && sources_.knows(word);
}

bool DraftJudge::says_what_nobody_said(const Clause& clause, const std::vector<bool>& covered,
                                       const Knowledge& peer) const {
    const std::string& text = reading_.text;
    const ListSet lists = lists_in(clause.begin, clause.end);
    const bool restates = (lists & bit(DraftList::Restates)) != 0;
    const bool denies = (lists & bit(DraftList::Denies)) != 0;
    bool has_words = false;
    for (std::size_t i = clause.begin; i < clause.end;) {
        const bool han = is_han(code_point_at(text, i));
        has_words = has_words || han || is_ascii_letter(text[i]);
        if (covered[i] || (!han && !is_ascii_letter(text[i]))) {
            i += code_point_length(text, i);
            continue;
        }
        std::size_t end = i;
        while (end < clause.end && !covered[end] &&
               (han ? is_han(code_point_at(text, end)) : is_ascii_letter(text[end]))) {
            end += code_point_length(text, end);
        }
        const std::string_view word = std::string_view(text).substr(i, end - i);
        if (!denies && !is_known(word, restates, peer)) return true;
        i = end;
    }
    return has_words && !has_anchor(clause);
}

void DraftJudge::check_statements() {
    Listing said;
    said.content = facts_.peer_text;
    const Knowledge peer(std::vector{said}, vocabulary_);
    const std::vector<bool> covered = covered_bytes();
    for (std::size_t k = 0; k < reading_.clauses.size(); ++k) {
        const Clause& clause = reading_.clauses[k];
        if (!goes_on_[k]) {
            object_when(says_what_nobody_said(clause, covered, peer), "unsupported");
        } else if ((clause.facts & bit(Fact::Price)) != 0) {
            // "Would the price that you named suit you?" is an offer.
            object_when(!has_anchor(clause), "price");
        }
    }
}

}  // namespace

DraftReview review_draft(std::string_view draft, const DraftFacts& facts, i18n::Language reader) {
    return DraftJudge(draft, facts, reader).judge();
}

bool speaks_as_authority(std::string_view text) {
    const Vocabulary& vocabulary = built_in_vocabulary();
    const std::string comparable = vocabulary.lexicon.comparable(text);
    const auto has_claim = [&](const WordMatch& word) {
        return (word.lists & vocabulary.known[Role::Claim]) != 0;
    };
    const auto words = vocabulary.lexicon.find(comparable);
    if (std::any_of(words.begin(), words.end(), has_claim)) return true;
    constexpr std::array<std::string_view, 4> kRoleMarks = {"<|", "[inst]", "im_start", "im_end"};
    return std::any_of(kRoleMarks.begin(), kRoleMarks.end(), [&](std::string_view mark) {
        return comparable.find(mark) != std::string::npos;
    });
}

}  // namespace a2h::decide
