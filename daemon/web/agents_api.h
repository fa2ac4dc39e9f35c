#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/http/server.h"

namespace a2h::web {

/// The agents that can be invited to a negotiation, for programs: the management of agents
/// in the negotiation specification.
///   GET  /api/v1/agents?tag=&source=&after=&limit=   a page of profiles, the market's read again
///   GET  /api/v1/agents/{agent_id}                   one of them, as last read
///   PUT  /api/v1/agents/{agent_id}                   imports or replaces one
///   POST /api/v1/agents/import                       imports a list, completely or not at all
///   POST /api/v1/agents/generate                     creates profiles for a trial, imports nothing
///   POST /api/v1/agents/reset                        removes the imported ones
/// An unknown agent is E008. The caller checks who may use it.
///
/// Thread:  any.
/// Source:  sections 2.1, 4.5.1 and 6.1 of the negotiation specification. It gives neither paths
/// nor
///          bodies: the paths are ours, and a profile has the members of the specification.
class AgentsApi {
  public:
    /// The result (R16) of an operation, called in the human's name. May block up to 5 s.
    using Operate =
        std::function<Result<std::string>(std::string_view action, std::string arguments_json)>;
    /// A known profile as `profile.list` shows it.
    ///
    /// Errors:  NotFound.
    using ProfileOf = std::function<Result<nlohmann::json>(std::string_view agent_id)>;

    AgentsApi(Operate call, ProfileOf profile_of)
        : call_(std::move(call)), profile_of_(std::move(profile_of)) {}

    http::Response list(const http::Request& request);
    http::Response show(std::string_view agent_id);
    http::Response put(const http::Request& request, std::string_view agent_id);
    http::Response import(const http::Request& request);
    http::Response generate(const http::Request& request);
    http::Response reset(const http::Request& request);

  private:
    http::Response relay(std::string_view action, const nlohmann::json& arguments);

    Operate call_;
    ProfileOf profile_of_;
};

}  // namespace a2h::web
