#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/platform/client.h"
#include "tests/support/permit.h"

namespace a2h::test {

struct ListingDraft {
    ListingType type = ListingType::Service;
    std::string title{};
    std::string content{};
    std::string expected_price{};
    std::string service_method{};
    std::string service_location{};
    std::string works_id{};  ///< empty: publish; otherwise update
};

/// A person who uses the market with an agent's keys and without an a2hd.
class MarketClient : public platform::Client {
  public:
    using platform::Client::Client;

    Result<nlohmann::json> call(const platform::Request& request) {
        if (platform::only_reads(request)) return read(request);
        return write(request, PermitMaker::permit_of(agent_id(), request));
    }
    Result<nlohmann::json> call(std::string_view action, const nlohmann::json& arguments) {
        A2H_ASSIGN_OR_RETURN(const auto request,
                             platform::make_request(action, arguments, agent_id()));
        return call(request);
    }
    /// Returns the id of the listing.
    Result<std::string> submit_listing(const ListingDraft& draft) {
        nlohmann::json arguments{{"type", static_cast<int>(draft.type)}};
        for (const auto& [name, value] :
             {std::pair{"title", draft.title}, std::pair{"content", draft.content},
              std::pair{"expected_price", draft.expected_price},
              std::pair{"service_method", draft.service_method},
              std::pair{"service_location", draft.service_location},
              std::pair{"works_id", draft.works_id}}) {
            if (!value.empty()) arguments[name] = value;
        }
        A2H_ASSIGN_OR_RETURN(
            const auto data,
            call(draft.works_id.empty() ? "works.publish" : "works.update", arguments));
        return data.value("worksId", "");
    }
};

}  // namespace a2h::test
