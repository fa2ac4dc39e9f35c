#include "cli/demo/town.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "cli/daemon_call.h"
#include "cli/demo/asking.h"
#include "cli/demo/demo_hand.h"
#include "core/base/clock.h"
#include "core/http/client.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

constexpr int kPeople = 100;
/// Uses of a mandate; more than one, so that the user can start further negotiations.
constexpr int kUsesPerDay = 20;

std::string toml_text(const std::string& text) {
    return json(text).dump();  // a basic string of TOML is written like one of JSON
}

/// Publishes as its owner would, with the agent's own keys.
Result<void> publish(const platform::AgentIdentity& identity, const Person& person) {
    http::Client http(http::Client::Options{});
    const SystemClock clock;
    platform::Client market(http, clock, identity.account);
    return DemoHand::write(market, {.method = "PUT",
                                    .path = "/v1/agents/" + identity.account.agent_id + "/profile",
                                    .body = person.profile_json});
}

}  // namespace

Town::Town(const Invocation& invocation, Supervisor& supervisor) : place_(invocation, supervisor) {}

Result<void> Town::set_up(const std::function<void(const std::string&)>& tell) {
    A2H_ASSIGN_OR_RETURN(auto phone, Phone::start(wire::new_token()));
    phone_ = std::move(phone);
    A2H_TRY(place_.open());
    requester_ = place_.owner_at("requester");
    A2H_ASSIGN_OR_RETURN(const auto requester,
                         place_.make_owner(requester_, place_.text("demo.requester"), kTellNobody));
    requester_id_ = requester.account.agent_id;
    A2H_TRY(place_.start_daemon(requester_, "a2hd (requester)"));
    A2H_TRY(place_.wait_connected(requester_, "a2hd (requester)"));
    const json made = look(requester_, "profile.generate",
                           {{"count", kPeople}, {"seed", party_seed(place_.language())}});
    if (!made.is_object()) return fail(ErrorCode::Unavailable, place_.text("demo.no_profiles"));
    Cast cast = cast_for_party(made.value("profiles", json::array()), place_.language());
    const std::size_t count = cast.called.size() + cast.others.size();
    tell(place_.text("demo.town_open", {{"count", std::to_string(count)}}));
    for (Character& character : cast.called)
        A2H_TRY(settle(std::move(character)));
    A2H_TRY(settle_others(cast.others));
    tell(place_.text("demo.town_published"));
    return wait_for_all();
}

std::string Town::settings_of(const Character& character) const {
    const std::string notify =
        character.takes_part() ? phone_->settings() : std::string(kTellNobody);
    const std::string negotiation =
        "[negotiation]\ndisplay_name = " + toml_text(character.person.name) + "\n";
    if (!character.takes_part()) return notify + negotiation + "invitations = \"decline\"\n";
    return notify + negotiation + "contribution = " + toml_text(character.contribution) +
           "\nprice_minor = " + std::to_string(character.price_minor) + "\ncurrency = \"CNY\"\n";
}

Result<void> Town::settle(Character character) {
    A2H_TRY(place_.look_up());
    Owner owner;
    owner.home = place_.owner_at("owner" + std::to_string(owners_.size() + 1));
    owner.character = std::move(character);
    A2H_ASSIGN_OR_RETURN(const auto identity,
                         place_.make_owner(owner.home, owner.name(), settings_of(owner.character)));
    owner.agent_id = identity.account.agent_id;
    A2H_TRY(publish(identity, owner.character.person));
    A2H_TRY(place_.start_daemon(owner.home, "a2hd (" + owner.name() + ")"));
    owners_.push_back(std::move(owner));
    return {};
}

Result<void> Town::settle_others(const std::vector<Person>& people) {
    others_ = place_.owner_at("others");
    for (const Person& person : people) {
        A2H_TRY(place_.look_up());
        A2H_ASSIGN_OR_RETURN(
            const auto identity,
            other_ids_.empty() ? place_.make_owner(others_, person.name,
                                                   std::string(kTellNobody) +
                                                       "[negotiation]\ninvitations = \"decline\"\n")
                               : place_.add_agent(others_, person.name));
        A2H_TRY(publish(identity, person));
        other_ids_.push_back(identity.account.agent_id);
    }
    if (other_ids_.empty()) return {};
    return place_.start_daemon(others_, "a2hd (others)");
}

Result<void> Town::wait_for_all() {
    for (const Owner& owner : owners_) {
        A2H_TRY(place_.wait_connected(owner.home, "a2hd (" + owner.name() + ")"));
        if (owner.character.has_mandate) A2H_TRY(give_mandate(owner));
    }
    for (const std::string& id : other_ids_) {
        others_.values["--agent"] = id;
        A2H_TRY(place_.wait_connected(others_, "a2hd (others)"));
    }
    return {};
}

Result<void> Town::give_mandate(const Owner& owner) const {
    json params{{"action", "demand.join"},
                {"currency", "CNY"},
                {"count_per_day", kUsesPerDay},
                {"pin", kDemoPin}};
    if (owner.character.price_minor > 0) params["amount_from_minor"] = owner.character.price_minor;
    const auto given = call_daemon(owner.home, "mandate.give", std::move(params), nothing_to_show);
    if (const auto* refused = std::get_if<Failure>(&given))
        return fail(ErrorCode::Unavailable, refused->message);
    return {};
}

}  // namespace a2h::cli
