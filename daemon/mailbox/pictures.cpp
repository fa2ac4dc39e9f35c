#include "daemon/mailbox/pictures.h"

#include <vector>

#include "daemon/notify/notifier.h"
#include "daemon/notify/pictures.h"

namespace a2h::mailbox {

std::function<Result<std::string>()> picture_source(const Agents& agents, HttpClients& http,
                                                    const std::vector<std::string>& hosts,
                                                    const std::string& agent_id,
                                                    const std::string& url) {
    const auto agent = agents.find(agent_id);
    if (agent == agents.end()) return {};
    std::vector<std::string> markets;
    for (const auto& [id, one] : agents)
        markets.push_back(one->identity.account.api_base);
    if (!notify::is_picture_source(url, markets, hosts)) return {};
    return
        [&client = http.trusting(agent->second->identity.ca_file), url]() -> Result<std::string> {
            A2H_ASSIGN_OR_RETURN(
                const auto response,
                client.send({.url = url, .answer_bytes_max = notify::kPictureBytesMax}));
            if (response.status != 200) return fail(ErrorCode::NotFound, "no picture");
            return response.body;
        };
}

}  // namespace a2h::mailbox
