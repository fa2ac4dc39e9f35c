#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/store/profile_store.h"
#include "daemon/demand/words.h"
#include "tests/unit/store/store_fixture.h"

namespace a2h::test {

/// A database with the profiles that a test adds.
class ProfileFixture : public StoreFixture {
  public:
    Profile& add(const std::string& agent_id, std::vector<std::string> tags,
                 const std::string& location = "") {
        profile_ = {};
        profile_.agent_id = agent_id;
        profile_.source = "import";
        profile_.user_name = "Name of " + agent_id;
        profile_.tags = std::move(tags);
        profile_.location = location;
        save();
        return profile_;
    }
    /// The last one once more, as it was changed.
    void save() {
        REQUIRE(store::save_profile(db(), profile_, demand::keys_of(profile_)).has_value());
    }

  private:
    Profile profile_;
};

}  // namespace a2h::test
