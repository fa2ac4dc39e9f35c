#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/http/client.h"
#include "core/i18n/messages.h"
#include "daemon/notify/notifier.h"

namespace a2h::notify {

/// HTTP errors that may go away by themselves: 408, 425, 429, 5xx.
bool may_pass(int status);

/// The HTTP API of one channel's service.
///
/// Errors of all calls, in `language`, without the address, which may hold a secret: Unavailable
/// (nothing was sent, or the service says later: 408, 425, 429, 5xx), Timeout (perhaps it arrived),
/// InvalidArgument (it was refused). How much later the service wants it is kept for `take_wait`.
/// Thread: any.
class Service {
  public:
    struct Call {
        std::string method = "POST";
        std::string url;
        std::vector<std::pair<std::string, std::string>> headers{};
        std::string content_type = "application/json; charset=utf-8";
        std::string body{};
        /// True when an answer 400 whose JSON has a `code` is for the caller to read.
        bool codes_with_400 = false;
        std::chrono::milliseconds limit{10'000};
    };

    /// `ca_file`: of a server of one's own; empty: the system's. `transfers`: may be null.
    /// `user_agent`: empty: a2hd's own.
    Service(std::string name, std::string ca_file, http::Transfers* transfers,
            std::string user_agent = {});

    /// The answer's JSON; an empty object when it has none.
    Result<nlohmann::json> call(const Call& call, i18n::Language language);

    /// The longest wait that an answer asked for since this was asked last; 0: none did.
    std::chrono::milliseconds take_wait() {
        return std::chrono::milliseconds(wait_ms_.exchange(0));
    }

    const std::string& name() const { return name_; }
    http::Client& client() { return client_; }
    Unexpected refused(std::string_view why, i18n::Language language) const;
    Unexpected unreachable(std::string_view why, i18n::Language language) const;
    /// That the message was taken, and how many of its pictures were not.
    std::string taken(i18n::Language language, std::size_t pictures_lost = 0) const;

  private:
    void keep_wait(const http::ClientResponse& response, const nlohmann::json& answer);

    std::string name_;
    http::Client client_;
    std::atomic<std::int64_t> wait_ms_{0};
};

/// How long a refusal asks to wait: its header `Retry-After`, or where some services say it
/// instead, the header `x-ogw-ratelimit-reset` (Feishu) and the members `parameters.retry_after`
/// (Telegram) and `retry_after` (Discord), all in seconds; the longest of them. 0: it does not say.
/// Source: RFC 9110, 10.2.3; core.telegram.org/bots/api, "ResponseParameters"; docs.discord.com,
/// "Rate Limits"; open.feishu.cn, "Rate limits".
std::chrono::milliseconds asked_wait(const http::ClientResponse& response,
                                     const nlohmann::json& answer, UnixMs now_ms);

/// Parts of `multipart/form-data`, as the services' file uploads take them. Source: RFC 7578.
struct Part {
    std::string name;
    std::string file_name;     ///< empty: a plain field
    std::string content_type;  ///< empty: none
    std::string bytes;
};
/// Content-Type and body.
std::pair<std::string, std::string> multipart(const std::vector<Part>& parts);

}  // namespace a2h::notify
