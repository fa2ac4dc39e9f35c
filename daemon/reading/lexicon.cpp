#include "daemon/reading/lexicon.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/i18n/normalize.h"

namespace a2h::reading {
namespace {

constexpr std::string_view kChineseComma = "，";
constexpr std::string_view kNoNumber = "·";  ///< between digits; neither of them is then a number

/// Zero-width, bidirectional and variation characters, which readers do not see, so rules must
/// ignore them.
bool is_invisible(char32_t c) {
    return c == 0xAD || (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF ||
           c == 0x180E || (c >= 0xE0000 && c <= 0xE01EF);
}

bool is_blank(char32_t c) {
    return c <= 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0x3000 || (c >= 0x2000 && c <= 0x200A) ||
           c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F;
}

/// White space that no notation uses to group digits: 1<TAB>200 are two numbers.
bool is_parting_blank(char32_t c) {
    constexpr std::u32string_view kGrouping = U" \u00A0\u2009\u202F";
    return is_blank(c) && c != '\n' && kGrouping.find(c) == std::u32string_view::npos;
}

/// Han, ASCII and full-width ASCII characters are folded by arithmetic. Only other scripts need the
/// Unicode tables, which are ten times slower.
bool folds_by_arithmetic(char32_t c) {
    return (c < 0x80 && (c >= ' ' || c == '\n')) || (c >= 0x4E00 && c <= 0x9FFF) ||
           (c >= 0xFF01 && c <= 0xFF5E) || c == 0x3001 || c == 0x3002 || c == 0x2019 ||
           c == 0x201C || c == 0x201D;
}

bool all_fold_by_arithmetic(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); i += code_point_length(text, i)) {
        if (!folds_by_arithmetic(code_point_at(text, i))) return false;
    }
    return true;
}

bool is_ascii_digit(std::string_view text, std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
}

/// 300，5张: in a Chinese sentence a comma separates numbers, unless it groups three digits.
bool is_parting_comma(std::string_view text, std::size_t i) {
    const std::size_t begin = i + kChineseComma.size();
    std::size_t end = begin;
    while (is_ascii_digit(text, end))
        ++end;
    return text.substr(i).starts_with(kChineseComma) && end != begin && end - begin != 3;
}

/// ², ₂, ½ and ㉑ fold to digits that are not on the line.
bool is_other_digit(char32_t c) {
    return c == 0xB2 || c == 0xB3 || c == 0xB9 || (c >= 0xBC && c <= 0xBE) ||
           (c >= 0x2070 && c <= 0x2079) || (c >= 0x2080 && c <= 0x2089) ||
           (c >= 0x2150 && c <= 0x215F) || c == 0x2189 || (c >= 0x2460 && c <= 0x249B) ||
           c == 0x24EA || (c >= 0x3251 && c <= 0x325F) || (c >= 0x32B1 && c <= 0x32BF) ||
           (c >= 0x1F100 && c <= 0x1F10A);
}

bool is_any_digit(char32_t c) {
    return (c >= '0' && c <= '9') || (c >= 0xFF10 && c <= 0xFF19) || is_other_digit(c);
}

/// Breaks lines at circled numbers, which count nothing ("①price ②place"), splits at Chinese
/// commas, and inserts `kNoNumber` where adjacent digits are not one number: 1²00, 250½, and
/// 200，250, which may be 200 250 or two numbers.
std::string with_breaks(std::string_view text) {
    std::string out;
    char32_t before = 0;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = code_point_length(text, i);
        const char32_t c = code_point_at(text, i);
        const char32_t after = i + length < text.size() ? code_point_at(text, i + length) : 0;
        const bool is_between = is_any_digit(before) && is_any_digit(after);
        const bool is_wide = before > 0xFF && after > 0xFF;
        if (c >= 0x2460 && c <= 0x2473 && !is_between) {
            out += '\n';
        } else if (is_parting_comma(text, i)) {
            out += text.substr(i, length);
            out += ' ';
        } else if (is_between && (is_parting_blank(c) || (c == 0xFF0C && !is_wide))) {
            out += kNoNumber;
        } else {
            const bool is_joined = is_any_digit(before) && is_any_digit(c) &&
                                   (is_other_digit(before) || is_other_digit(c));
            if (is_joined) out += kNoNumber;
            out += text.substr(i, length);
        }
        before = c;
        i += length;
    }
    return out;
}

class ComparableText {
  public:
    explicit ComparableText(std::size_t size) { out_.reserve(size); }

    void add(std::string_view text, std::size_t position, std::size_t length) {
        char32_t c = code_point_at(text, position);
        if (is_invisible(c)) return;
        if (c == '\n' || c == 0x2028 || c == 0x2029) {
            line_break_ = true;
            return;
        }
        if (is_blank(c)) {
            blank_ = true;
            return;
        }
        if (c >= 0xFF01 && c <= 0xFF5E) c -= 0xFEE0;
        if (c == 0x2019 || c == 0x2018 || c == 0x02BC) c = '\'';
        flush_blank();
        if (c < 0x80) {
            out_ += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 0x20 : c);
        } else {
            out_ += text.substr(position, length);
        }
    }

    std::string take() { return std::move(out_); }

  private:
    void flush_blank() {
        if (!out_.empty()) {
            if (line_break_) {
                out_ += '\n';
            } else if (blank_) {
                out_ += ' ';
            }
        }
        blank_ = line_break_ = false;
    }

    std::string out_;
    bool blank_ = false;
    bool line_break_ = false;
};

}  // namespace

bool is_han(char32_t c) {
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || c == 0x3007 ||
           (c >= 0x20000 && c <= 0x323AF);
}

std::string Lexicon::comparable(std::string_view text) const {
    if (!is_utf8(text)) return std::string(text);
    const bool is_plain = all_fold_by_arithmetic(text);
    std::string broken;
    if (!is_plain || text.find(kChineseComma) != std::string_view::npos) {
        broken = with_breaks(text);
        text = broken;
    }
    std::string folded;
    if (!is_plain) {
        folded = i18n::fold(text);
        text = folded;
    }
    ComparableText out(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = code_point_length(text, i);
        const auto variant = length == 3 ? variants_.find(code_point_at(text, i)) : variants_.end();
        if (variant != variants_.end()) {
            out.add(variant->second, 0, variant->second.size());
        } else {
            out.add(text, i, length);
        }
        i += length;
    }
    return out.take();
}

void Lexicon::grow() {
    std::vector<Edge> old(edges_.size() * 2);
    old.swap(edges_);
    for (const Edge& edge : old) {
        if (edge.child != 0) edges_[slot_of(edge.key)] = edge;
    }
}

void Lexicon::put_edge(std::uint32_t key, std::uint32_t child) {
    const std::uint32_t parent = key >> 8;
    nodes_[parent].is_leaf = false;
    if (parent == 0) {
        first_[key] = child;
    } else {
        edges_[slot_of(key)] = {key, child};
    }
}

std::uint32_t Lexicon::add_node(std::uint32_t parent, char first, Node node) {
    if (nodes_.size() * 2 >= edges_.size()) grow();
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(node);
    put_edge(key_of(parent, first), number);
    return number;
}

std::uint32_t Lexicon::split(std::uint32_t parent, char first, std::uint32_t node,
                             std::size_t length) {
    const auto kept = static_cast<std::uint32_t>(length);
    const std::uint32_t upper = add_node(parent, first, {nodes_[node].label, kept, 0});
    const char next = label_of(node)[length];
    nodes_[node].label += kept + 1;
    nodes_[node].length -= kept + 1;
    put_edge(key_of(upper, next), node);
    return upper;
}

std::uint32_t Lexicon::number_of_set(ListSet lists) {
    const auto [found, is_new] =
        set_numbers_.emplace(lists, static_cast<std::uint32_t>(sets_.size()));
    if (is_new) sets_.push_back(lists);
    return found->second;
}

void Lexicon::add(std::string_view word, ListSet lists) {
    std::uint32_t node = 0;
    while (!word.empty()) {
        const char first = word.front();
        word.remove_prefix(1);
        std::uint32_t child = child_of(node, first);
        if (child == 0) {
            child = add_node(node, first,
                             {static_cast<std::uint32_t>(labels_.size()),
                              static_cast<std::uint32_t>(word.size()), 0});
            labels_ += word;
        }
        const std::string_view label = label_of(child);
        const auto [end, unused] =
            std::mismatch(label.begin(), label.end(), word.begin(), word.end());
        const auto common = static_cast<std::size_t>(end - label.begin());
        word.remove_prefix(common);
        node = common == label.size() ? child : split(node, first, child, common);
    }
    nodes_[node].set = number_of_set(sets_[nodes_[node].set] | lists);
}

template <typename Visit>
void Lexicon::for_each_at(std::string_view text, std::size_t position, Visit visit) const {
    if (!is_word_boundary(text, position)) return;
    // A line break separates sentences, but words can wrap over it as over a space.
    const auto same = [](char in_label, char in_text) {
        return in_label == (in_text == '\n' ? ' ' : in_text);
    };
    std::uint32_t node = 0;
    for (std::size_t i = position; i < text.size();) {
        node = child_of(node, text[i] == '\n' ? ' ' : text[i]);
        if (node == 0) return;
        const std::string_view label = label_of(node);
        const std::string_view rest = text.substr(i + 1);
        if (label.size() > rest.size() ||
            !std::equal(label.begin(), label.end(), rest.begin(), same)) {
            return;
        }
        i += 1 + label.size();
        const ListSet lists = sets_[nodes_[node].set];
        if (lists != 0 && is_word_boundary(text, i)) visit(i, lists);
    }
}

WordMatch Lexicon::longest_at(std::string_view text, std::size_t position) const {
    WordMatch best{position, position, 0};
    for_each_at(text, position, [&](std::size_t end, ListSet lists) {
        best = {position, end, lists};
    });
    return best;
}

std::vector<ListSet> Lexicon::all_at(std::string_view text, std::size_t position) const {
    std::vector<ListSet> all;
    for_each_at(text, position, [&](std::size_t, ListSet lists) { all.push_back(lists); });
    return all;
}

std::vector<WordMatch> Lexicon::find(std::string_view text) const {
    std::vector<WordMatch> matches;
    std::size_t covered_to = 0;
    for (std::size_t i = 0; i < text.size(); i += code_point_length(text, i)) {
        const WordMatch match = longest_at(text, i);
        if (match.end <= i || match.end <= covered_to) continue;
        covered_to = match.end;
        matches.push_back(match);
    }
    return matches;
}

}  // namespace a2h::reading
