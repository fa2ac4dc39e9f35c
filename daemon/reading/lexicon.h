#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace a2h::reading {

/// A set of word lists, one bit for each list.
using ListSet = std::uint64_t;
constexpr std::size_t kWordListsMax = 64;

/// A word of the lexicon found in a text, as byte positions.
struct WordMatch {
    std::size_t begin = 0;
    std::size_t end = 0;
    ListSet lists = 0;
};

// The next three functions are called for every byte of peers' texts and are therefore inline.

/// True for an ASCII letter or digit, and for the first byte of accented letters of Latin words:
/// Latin-1 Supplement to Latin Extended-B.
inline bool begins_latin(char byte) {
    const auto c = static_cast<unsigned char>(byte);
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= 0xC3 && c <= 0xC9);
}

/// True if a word may begin or end at byte `position` of comparable text. Latin letters and digits
/// belong together; all other characters, such as Han, do not.
inline bool is_word_boundary(std::string_view text, std::size_t position) {
    if (position == 0 || position >= text.size() || !begins_latin(text[position])) return true;
    const char last = text[position - 1];
    if (static_cast<signed char>(last) >= 0) return !begins_latin(last);
    return position < 2 || static_cast<signed char>(text[position - 2]) >= 0 ||
           !begins_latin(text[position - 2]);
}

/// The number of bytes of the code point that begins at `position`.
inline std::size_t code_point_length(std::string_view text, std::size_t position) {
    std::size_t end = position + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        ++end;
    return end - position;
}

/// The code point that begins at `position`; U+FFFD if the bytes are not UTF-8.
inline char32_t code_point_at(std::string_view text, std::size_t position) {
    const auto byte = [&](std::size_t k) {
        return static_cast<char32_t>(static_cast<unsigned char>(text[position + k]));
    };
    const std::size_t length = code_point_length(text, position);
    const char32_t lead = byte(0);
    if (lead < 0x80 && length == 1) return lead;
    if (lead >= 0xC2 && lead < 0xE0 && length == 2) return (lead & 0x1F) << 6 | (byte(1) & 0x3F);
    if (lead >= 0xE0 && lead < 0xF0 && length == 3) {
        return (lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    }
    if (lead >= 0xF0 && lead < 0xF5 && length == 4) {
        return (lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 |
               (byte(3) & 0x3F);
    }
    return 0xFFFD;
}

bool is_han(char32_t code_point);

/// All words of all lists in one radix tree. Reading takes at most the length of the text times
/// that of the longest word, for any text; regular expressions do not guarantee that.
class Lexicon {
  public:
    /// Treats the character `from` as `to`, such as traditional characters as simplified ones.
    void add_variant(char32_t from, std::string_view to) { variants_.emplace(from, to); }

    /// Makes a peer's text comparable: NFKC, case folded, variants replaced, white space reduced to
    /// single spaces, invisible characters removed, typographic apostrophes replaced. Linear in the
    /// length of `text`. Text that is not UTF-8 is returned unchanged.
    std::string comparable(std::string_view text) const;

    /// `word` must be comparable already.
    void add(std::string_view word, ListSet lists);

    /// The longest word at each position, without words inside a longer one: "haven't paid" hides
    /// "paid".
    std::vector<WordMatch> find(std::string_view comparable_text) const;

    /// The longest word that begins at `position`; `end` = `position` if there is none.
    WordMatch longest_at(std::string_view comparable_text, std::size_t position) const;

    /// The `lists` of every word that begins at `position`, including those inside longer ones.
    std::vector<ListSet> all_at(std::string_view comparable_text, std::size_t position) const;

  private:
    std::unordered_map<char32_t, std::string> variants_;
    /// A node represents a piece of a word that is not split by other words: its first byte is in
    /// the edge that leads to it, and the rest is `length` bytes of `labels_` from `label` on.
    struct Node {
        std::uint32_t label = 0;
        std::uint32_t length = 0;
        std::uint32_t set = 0;  ///< index into `sets_`
        bool is_leaf = true;
    };
    /// An edge of the tree: parent and byte, and the child. A child is never the root (node 0),
    /// which marks a free slot.
    struct Edge {
        std::uint32_t key = 0;
        std::uint32_t child = 0;
    };
    static std::uint32_t key_of(std::uint32_t node, char c) {
        return node << 8 | static_cast<unsigned char>(c);
    }
    /// The slot of `key`, or the slot where it would be.
    std::size_t slot_of(std::uint32_t key) const {
        const std::size_t mask = edges_.size() - 1;
        const std::uint64_t mixed = key * std::uint64_t{0x9E3779B97F4A7C15};
        std::size_t slot = static_cast<std::size_t>(mixed >> 32) & mask;
        while (edges_[slot].child != 0 && edges_[slot].key != key)
            slot = (slot + 1) & mask;
        return slot;
    }
    std::uint32_t child_of(std::uint32_t node, char c) const {
        if (node == 0) return first_[static_cast<unsigned char>(c)];
        if (nodes_[node].is_leaf) return 0;
        return edges_[slot_of(key_of(node, c))].child;
    }
    std::string_view label_of(std::uint32_t node) const {
        return std::string_view(labels_).substr(nodes_[node].label, nodes_[node].length);
    }
    /// Calls `visit(end, lists)` for every word that begins at `position`, shortest first.
    template <typename Visit>
    void for_each_at(std::string_view text, std::size_t position, Visit visit) const;
    std::uint32_t add_node(std::uint32_t parent, char first, Node node);
    /// Splits `node` after `length` bytes of its label, and returns the new upper part.
    std::uint32_t split(std::uint32_t parent, char first, std::uint32_t node, std::size_t length);
    void put_edge(std::uint32_t key, std::uint32_t child);
    void grow();
    std::uint32_t number_of_set(ListSet lists);

    std::array<std::uint32_t, 256> first_ = {};        ///< children of the root, indexed by byte
    std::vector<Edge> edges_ = std::vector<Edge>(16);  ///< open addressing, a power of two
    std::vector<Node> nodes_ = std::vector<Node>(1);
    std::string labels_;
    std::vector<ListSet> sets_ = {0};
    std::unordered_map<ListSet, std::uint32_t> set_numbers_ = {{0, 0}};
};

}  // namespace a2h::reading
