#pragma once

#include "core/store/profile_store.h"

namespace a2h::store {

inline Result<void> save_profile(Database& db, const Profile& profile, const ProfileKeys& keys) {
    const KeyedProfile one{profile, keys};
    return save_profiles(db, {&one, 1});
}

}  // namespace a2h::store
