#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/http/transfers.h"

namespace a2h::http {

struct ClientRequest {
    std::string method = "GET";
    std::string url{};  // braces, so that designated initializers may leave members out
    std::vector<std::pair<std::string, std::string>> headers{};
    std::string body{};
    std::filesystem::path body_file{};      ///< if not empty, sent in pieces instead of `body`
    std::uint64_t body_file_bytes_max = 0;  ///< always given with `body_file`
    std::chrono::milliseconds timeout{15'000};
    std::size_t answer_bytes_max = 4 * 1024 * 1024;
    /// Called with the status before the first piece of the body, if there is one.
    std::function<void(int status)> on_status{};
    /// Called with pieces of the answer's body as they arrive, instead of filling
    /// `ClientResponse::body`, and without its limit. false ends the request.
    std::function<bool(std::string_view piece)> on_data{};
    /// Called about once a second; false ends the request. For long polls.
    std::function<bool()> keep_going{};
};

struct ClientResponse {
    int status = 0;
    std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case
    std::string body;
};

/// Blocking HTTP over libcurl: only http and https, certificates are always verified, and redirects
/// are returned as answers, because a signature is for one path. Connections are kept open between
/// calls.
///
/// Thread:  any; each concurrent call uses a handle of its own.
class Client {
  public:
    struct Options {
        std::string ca_file{};  ///< private CA; empty: the system's
        std::string user_agent = "a2h";
        Transfers* transfers = nullptr;  ///< ends all calls when it ends; may be null
    };
    explicit Client(Options options);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    /// An HTTP status of 400 or more is a response and not an error, also if it arrives before the
    /// body was sent.
    ///
    /// Errors:  Unavailable if no connection could be made (nothing was sent); Timeout if the
    ///          request may have been sent and the answer is lost; ResourceExhausted if the answer
    ///          or the body file exceeds its limit; Conflict if `on_data` or `keep_going` ended it;
    ///          NotFound if the body file cannot be read; InvalidArgument for a bad URL.
    Result<ClientResponse> send(const ClientRequest& request);

    /// True if no call can succeed any more, see `Transfers`.
    bool is_ended() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::http
