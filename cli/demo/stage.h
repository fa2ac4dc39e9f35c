#pragma once

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/demo/phone.h"
#include "cli/demo/place.h"
#include "core/platform/identity.h"

namespace a2h::cli {

/// A place with a seller and a buyer. Everything is set up as their owners would do it: `a2h init`,
/// settings files, listings published with the seller's own keys.
class Stage {
  public:
    /// For `supervisor` see `Place`.
    Stage(const Invocation& invocation, Supervisor& supervisor);

    /// Errors:  those of `Place::open`, and Unavailable for what did not start.
    Result<void> set_up();

    Place& place() { return place_; }
    /// The invocations of the two owners.
    const Invocation& seller() const { return seller_; }
    const Invocation& buyer() const { return buyer_; }
    const std::string& seller_id() const { return seller_id_; }
    const std::string& buyer_id() const { return buyer_id_; }
    Phone& phone() { return *phone_; }

  private:
    Result<void> publish_listings(const platform::AgentIdentity& seller);

    // Declared before `place_`, so that the programs of the place end first.
    std::unique_ptr<Phone> phone_;
    Place place_;
    Invocation seller_;
    Invocation buyer_;
    std::string seller_id_;
    std::string buyer_id_;
};

}  // namespace a2h::cli
