#include "daemon/collab/matter.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/store/invitation_store.h"
#include "core/store/listing_store.h"
#include "core/wire/json_member.h"
#include "daemon/collab/left_out.h"
#include "daemon/collab/steps.h"
#include "daemon/consent/matters.h"
#include "daemon/consent/open_matters.h"

namespace a2h::collab {
namespace {

/// An assistant, or the owner, has answered an invitation or a plan.
constexpr std::string_view kInvitedCauses[] = {"tool:negotiation", "hand:negotiation"};

/// A negotiation of ours.
class OwnNegotiation final : public consent::Matter {
  public:
    explicit OwnNegotiation(store::Between about) : about_(std::move(about)) {}

    Result<bool> is_other_open(store::Database& db,
                               const std::vector<std::string>& home) const override {
        return is_open_beside(db, home, about_);
    }

  private:
    store::Between about_;
};

/// An invitation that an assistant or the owner answers.
class Answered final : public consent::Matter {
  public:
    explicit Answered(store::Between about) : about_(std::move(about)) {}

    Result<bool> is_other_open(store::Database& db,
                               const std::vector<std::string>& home) const override {
        for (const std::string& agent_id : home) {
            const store::Between between =
                agent_id == about_.agent_id
                    ? about_
                    : store::Between{.agent_id = agent_id, .peer_id = about_.peer_id};
            A2H_ASSIGN_OR_RETURN(const auto listings, store::list_listings(db, agent_id));
            A2H_ASSIGN_OR_RETURN(const auto open, consent::is_open(db, between, listings));
            if (open) return true;
        }
        return false;
    }

  private:
    store::Between about_;
};

/// An invitation that a mandate answers.
class AnsweredByMandate final : public consent::Matter {
  public:
    AnsweredByMandate(Approval yes, std::string channel_id)
        : yes_(std::move(yes)), channel_id_(std::move(channel_id)) {}

    Result<bool> has_ended(store::Database& db) const override {
        A2H_ASSIGN_OR_RETURN(const auto invitation,
                             store::find_invitation(db, yes_.agent_id, channel_id_));
        return !invitation || invitation->state == InvitationState::Ended;
    }
    Result<bool> is_other_open(store::Database& db,
                               const std::vector<std::string>&) const override {
        return consent::is_other_open(db, yes_);
    }

  private:
    Approval yes_;
    std::string channel_id_;
};

Result<consent::MatterPtr> find_matter(store::Database&, const OutboxMessage& message,
                                       const Approval* yes) {
    store::Between about{.agent_id = message.agent_id, .peer_id = message.target_id};
    if (message.cause.starts_with(kNegotiationCause)) {
        about.negotiation_id = message.cause.substr(kNegotiationCause.size());
        return consent::MatterPtr(std::make_shared<OwnNegotiation>(std::move(about)));
    }
    const auto payload = nlohmann::json::parse(message.payload_json, nullptr, false);
    const std::string channel_id = wire::text_member(payload, "channel_id");
    if (channel_id.empty()) return consent::MatterPtr();
    if (yes != nullptr)
        return consent::MatterPtr(std::make_shared<AnsweredByMandate>(*yes, channel_id));
    const bool is_answer = std::find(std::begin(kInvitedCauses), std::end(kInvitedCauses),
                                     message.cause) != std::end(kInvitedCauses);
    if (!is_answer) return consent::MatterPtr();
    about.negotiation_id = channel_id;
    about.for_mandate = true;
    return consent::MatterPtr(std::make_shared<Answered>(std::move(about)));
}

}  // namespace

void register_matter() {
    consent::register_matter(find_matter);
}

}  // namespace a2h::collab
