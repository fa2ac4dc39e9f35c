#include "daemon/agents/resident_delivery.h"

#include <functional>
#include <utility>

#include "daemon/agents/home_delivery.h"

namespace a2h::agents {

/// A message on its way between two mailboxes of this home.
class ResidentDelivery::HandOver final : public outcome::Delivery::Passage {
  public:
    HandOver(const ResidentDelivery& by, HomeDelivery delivery, UnixMs now_ms)
        : by_(by), delivery_(std::move(delivery)), now_ms_(now_ms) {}

    Result<void> write(store::Database& db, std::int64_t outbox_id) override {
        delivery_.message.id = outbox_id;
        A2H_ASSIGN_OR_RETURN(const auto delivered, deliver_at_home(db, delivery_, now_ms_));
        if (!delivered) return {};
        A2H_ASSIGN_OR_RETURN(auto taken, by_.own_mail_.take_at_home(db, delivery_.arrival));
        after_ = std::move(taken);
        return {};
    }

    void written() override {
        by_.metrics_.sent_at_home.add();
        if (after_) {
            after_();
        } else if (delivery_.arrival.id != 0) {
            by_.commits_.delivered(delivery_.arrival);
        }
    }

  private:
    const ResidentDelivery& by_;
    HomeDelivery delivery_;
    const UnixMs now_ms_;
    std::function<void()> after_;  ///< run by the receiving side; empty if it has nothing to do
};

ResidentDelivery::ResidentDelivery(const kernel::Kernel& kernel, kernel::Metrics& metrics,
                                   const Agents& agents, const Residents& residents,
                                   const outcome::OwnMailTable& own_mail,
                                   const outcome::Commits& commits)
    : kernel_(kernel),
      metrics_(metrics),
      agents_(agents),
      residents_(residents),
      own_mail_(own_mail),
      commits_(commits) {}

ResidentDelivery::Target ResidentDelivery::find(const std::string& target_id) const {
    if (residents_.is_stopped(target_id)) return Target::Stopped;
    return residents_.is_ours(target_id) ? Target::Open : Target::Unknown;
}

Result<std::shared_ptr<outcome::Delivery::Passage>> ResidentDelivery::begin(
    const OutboxMessage& message, const std::string& envelope) const {
    const UnixMs now_ms = kernel_.clock.now_ms();
    A2H_ASSIGN_OR_RETURN(auto delivery, new_home_delivery(message, envelope, now_ms));
    const wire::KeyPair& keys = agents_.at(message.agent_id)->identity.account.keys.key_pair;
    delivery.sender_role = residents_.role_of(message.agent_id);
    delivery.sender_key_id = keys.key_id;
    delivery.sender_public_key = keys.public_key;
    return std::shared_ptr<Passage>(std::make_shared<HandOver>(*this, std::move(delivery), now_ms));
}

}  // namespace a2h::agents
