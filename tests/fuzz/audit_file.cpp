#include "core/wire/audit_file.h"

#include "core/base/check.h"
#include "tests/fuzz/targets.h"

namespace a2h::fuzz {

/// An exported audit: it is whole, or the first line that is wrong is named.
void audit_file(std::string_view input) {
    wire::AuditCheck check;
    while (!input.empty()) {
        const std::size_t end = input.find('\n');
        if (const auto taken = check.take(input.substr(0, end)); !taken) {
            A2H_CHECK(taken.error().code == ErrorCode::Corrupt && !taken.error().message.empty());
            return;
        }
        input.remove_prefix(end == std::string_view::npos ? input.size() : end + 1);
    }
    const auto rows = check.finish();
    A2H_CHECK(rows ? *rows >= 0 : rows.error().code == ErrorCode::Corrupt);
}

}  // namespace a2h::fuzz
