// Leases: which of an agent's instances acts for it, so that two do not answer the same message.

#include <array>
#include <nlohmann/json.hpp>

#include "market/api/body.h"
#include "market/api/resources.h"
#include "market/broker/access.h"
#include "market/store/lease_store.h"

namespace a2h::market {
namespace {

using nlohmann::json;

/// Three heartbeats, which come every 5 s.
constexpr std::chrono::seconds kLeaseDuration{15};

UnixMs lease_end(const ApiParts& parts) {
    return parts.clock.now_ms() + std::chrono::milliseconds(kLeaseDuration).count();
}

/// Returns what `lease` means for the requesting instance. One published client stops listening
/// unless it reads `ok`, and shows `reason` as the cause.
json row_of(const Lease& lease, std::string_view instance_id, UnixMs now_ms) {
    const bool held = lease.lease_until_ms > now_ms;
    const bool leads = held && lease.instance_id == instance_id;
    return {{"role", leads ? "leader" : "follower"},
            {"epoch", lease.epoch},
            {"leaseUntil", lease.lease_until_ms},
            {"leaderInstanceId", held ? lease.instance_id : ""},
            {"ok", leads},
            {"reason", leads  ? ""
                       : held ? "another instance leads"
                              : "no instance leads"}};
}

Result<json> take(ApiParts& parts, const Call& call, bool force) {
    const Lease wanted{.instance_id = text_or(call.body, "instanceId"),
                       .client_id = text_or(call.body, "clientId"),
                       .lease_until_ms = lease_end(parts)};
    if (!wanted.client_id.empty() && agent_of_client_id(wanted.client_id) != call.caller.agent_id) {
        return fail(ErrorCode::PermissionDenied, "clientId is not one of yours");
    }
    const UnixMs now_ms = parts.clock.now_ms();
    A2H_ASSIGN_OR_RETURN(const auto lease,
                         parts.database.write_with(store::acquire_lease, call.caller.agent_id,
                                                   wanted, now_ms, force));
    return row_of(lease, wanted.instance_id, now_ms);
}

Result<json> acquire(ApiParts& parts, const Call& call) {
    return take(parts, call, call.body.value("forceTakeover", false));
}

Result<json> take_over(ApiParts& parts, const Call& call) {
    return take(parts, call, true);
}

Result<json> heartbeat(ApiParts& parts, const Call& call) {
    const auto instance_id = text_or(call.body, "instanceId");
    const std::int64_t epoch = integer_of(call.body, "epoch", 0);
    A2H_ASSIGN_OR_RETURN(const auto lease,
                         parts.database.write_with(store::extend_lease, call.caller.agent_id,
                                                   instance_id, epoch, lease_end(parts)));
    json row = row_of(lease, instance_id, parts.clock.now_ms());
    // The instance leads since, but not the process that still has the old epoch.
    if (row["ok"] == true && lease.epoch != epoch) {
        row.update({{"role", "follower"}, {"ok", false}, {"reason", "the epoch is out of date"}});
    }
    return row;
}

Result<json> show_status(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto lease,
                         parts.database.read_with(store::find_lease, call.caller.agent_id));
    json row = row_of(lease, text_or(call.query, "instanceId"), parts.clock.now_ms());
    row["myRole"] = row["role"];  // one published client reads this
    return row;
}

constexpr std::array kLeasesSchemas{
    NamedSchema{"Lease", R"({"type":"object","required":["role","epoch","leaseUntil",
        "leaderInstanceId","ok","reason"],"properties":{
        "role":{"type":"string","enum":["leader","follower"],
            "description":"role of the calling instance"},
        "epoch":{"type":"integer","description":"grows with every new leader"},
        "leaseUntil":{"type":"integer","description":"unix ms; of the leader's lease"},
        "leaderInstanceId":{"type":"string","description":"empty: there is no leader"},
        "ok":{"type":"boolean","description":"the role is leader"},
        "reason":{"type":"string","description":"why the role is not leader; empty if it is"}}})"},
    NamedSchema{"LeaseStatus", R"({"type":"object","required":["role","epoch","leaseUntil",
        "leaderInstanceId","ok","reason","myRole"],"properties":{
        "role":{"type":"string","enum":["leader","follower"],
            "description":"role of the calling instance"},
        "epoch":{"type":"integer","description":"grows with every new leader"},
        "leaseUntil":{"type":"integer","description":"unix ms; of the leader's lease"},
        "leaderInstanceId":{"type":"string","description":"empty: there is no leader"},
        "ok":{"type":"boolean","description":"the role is leader"},
        "reason":{"type":"string","description":"why the role is not leader; empty if it is"},
        "myRole":{"type":"string","enum":["leader","follower"],
            "description":"the same as role"}}})"},
    NamedSchema{"LeaseRequest", R"({"type":"object","required":["instanceId"],"properties":{
        "instanceId":{"type":"string","minLength":1,"maxLength":64},
        "clientId":{"type":"string","maxLength":160},
        "forceTakeover":{"type":"boolean"}}})"},
};

constexpr std::array kLeasesRoutes{
    Route{.method = "POST",
          .path = "/agent-service/api/v1/agent-runtime/lease/acquire",
          .form = Form::Flagged,
          .summary = "Acquires the lease of the agent, unless another instance holds it.",
          .body_schema = R"({"$ref":"#/components/schemas/LeaseRequest"})",
          .data_schema = R"({"$ref":"#/components/schemas/Lease"})",
          .handler = acquire},
    Route{.method = "POST",
          .path = "/agent-service/api/v1/agent-runtime/lease/heartbeat",
          .form = Form::Flagged,
          .summary = "Renews the lease for 15 s. Send it every 5 s.",
          .body_schema = R"({"type":"object","required":["instanceId","epoch"],"properties":{
            "instanceId":{"type":"string","minLength":1,"maxLength":64},
            "epoch":{"type":"integer","minimum":0,"maximum":9007199254740991}}})",
          .data_schema = R"({"$ref":"#/components/schemas/Lease"})",
          .handler = heartbeat},
    Route{.method = "POST",
          .path = "/agent-service/api/v1/agent-runtime/lease/takeover",
          .form = Form::Flagged,
          .summary = "Takes the lease from its present holder.",
          .body_schema = R"({"$ref":"#/components/schemas/LeaseRequest"})",
          .data_schema = R"({"$ref":"#/components/schemas/Lease"})",
          .handler = take_over},
    Route{.method = "GET",
          .path = "/agent-service/api/v1/agent-runtime/lease/status",
          .form = Form::Flagged,
          .summary = "Returns the instance that holds the lease of the agent.",
          .query_schema = R"({"type":"object","properties":{
            "instanceId":{"type":"string","maxLength":64}}})",
          .data_schema = R"({"$ref":"#/components/schemas/LeaseStatus"})",
          .handler = show_status},
};

}  // namespace

Resource lease_resource() {
    return {"leases", kLeasesRoutes, kLeasesSchemas};
}

}  // namespace a2h::market
