#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/guarded.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::mail {

/// Cache of the pinned keys; `Authenticator` pins them. The receive callback finds the public keys
/// of peers in memory, otherwise through a read-only connection of the cache's own.
///
/// Thread:  any. A mutex protects the connection and is held while a key is read, so Paho's receive
///          thread and the workers that catch up wait for each other.
class KeyRing {
  public:
    struct Key {
        std::string key_id;
        std::string public_key;    ///< empty: no key is pinned for this peer
        bool is_platform = false;  ///< the market's own agent
    };
    /// Entries kept in memory; when full, all are dropped and read again as needed.
    static constexpr std::size_t kCachedKeysMax = 10'000;

    explicit KeyRing(std::unique_ptr<store::Database> reader);

    /// Returns the key that is pinned for `peer_id` with `agent_id`; an empty one if none is.
    ///
    /// Errors:  those of the store.
    Result<Key> find(std::string_view agent_id, std::string_view peer_id);
    /// From now on `peer_id` is the market's own agent with this key, whatever else is pinned.
    void pin_platform(std::string_view agent_id, std::string_view peer_id, Key key);
    /// Call after a key was pinned.
    void forget(std::string_view agent_id, std::string_view peer_id);

  private:
    std::mutex reader_mutex_;
    std::unique_ptr<store::Database> reader_;
    Guarded<std::unordered_map<std::string, Key>> cache_;
    Guarded<std::unordered_map<std::string, Key>> platform_;
};

}  // namespace a2h::mail
