#include "daemon/consent/pins.h"

#include "core/wire/crypto.h"

namespace a2h::approvals {

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

}  // namespace a2h::approvals
