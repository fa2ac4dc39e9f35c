#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace a2h::decide {

/// A set of word lists, one bit a list.
using ListSet = std::uint64_t;
constexpr std::size_t kWordListsMax = 64;

/// A word of the lexicon found in a text, as byte positions.
struct WordMatch {
    std::size_t begin = 0;
    std::size_t end = 0;
    ListSet lists = 0;
};

/// True when a word may begin or end at byte `position` of comparable text: Latin letters and
/// digits hold together, everything else (Han above all) does not.
bool is_word_boundary(std::string_view text, std::size_t position);

/// The number of bytes of the code point that begins at `position`.
std::size_t code_point_length(std::string_view text, std::size_t position);
/// The code point that begins at `position`; U+FFFD where the bytes are not UTF-8.
char32_t code_point_at(std::string_view text, std::size_t position);
bool is_han(char32_t code_point);

/// All words of all lists in one radix tree. Reading a text costs its length times the longest
/// word at most, whatever a peer writes; regular expressions would not promise that.
class Lexicon {
  public:
    /// Reads the character `from` as `to`: traditional characters as simplified ones.
    void add_variant(char32_t from, std::string_view to) { variants_.emplace(from, to); }

    /// Peer text made comparable: NFKC, case folded, variants replaced, white space folded to one
    /// space, invisible characters dropped, typographic apostrophes made plain. Linear in the
    /// length of `text`; text that is not UTF-8 comes back unchanged.
    std::string comparable(std::string_view text) const;

    /// `word` is peer-comparable text already.
    void add(std::string_view word, ListSet lists);

    /// The longest word at each place, without those inside a longer one: "haven't paid" hides
    /// "paid".
    std::vector<WordMatch> find(std::string_view comparable_text) const;

    /// The longest word that begins at `position`; `end` = `position` when there is none.
    WordMatch longest_at(std::string_view comparable_text, std::size_t position) const;

    /// The `lists` of every word that begins at `position`, also of those inside longer ones.
    std::vector<ListSet> all_at(std::string_view comparable_text, std::size_t position) const;

  private:
    std::unordered_map<char32_t, std::string> variants_;
    /// A node stands for a piece of a word that no other word parts: its first byte is in the edge
    /// that leads to it, the others are `length` bytes of `labels_` from `label` on.
    struct Node {
        std::uint32_t label = 0;
        std::uint32_t length = 0;
        std::uint32_t set = 0;  ///< index into `sets_`
    };
    /// An edge of the tree: parent and byte, and the child. A child is never the root, node 0,
    /// which marks a free slot.
    struct Edge {
        std::uint32_t key = 0;
        std::uint32_t child = 0;
    };
    static std::uint32_t key_of(std::uint32_t node, char c) {
        return node << 8 | static_cast<unsigned char>(c);
    }
    /// Where the edge with `key` is or would be.
    std::size_t slot_of(std::uint32_t key) const;
    std::uint32_t child_of(std::uint32_t node, char c) const {
        return edges_[slot_of(key_of(node, c))].child;
    }
    std::string_view label_of(std::uint32_t node) const {
        return std::string_view(labels_).substr(nodes_[node].label, nodes_[node].length);
    }
    /// Calls `visit(end, lists)` for every word that begins at `position`, the shortest first.
    template <typename Visit>
    void for_each_at(std::string_view text, std::size_t position, Visit visit) const;
    std::uint32_t add_node(std::uint32_t parent, char first, Node node);
    /// Parts `node` after `length` bytes of its label; the new upper part is returned.
    std::uint32_t split(std::uint32_t parent, char first, std::uint32_t node, std::size_t length);
    void put_edge(std::uint32_t key, std::uint32_t child);
    void grow();
    std::uint32_t number_of_set(ListSet lists);

    std::vector<Edge> edges_ = std::vector<Edge>(16);  ///< open addressing, a power of two
    std::vector<Node> nodes_ = std::vector<Node>(1);
    std::string labels_;
    std::vector<ListSet> sets_ = {0};
    std::unordered_map<ListSet, std::uint32_t> set_numbers_ = {{0, 0}};
};

}  // namespace a2h::decide
