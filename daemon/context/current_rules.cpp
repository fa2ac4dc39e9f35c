#include "daemon/context/current_rules.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/log.h"

namespace a2h {
namespace {

decide::RuleSet rules_without_owners() {
    auto ours = decide::RuleSet::load({});
    A2H_CHECK(ours.has_value());
    return std::move(*ours);
}

}  // namespace

CurrentRules::CurrentRules(const control::Home& home, std::vector<std::string> chosen)
    : owners_file_(home.rules_file()),
      trades_{.chosen = std::move(chosen), .owners_folder = home.trades_dir()},
      rules_(rules_without_owners()) {
    if (const auto loaded = reload(); !loaded) {
        log::warning("The owner's rules are not used: " + problem_);
    }
}

Result<void> CurrentRules::reload() {
    auto loaded = decide::RuleSet::load(owners_file_, trades_);
    if (!loaded) {
        problem_ = loaded.error().message;
        return fail(std::move(loaded).error());
    }
    rules_ = std::move(*loaded);
    problem_.clear();
    return {};
}

void CurrentRules::choose(const std::vector<std::string>& trades) {
    if (trades == trades_.chosen) return;
    trades_.chosen = trades;
    if (const auto loaded = reload(); !loaded)
        log::warning("The trades set in the configuration are not used: " + problem_);
}

}  // namespace a2h
