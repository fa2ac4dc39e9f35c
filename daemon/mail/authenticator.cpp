#include "daemon/mail/authenticator.h"

#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/store/contact_store.h"
#include "core/store/inbox_store.h"
#include "core/store/refused_store.h"
#include "core/wire/canonical.h"
#include "core/wire/envelope.h"
#include "core/wire/json_member.h"
#include "daemon/consent/approvals.h"

namespace a2h::mail {
namespace {

/// The most remembered answers "unknown". When full, all are forgotten.
constexpr std::size_t kUnknownMax = 10'000;

std::string peer_of(const InboxMessage& message) {
    return message.agent_id + " " + message.sender_id;
}

struct Credential {
    bool is_signed = false;
    std::string key_id;
};

Credential credential_of(const InboxMessage& message) {
    const auto envelope = nlohmann::json::parse(message.envelope_json, nullptr, false);
    return {!wire::text_member(envelope, "sender_signature").empty(),
            wire::text_member(envelope, "sender_key_id")};
}

/// Both parts are ids of ours or of agents, which contain no space.
std::string claim_of(const InboxMessage& message, const Credential& credential) {
    return peer_of(message) + (credential.is_signed ? " signed " + credential.key_id : " unsigned");
}

}  // namespace

Authenticator::Authenticator(const kernel::Kernel& kernel, const Current<Config>& config,
                             KeyRing& key_ring, const outcome::Commits& commits)
    : kernel_(kernel), config_(config), key_ring_(key_ring), commits_(commits) {}

bool Authenticator::is_needed(const Agent& agent, const InboxMessage& message) const {
    if (message.provenance != Provenance::Unverified || !agent.platform) return false;
    const Credential credential = credential_of(message);
    const auto pinned = key_ring_.find(message.agent_id, message.sender_id);
    // If a key is pinned, no answer can make the message authentic; a request would be wasted.
    const bool is_pinned = !pinned || !pinned->public_key.empty();
    if (is_pinned && (!credential.is_signed || is_flooded(agent, message))) return false;
    return !is_unknown(peer_of(message)) && !is_unknown(claim_of(message, credential));
}

bool Authenticator::is_flooded(const Agent& agent, const InboxMessage& message) const {
    const auto arrivals = agent.unproved_arrivals.find(message.sender_id);
    const auto limit = static_cast<std::size_t>(config_->limits.messages_per_minute);
    return arrivals != agent.unproved_arrivals.end() && arrivals->second.size() >= limit;
}

bool Authenticator::is_unknown(const std::string& what) const {
    const auto unknown = unknown_until_.find(what);
    return unknown != unknown_until_.end() && unknown->second > kernel_.clock.steady_now();
}

Authenticator::Finding Authenticator::look_up(platform::Client& market, const Claim& claim) {
    Finding finding;
    const auto is_settled = [](const Error& error) {
        return error.code != ErrorCode::Unavailable && error.code != ErrorCode::Timeout;
    };
    if (claim.part.signature.empty()) {
        const auto vouched = market.vouch(claim.envelope_json);
        if (vouched) finding.provenance = *vouched ? Provenance::Vouched : Provenance::Forged;
        finding.settled = vouched || is_settled(vouched.error());
        return finding;
    }
    const auto record = market.fetch_agent(claim.sender_id);
    finding.settled = record || is_settled(record.error());
    if (!record) return finding;
    const auto check = wire::check_sender_signature(claim.part, record->key_id, record->public_key);
    if (check == wire::SignatureCheck::Invalid) finding.provenance = Provenance::Forged;
    if (check != wire::SignatureCheck::Valid) return finding;
    return {Provenance::Verified, true, record->key_id, record->public_key};
}

void Authenticator::ask_market(const Agent& agent, Claim claim,
                               std::function<void(const Finding&)> done) {
    platform::Client* market = agent.platform.get();
    kernel_.run_blocking<Finding>(
        [market, claim = std::move(claim)] { return look_up(*market, claim); }, std::move(done),
        [] {
            return Finding{Provenance::Unverified, false, {}, {}};
        });
}

void Authenticator::authenticate(const Agent& agent, const InboxMessage& message,
                                 std::function<void(Provenance)> done) {
    Claim claim{message.sender_id, {}, message.envelope_json};
    auto outcome = wire::parse_envelope(message.envelope_json, message.agent_id);
    if (outcome.parsed) claim.part = std::move(outcome.parsed->signed_part);
    ask_market(agent, std::move(claim),
               [this, message, done = std::move(done)](const Finding& finding) {
                   record(message, finding, done);
               });
}

void Authenticator::authenticate(const Agent& agent, const RefusedMail& mail) {
    const std::string peer = mail.agent_id + " " + mail.sender_id;
    const std::string claim = peer + " refused " + mail.signed_part.key_id;
    if (!agent.platform || is_unknown(peer) || is_unknown(claim)) return;
    ask_market(agent, {mail.sender_id, mail.signed_part, mail.envelope_json},
               [this, mail, peer, claim](const Finding& finding) {
                   if (finding.provenance == Provenance::Unverified)
                       return remember_unknown(peer, claim, finding.settled);
                   kernel_.write(
                       store::Writer::Priority::Grouped,
                       [mail, provenance = finding.provenance,
                        now_ms = kernel_.clock.now_ms()](store::Database& db) {
                           return store::set_refused_provenance(db, mail.agent_id, mail.sender_id,
                                                                mail.digest, provenance, now_ms);
                       },
                       [](const Result<void>&) {});
               });
}

/// If the market could not be reached, the answer is forgotten soon and applies to all messages of
/// the peer in the meantime, each of which would otherwise wait for the market. A settled "unknown"
/// applies to exactly what was asked.
void Authenticator::remember_unknown(const std::string& peer, const std::string& claim,
                                     bool is_settled) {
    if (unknown_until_.size() >= kUnknownMax) unknown_until_.clear();
    const std::chrono::seconds remember = is_settled ? kUnknownFor : kUnreachableFor;
    unknown_until_[is_settled ? claim : peer] = kernel_.clock.steady_now() + remember;
}

void Authenticator::record(const InboxMessage& message, const Finding& finding,
                           const std::function<void(Provenance)>& done) {
    if (finding.provenance == Provenance::Unverified) {
        remember_unknown(peer_of(message), claim_of(message, credential_of(message)),
                         finding.settled);
        done(Provenance::Unverified);
        return;
    }
    auto provenance = std::make_shared<Provenance>(finding.provenance);
    kernel_.write(
        store::Writer::Priority::Grouped,
        [this, message, finding, provenance](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(const auto trusted,
                                 trust_key(db, message, finding.key_id, finding.public_key));
            if (!trusted) *provenance = Provenance::Unverified;
            return store::set_inbox_provenance(db, message.id, *provenance);
        },
        [this, message, provenance, done](const Result<void>& stored) {
            key_ring_.forget(message.agent_id, message.sender_id);
            commits_.rows_written();
            // A forged message stays forged even if that could not be stored just now.
            const bool known = stored || *provenance == Provenance::Forged;
            done(known ? *provenance : Provenance::Unverified);
        });
}

Result<bool> Authenticator::trust_key(store::Database& db, const InboxMessage& message,
                                      const std::string& key_id,
                                      const std::string& public_key) const {
    if (public_key.empty()) return true;
    A2H_ASSIGN_OR_RETURN(const auto contact,
                         store::get_contact(db, message.agent_id, message.sender_id));
    const bool was_notified = contact && contact->key_changed;
    const auto pinned = store::pin_key(db, message.agent_id, message.sender_id, key_id, public_key);
    if (!pinned || *pinned || was_notified) return pinned;
    Notification news;
    news.agent_id = message.agent_id;
    news.kind = "key.changed";
    news.priority = Priority::High;
    news.body_json = wire::canonical_json(nlohmann::json{{"peer_id", message.sender_id}});
    A2H_TRY(consent::notify_human(db, news, config_->approval, kernel_.clock.now_ms()));
    return false;
}

}  // namespace a2h::mail
