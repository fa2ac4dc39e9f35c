#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "core/domain/message.h"
#include "daemon/config/current.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/kernel.h"
#include "daemon/mail/key_ring.h"
#include "daemon/mail/receiver.h"
#include "daemon/outcome/commits.h"

namespace a2h::mail {

/// Finds the sender of messages that the receive callback could not verify: compares a first key
/// with the market's record and pins it, or asks the market to confirm a message without a
/// signature. A key other than the pinned one is never trusted: the message stays unverified and
/// the human is notified, once. An unsigned message in the name of a peer whose key is pinned is
/// not confirmed, because the peer would have signed it.
///
/// An answer "unknown" is remembered for `kUnknownFor`, so that a peer of a platform without these
/// look-ups costs one request and not one for each message. It is remembered together with the
/// message's signing key, so that what others send in the peer's name says nothing about the peer
/// (R49).
///
/// Thread:  the loop; the requests run on workers.
class Authenticator {
  public:
    static constexpr std::chrono::minutes kUnknownFor{10};
    static constexpr std::chrono::seconds kUnreachableFor{5};

    Authenticator(const kernel::Kernel& kernel, const Current<Config>& config, KeyRing& key_ring,
                  const outcome::Commits& commits);

    /// True if `message` has to wait for `authenticate`.
    bool is_needed(const Agent& agent, const InboxMessage& message) const;

    /// Looks `message` up, stores its provenance (and the pinned key), and passes the provenance to
    /// `done` on the loop; Unverified if it is unknown.
    void authenticate(const Agent& agent, const InboxMessage& message,
                      std::function<void(Provenance)> done);

    /// Looks the sender of a refused message up, and stores its provenance. Pins no key.
    void authenticate(const Agent& agent, const RefusedMail& mail);

  private:
    struct Finding {
        Provenance provenance = Provenance::Unverified;
        bool settled = true;  ///< false: the market could not be asked; try again next time
        std::string key_id;   ///< not empty: pin this key
        std::string public_key;
    };
    /// A message in the name of `sender_id`, and what is signed of it.
    struct Claim {
        std::string sender_id;
        wire::SignedPart part;
        std::string envelope_json;
    };
    /// Thread:  a worker.
    static Finding look_up(platform::Client& market, const Claim& claim);
    void ask_market(const Agent& agent, Claim claim, std::function<void(const Finding&)> done);
    /// More messages arrived in the sender's name within a minute than are read, and they could not
    /// be verified.
    bool is_flooded(const Agent& agent, const InboxMessage& message) const;
    bool is_unknown(const std::string& what) const;
    void remember_unknown(const std::string& peer, const std::string& claim, bool is_settled);
    void record(const InboxMessage& message, const Finding& finding,
                const std::function<void(Provenance)>& done);

    /// Pins a first key. False if another key is pinned; the human is then notified.
    ///
    /// Errors:  those of the database.
    /// Thread:  the store writer.
    Result<bool> trust_key(store::Database& db, const InboxMessage& message,
                           const std::string& key_id, const std::string& public_key) const;

    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    KeyRing& key_ring_;
    const outcome::Commits& commits_;
    std::unordered_map<std::string, std::chrono::steady_clock::time_point> unknown_until_;
};

}  // namespace a2h::mail
