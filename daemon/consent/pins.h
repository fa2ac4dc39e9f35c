#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "core/base/guarded.h"
#include "daemon/consent/approvals.h"

namespace a2h::consent {

/// The PINs of all people, as Argon2id hashes of home/human.json. A PIN proves only its own person.
///
/// Thread:  any.
class Pins {
  public:
    using Hashes = std::map<std::string, std::string>;  ///< keyed by person

    explicit Pins(Hashes hashes) : hashes_(std::move(hashes)) {}

    /// Whether `pin` is the PIN of `person`. Slow (Argon2id) unless they have none.
    ///
    /// Thread:  a worker.
    ProofState check(std::string_view person, std::string_view pin) const;
    bool has(std::string_view person) const;
    void set(const std::string& person, std::string hash);
    Hashes hashes() const;

  private:
    Guarded<Hashes> hashes_;
};

/// Stores a person's new PIN in `human_file`, and then in `pins`. `owner` is the name of the owner.
///
/// Errors:  those of `platform::replace_human`.
/// Thread:  the store writer, so that calls do not overlap.
Result<void> save_pin(const std::filesystem::path& human_file, Pins& pins,
                      const HumanSecrets& secrets, const std::string& owner,
                      const std::string& person, const std::string& hash);

}  // namespace a2h::consent
