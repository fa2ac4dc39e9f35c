#include "daemon/config/changes.h"

#include <algorithm>

#include "daemon/config/option.h"

namespace a2h::config {
namespace {

template <typename Target>
bool are_same(const std::vector<Target>& a, const std::vector<Target>& b,
              std::span<const OptionOf<Target>> rows) {
    const auto same = [&](const Target& one, const Target& other) {
        return std::all_of(rows.begin(), rows.end(), [&](const OptionOf<Target>& option) {
            return option.get(one) == option.get(other);
        });
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

void keep(const Loaded& running, Loaded& next, const Option& option) {
    option.set(next.config, option.get(running.config));
    next.origins.erase(std::string(option.name));
    const Origin origin = origin_of(running.origins, option.name);
    if (origin.kind != Origin::Kind::Default) next.origins[std::string(option.name)] = origin;
}

}  // namespace

Result<Changes> take_over(const Loaded& running, Loaded& next) {
    const consent::Policy& before = running.config.approval;
    const consent::Policy& after = next.config.approval;
    if (owner_of(before.people) != owner_of(after.people)) {
        return fail(ErrorCode::Conflict, "the owner would be " + owner_of(after.people) +
                                             " instead of " + owner_of(before.people) +
                                             ", which needs a restart");
    }
    Changes changes;
    for (const Option& option : options()) {
        if (option.get(running.config) == option.get(next.config)) continue;
        const bool restart = option.effect == Effect::Restart;
        (restart ? changes.need_restart : changes.taken).emplace_back(option.name);
        if (restart) keep(running, next, option);
    }
    if (!are_same(before.people, after.people, person_options()))
        changes.taken.emplace_back("person");
    if (running.config.notify.configured != next.config.notify.configured)
        changes.taken.emplace_back("channel");
    if (!are_same(before.rules, after.rules, rule_options()))
        changes.taken.emplace_back("approval_rule");
    return changes;
}

}  // namespace a2h::config
