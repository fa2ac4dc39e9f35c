#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/demo/cast.h"
#include "cli/demo/phone.h"
#include "cli/demo/place.h"

namespace a2h::cli {

/// A place with a requester and everybody whose profile is at its market: an owner with an a2hd for
/// each of the cast, and one a2hd that declines for all others, so that every invited agent
/// answers.
class Town {
  public:
    /// One of the cast with a home.
    struct Owner {
        Character character;
        Invocation home;
        std::string agent_id;
        const std::string& name() const { return character.person.name; }
    };

    /// `supervisor` as for `Place`.
    Town(const Invocation& invocation, Supervisor& supervisor);

    /// Starts everything, publishes all profiles and gives the mandates; `tell` gets a line after
    /// each part.
    ///
    /// Errors:  those of `Place::open`, and Unavailable for what did not start or was refused.
    Result<void> set_up(const std::function<void(const std::string&)>& tell);

    Place& place() { return place_; }
    const Invocation& requester() const { return requester_; }
    const std::string& requester_id() const { return requester_id_; }
    const std::vector<Owner>& owners() const { return owners_; }
    std::size_t people() const { return owners_.size() + other_ids_.size(); }
    std::size_t others() const { return other_ids_.size(); }
    /// The phone of the owners without a mandate.
    Phone& phone() { return *phone_; }

  private:
    Result<void> settle(Character character);
    Result<void> settle_others(const std::vector<Person>& people);
    Result<void> wait_for_all();
    Result<void> give_mandate(const Owner& owner) const;
    std::string settings_of(const Character& character) const;

    std::unique_ptr<Phone> phone_;  // the place is destroyed first, with its programs
    Place place_;
    Invocation requester_;
    std::string requester_id_;
    std::vector<Owner> owners_;
    Invocation others_;
    std::vector<std::string> other_ids_;
};

}  // namespace a2h::cli
