#include "daemon/leading/lease_answer.h"

#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/wire/json_member.h"

namespace a2h::leading {

using nlohmann::json;

Result<LeaseAnswer> read_lease(const json& data) {
    const json& epoch = wire::member(data, "epoch");
    if (!epoch.is_number_integer()) return fail(ErrorCode::Corrupt, "the lease has no epoch");
    return LeaseAnswer{wire::text_member(data, "role") == "leader", epoch.get<std::int64_t>(),
                       wire::text_member(data, "leaderInstanceId")};
}

}  // namespace a2h::leading
