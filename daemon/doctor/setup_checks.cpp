// The owner's settings: configuration, rules, people and their channels.

#include <algorithm>

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/store/health.h"
#include "daemon/doctor/facts.h"

namespace a2h::doctor {
namespace {

Findings check_config(const Facts& facts) {
    const auto read = load_config(facts.home.home.config_file());
    if (read) return {say(facts, State::Ok, "config_ok")};
    return {say(facts, State::Failed, "config_wrong", {{"why", read.error().message}})};
}

Findings check_playbook(const Facts& facts) {
    if (facts.rules_problem.empty()) return {say(facts, State::Ok, "playbook_ok")};
    return {say(facts, State::Failed, "playbook_wrong", {{"why", facts.rules_problem}})};
}

/// Without a review, anybody who writes to an assistant can dictate what it says.
Findings check_send(const Facts& facts) {
    const auto read = load_config(facts.home.home.config_file());
    const bool is_open = read && read->assistant_words == AssistantWords::Open;
    return {is_open ? say(facts, State::Warning, "send_open") : say(facts, State::Ok, "send_ok")};
}

Findings check_page(const Facts& facts) {
    if (!facts.serves) return {say(facts, State::NotChecked, "page_not_asked")};
    if (facts.page_problem.empty()) return {say(facts, State::Ok, "page_ok")};
    return {say(facts, State::Failed, "page_not_served", {{"why", facts.page_problem}})};
}

/// The results of the last notification on each channel. `--notify` tests whether they work now.
Findings check_deliveries(const Facts& facts) {
    const auto reader =
        store::Database::open(facts.home.home.database_file(), store::Database::Mode::ReadOnly);
    const auto last = reader ? store::last_deliveries(**reader)
                             : Result<std::vector<store::LastDelivery>>(fail(reader.error()));
    if (!last) return {say(facts, State::NotChecked, "deliveries_unknown")};
    Findings findings;
    for (const store::LastDelivery& one : *last) {
        const bool used = std::find(facts.channels.begin(), facts.channels.end(), one.channel) !=
                          facts.channels.end();
        if (!used || one.state == "delivered" || one.state == "skipped") continue;
        findings.push_back(say(facts, State::Warning, "delivery_failed",
                               {{"channel", one.channel},
                                {"at", to_local_time(one.at_ms)},
                                {"why", preview(printable(one.outcome))}},
                               one.channel));
    }
    if (findings.empty()) findings.push_back(say(facts, State::Ok, "deliveries_ok"));
    return findings;
}

constexpr Check kSetupChecks[] = {
    {"config", check_config}, {"playbook", check_playbook},     {"send", check_send},
    {"page", check_page},     {"deliveries", check_deliveries},
};

}  // namespace

std::span<const Check> setup_checks() {
    return kSetupChecks;
}

}  // namespace a2h::doctor
