#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "core/store/profile_store.h"

namespace a2h::store {

/// The profiles that contain a word, changed for many profiles at once: each affected row (see
/// migration 0014) is read and written once. Inside core/store only.
class PostingChanges {
  public:
    void add(const ProfileKeys::Word& word, std::int64_t profile);
    /// `words` are separated by blanks.
    void remove(std::string_view words, std::int64_t profile);

    /// Call inside a transaction.
    ///
    /// Errors:  Corrupt for a row in an unknown format.
    Result<void> write(Database& db);

  private:
    struct Change {
        std::int64_t profile = 0;
        int place = 0;  ///< a `WordPlace`; -1: removed
    };
    std::unordered_map<std::string, std::vector<Change>> by_word_;  ///< in the order of the calls
};

/// The words of `keys` in the stored form, separated by blanks.
std::string joined_words(const ProfileKeys& keys);

Result<std::vector<WordUse>> read_postings(Database& db, std::string_view word);

}  // namespace a2h::store
