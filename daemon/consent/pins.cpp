#include "daemon/consent/pins.h"

#include "core/platform/identity.h"
#include "core/wire/crypto.h"

namespace a2h::consent {

ProofState Pins::check(std::string_view person, std::string_view pin) const {
    const std::string hash = hashes_.with([&](const Hashes& hashes) {
        const auto found = hashes.find(std::string(person));
        return found == hashes.end() ? std::string() : found->second;
    });
    if (hash.empty()) return ProofState::NotSet;
    return !pin.empty() && wire::verify_pin(hash, pin) ? ProofState::Valid : ProofState::Wrong;
}

bool Pins::has(std::string_view person) const {
    return hashes_.with([&](const Hashes& hashes) {
        const auto found = hashes.find(std::string(person));
        return found != hashes.end() && !found->second.empty();
    });
}

void Pins::set(const std::string& person, std::string hash) {
    hashes_.with([&](Hashes& hashes) { hashes[person] = std::move(hash); });
}

Pins::Hashes Pins::hashes() const {
    return hashes_.with([](const Hashes& hashes) { return hashes; });
}

Result<void> save_pin(const std::filesystem::path& human_file, Pins& pins,
                      const HumanSecrets& secrets, const std::string& owner,
                      const std::string& person, const std::string& hash) {
    platform::HumanIdentity human{{}, secrets.link_key, pins.hashes()};
    human.people[person] = hash;
    human.pin_hash = human.people[owner];
    human.people.erase(owner);
    A2H_TRY(platform::replace_human(human_file, human));
    pins.set(person, hash);
    return {};
}

}  // namespace a2h::consent
