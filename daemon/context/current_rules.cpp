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

CurrentRules::CurrentRules(std::filesystem::path owners_file)
    : owners_file_(std::move(owners_file)), rules_(rules_without_owners()) {
    if (const auto loaded = reload(); !loaded) {
        log::warning("The owner's rules are not used: " + problem_);
    }
}

Result<void> CurrentRules::reload() {
    auto loaded = decide::RuleSet::load(owners_file_);
    if (!loaded) {
        problem_ = loaded.error().message;
        return fail(std::move(loaded).error());
    }
    rules_ = std::move(*loaded);
    problem_.clear();
    return {};
}

}  // namespace a2h
