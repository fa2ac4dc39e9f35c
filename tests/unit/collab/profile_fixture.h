#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/store/profile_store.h"
#include "daemon/collab/words.h"
#include "tests/support/save_profile.h"
#include "tests/unit/store/store_fixture.h"

namespace a2h::test {

/// A database with the profiles that a test adds.
class ProfileFixture : public StoreFixture {
  public:
    /// Its id is `ag_` and the name.
    Profile& add(const std::string& name, std::vector<std::string> tags,
                 const std::string& location = "") {
        profile_ = {};
        profile_.agent_id = "ag_" + name;
        profile_.source = "import";
        profile_.user_name = "Name of " + name;
        profile_.tags = std::move(tags);
        profile_.location = location;
        save();
        return profile_;
    }
    /// The last one once more, as it was changed.
    void save() {
        REQUIRE(store::save_profile(db(), profile_, collab::keys_of(profile_)).has_value());
    }

  private:
    Profile profile_;
};

}  // namespace a2h::test
