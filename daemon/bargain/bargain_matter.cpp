#include "daemon/bargain/bargain_matter.h"

#include <string>
#include <string_view>
#include <utility>

#include "core/domain/permit.h"
#include "core/store/bargain_store.h"
#include "core/wire/payload.h"
#include "daemon/bargain/bargaining.h"
#include "daemon/consent/causes.h"
#include "daemon/consent/late_yes.h"

namespace a2h::bargain {
namespace {

class BargainMatter final : public consent::Matter {
  public:
    BargainMatter(Bargain bargain, const Approval* yes) : bargain_(std::move(bargain)) {
        if (yes != nullptr) yes_ = *yes;
    }

    Result<bool> is_other_open(store::Database& db,
                               const std::vector<std::string>&) const override {
        return bargain::is_other_open(db, bargain_, yes_ ? &*yes_ : nullptr);
    }
    std::optional<Subject> subject() const override {
        if (!yes_) return std::nullopt;  // a farewell commits to nothing
        return Subject{bargain_.agent_id, bargain_.peer_id, bargain_.works_id};
    }
    Result<bool> says_the_same(store::Database& db,
                               const std::string& listing_digest) const override {
        return bargain::says_the_same(db, bargain_, listing_digest);
    }
    Result<void> hand_over(store::Database& db) const override {
        Bargain left = bargain_;
        left.state = "handed_over";
        left.close_at_ms = 0;
        return store::update_bargain(db, left);
    }

  private:
    Bargain bargain_;
    std::optional<Approval> yes_;
};

}  // namespace

Result<consent::MatterPtr> find_matter(store::Database& db, const OutboxMessage& message,
                                       const Approval* yes) {
    const consent::Claim claim = consent::claim_of(message.cause);
    const bool is_of_mandate = yes != nullptr || claim.right == Right::Mandate;
    if (!is_of_mandate) return consent::MatterPtr();
    const std::string mandate_id =
        yes != nullptr ? consent::mandate_of(*yes) : std::string(claim.id);
    const std::string works_id = wire::view_payload(message.payload_json).works_id;
    A2H_ASSIGN_OR_RETURN(auto found,
                         store::find_bargain(db, mandate_id, message.target_id, works_id));
    if (!found) return consent::MatterPtr();
    return consent::MatterPtr(std::make_shared<BargainMatter>(std::move(*found), yes));
}

Result<std::vector<std::string>> steps_heard(store::Database& db, const std::string& agent_id,
                                             const std::string& peer_id) {
    return store::moves_heard(db, agent_id, peer_id);
}

Result<UnixMs> last_agreed_ms(store::Database& db, const consent::Subject& subject) {
    return store::last_bargain_agreed_ms(db, subject.agent_id, subject.peer_id, subject.works_id);
}

}  // namespace a2h::bargain
