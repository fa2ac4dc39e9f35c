#include <doctest/doctest.h>

#include "daemon/decide/decision.h"
#include "daemon/decide/rules.h"
#include "embedded/playbooks.h"

TEST_CASE("the embedded playbook is read") {
    const auto rules =
        a2h::decide::RuleSet::parse(a2h::embedded::playbooks("rules.toml").value(), "rules.toml");
    REQUIRE_MESSAGE(rules.has_value(), (rules.has_value() ? "" : rules.error().message));
}
