#include "core/store/profile_postings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "core/base/join.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr std::int64_t kBlockSize = 1024;
constexpr std::size_t kEntryBytes = 4;
constexpr signed char kNone = -1;

/// The `WordPlace` of each profile of a block, or `kNone`.
using Places = std::array<signed char, kBlockSize>;

std::optional<Places> read_places(std::string_view postings) {
    Places places;
    places.fill(kNone);
    if (postings.size() % kEntryBytes != 0) return std::nullopt;
    for (; !postings.empty(); postings.remove_prefix(kEntryBytes)) {
        unsigned entry = 0;
        const char* const end = postings.data() + kEntryBytes;
        const auto read = std::from_chars(postings.data(), end, entry, 16);
        const bool is_good = read.ec == std::errc() && read.ptr == end;
        if (!is_good || (entry >> 4) >= kBlockSize) return std::nullopt;
        places[entry >> 4] = static_cast<signed char>(entry & 0xF);
    }
    return places;
}

std::string postings_of(const Places& places) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string postings;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i] == kNone) continue;
        for (const std::size_t digit :
             {i >> 8, (i >> 4) & 0xF, i & 0xF, static_cast<std::size_t>(places[i])})
            postings += kDigits[digit];
    }
    return postings;
}

Unexpected no_postings(std::string_view word) {
    return fail(ErrorCode::Corrupt,
                "the index of profiles with the word " + std::string(word) + " cannot be read");
}

Result<void> put_postings(Database& db, const std::string& word, std::int64_t block,
                          const Places& places) {
    static constexpr const char* kPut =
        "insert or replace into profile_posting (word, block, postings) values (?, ?, ?)";
    static constexpr const char* kDelete =
        "delete from profile_posting where word = ? and block = ?";
    const std::string postings = postings_of(places);
    return postings.empty() ? db.statement(kDelete).run(word, block)
                            : db.statement(kPut).run(word, block, postings);
}

Result<Places> get_places(Database& db, const std::string& word, std::int64_t block) {
    static constexpr const char* kGet =
        "select postings from profile_posting where word = ? and block = ?";
    A2H_ASSIGN_OR_RETURN(const auto stored, db.statement(kGet).first(sql::kFirstText, word, block));
    const auto places = read_places(stored.value_or(std::string()));
    return places ? Result<Places>(*places) : no_postings(word);
}

}  // namespace

void PostingChanges::add(const ProfileKeys::Word& word, std::int64_t profile) {
    by_word_[word.word].push_back({profile, static_cast<int>(word.place)});
}

void PostingChanges::remove(std::string_view words, std::int64_t profile) {
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        by_word_[std::string(words.substr(0, end))].push_back({profile, kNone});
        words.remove_prefix(std::min(end + 1, words.size()));
    }
}

Result<void> PostingChanges::write(Database& db) {
    std::vector<std::string_view> order;
    order.reserve(by_word_.size());
    for (const auto& [word, changes] : by_word_)
        order.push_back(word);
    std::sort(order.begin(), order.end());
    for (const std::string_view each : order) {
        const std::string word(each);
        auto& changes = by_word_[word];
        const auto block_of = [](const Change& change) { return change.profile / kBlockSize; };
        std::stable_sort(changes.begin(), changes.end(), [&](const Change& one, const Change& two) {
            return block_of(one) < block_of(two);
        });
        for (auto next = changes.cbegin(); next != changes.cend();) {
            const std::int64_t block = block_of(*next);
            A2H_ASSIGN_OR_RETURN(auto places, get_places(db, word, block));
            for (; next != changes.cend() && block_of(*next) == block; ++next)
                places[static_cast<std::size_t>(next->profile % kBlockSize)] =
                    static_cast<signed char>(next->place);
            A2H_TRY(put_postings(db, word, block, places));
        }
    }
    by_word_.clear();
    return {};
}

std::string joined_words(const ProfileKeys& keys) {
    return joined_with(" ", keys.words, [](const ProfileKeys::Word& word) { return word.word; });
}

Result<std::vector<WordUse>> read_postings(Database& db, std::string_view word) {
    static constexpr const char* kSql =
        "select block, postings from profile_posting where word = ? order by block";
    struct Block {
        std::int64_t number;
        std::optional<Places> places;
    };
    A2H_ASSIGN_OR_RETURN(const auto blocks,
                         db.statement(kSql).all(
                             [](Row& row) {
                                 return Block{row.integer(0), read_places(row.text(1))};
                             },
                             word));
    std::vector<WordUse> uses;
    for (const Block& block : blocks) {
        if (!block.places) return no_postings(word);
        for (std::size_t i = 0; i < block.places->size(); ++i) {
            const signed char place = (*block.places)[i];
            if (place == kNone) continue;
            uses.push_back({block.number * kBlockSize + static_cast<std::int64_t>(i),
                            static_cast<WordPlace>(place)});
        }
    }
    return uses;
}

}  // namespace a2h::store
