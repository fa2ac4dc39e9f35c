#include "daemon/mail/key_ring.h"

#include <optional>
#include <utility>

#include "core/store/contact_store.h"

namespace a2h::mail {
namespace {

std::string cache_key(std::string_view agent_id, std::string_view peer_id) {
    return std::string(agent_id) + " " + std::string(peer_id);
}

}  // namespace

KeyRing::KeyRing(std::unique_ptr<store::Database> reader) : reader_(std::move(reader)) {}

Result<KeyRing::Key> KeyRing::find(std::string_view agent_id, std::string_view peer_id) {
    const std::string name = cache_key(agent_id, peer_id);
    const auto platform = platform_.with([&](auto& keys) -> std::optional<Key> {
        const auto found = keys.find(name);
        return found == keys.end() ? std::nullopt : std::optional(found->second);
    });
    if (platform) return *platform;
    const auto cached = cache_.with([&](auto& cache) -> std::optional<Key> {
        const auto found = cache.find(name);
        if (found == cache.end()) return std::nullopt;
        return found->second;
    });
    if (cached) return *cached;

    A2H_ASSIGN_OR_RETURN(auto contact, [&] {
        const std::lock_guard lock(reader_mutex_);
        return store::get_contact(*reader_, agent_id, peer_id);
    }());
    Key key;
    if (contact) key = {contact->key_id, contact->public_key, false};
    // A peer without a key is not cached, because its key may be pinned at any moment.
    if (key.public_key.empty()) return key;
    cache_.with([&](auto& cache) {
        if (cache.size() >= kCachedKeysMax) cache.clear();
        cache[name] = key;
    });
    return key;
}

void KeyRing::pin_platform(std::string_view agent_id, std::string_view peer_id, Key key) {
    platform_.with([&](auto& keys) { keys[cache_key(agent_id, peer_id)] = std::move(key); });
}

void KeyRing::forget(std::string_view agent_id, std::string_view peer_id) {
    cache_.with([&](auto& cache) { cache.erase(cache_key(agent_id, peer_id)); });
}

}  // namespace a2h::mail
