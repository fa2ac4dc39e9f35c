#include <nlohmann/json.hpp>

#include "core/store/approval_store.h"
#include "core/wire/audit_file.h"
#include "daemon/kernel/kernel.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

struct AuditParts {
    const kernel::Kernel& kernel;
};

constexpr int kRowsMax = 500;
constexpr std::size_t kBytesMax = 1024 * 1024;

Result<json> handle_audit_export(const AuditParts& parts, const Call& call) {
    const std::int64_t after = call.arguments.value("after_row", std::int64_t{0});
    A2H_ASSIGN_OR_RETURN(const auto rows,
                         store::audit_rows_after(parts.kernel.reader, after, kRowsMax));
    json lines = json::array();
    std::size_t bytes = 0;
    std::size_t taken = 0;
    while (taken < rows.size() && bytes < kBytesMax) {
        std::string line = wire::audit_line(rows[taken++]);
        bytes += line.size();
        lines.push_back(std::move(line));
    }
    const bool cut = taken < rows.size() || static_cast<int>(rows.size()) == kRowsMax;
    json data{{"lines", std::move(lines)}, {"last_row", after}, {"more", cut}};
    if (taken > 0) {
        data["last_row"] = rows[taken - 1].id;
        data["last_hash"] = rows[taken - 1].hash;
    }
    return data;
}

}  // namespace

void add_audit(Table& table, const AllParts& all) {
    const AuditParts parts{all.kernel};
    table.add("audit.export", with(parts, handle_audit_export));
}

}  // namespace a2h::operations
