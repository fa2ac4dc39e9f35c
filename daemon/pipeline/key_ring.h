#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/guarded.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::pipeline {

/// The pinned public keys of peers, as the receive callback needs them: from memory, else from a
/// read-only connection of its own.
///
/// Thread: `find` from Paho's receive thread only (there is one a process); `forget` from any.
class KeyRing {
  public:
    struct Key {
        std::string key_id;
        std::string public_key;  ///< empty: no key is pinned for this peer
    };
    /// Entries kept in memory; when full, all are dropped and read again as needed.
    static constexpr std::size_t kCachedKeysMax = 10'000;

    explicit KeyRing(std::unique_ptr<store::Database> reader);

    Result<Key> find(std::string_view agent_id, std::string_view peer_id);
    /// Call after a key was pinned.
    void forget(std::string_view agent_id, std::string_view peer_id);

  private:
    std::unique_ptr<store::Database> reader_;
    Guarded<std::unordered_map<std::string, Key>> cache_;
};

}  // namespace a2h::pipeline
