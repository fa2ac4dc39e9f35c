#include "daemon/decide/rules.h"

#include "core/base/check.h"
#include "core/base/text.h"
#include "tests/fuzz/targets.h"

namespace a2h::fuzz {

/// The rules and words of an owner.
void rules(std::string_view input) {
    const auto read = decide::RuleSet::with_owners(input, "owner.toml");
    if (!read) {
        A2H_CHECK(read.error().code == ErrorCode::InvalidArgument ||
                  read.error().code == ErrorCode::ResourceExhausted);
        A2H_CHECK(is_utf8(read.error().message) && !read.error().message.empty());
        return;
    }
    A2H_CHECK(read->owners_rule_count() <= decide::RuleSet::kOwnersRulesMax);
    const auto again = decide::RuleSet::with_owners(input, "owner.toml");
    A2H_CHECK(again && again->version() == read->version());
}

}  // namespace a2h::fuzz
