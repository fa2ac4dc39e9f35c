#include "daemon/mailbox/pictures.h"

#include <vector>

#include "daemon/notify/notifier.h"
#include "daemon/notify/pictures.h"

namespace a2h::mailbox {

notify::PictureSource::Fetch Pictures::fetch_of(const std::string& agent_id,
                                                const std::string& url) {
    const auto agent = agents_.find(agent_id);
    if (agent == agents_.end()) return {};
    std::vector<std::string> markets;
    for (const auto& [id, one] : agents_)
        markets.push_back(one->identity.account.api_base);
    if (!notify::is_picture_source(url, markets, config_->notify.picture_hosts)) return {};
    return
        [&client = http_.trusting(agent->second->identity.ca_file), url]() -> Result<std::string> {
            A2H_ASSIGN_OR_RETURN(
                const auto response,
                client.send({.url = url, .answer_bytes_max = notify::kPictureBytesMax}));
            if (response.status != 200) return fail(ErrorCode::NotFound, "there is no picture");
            return response.body;
        };
}

}  // namespace a2h::mailbox
