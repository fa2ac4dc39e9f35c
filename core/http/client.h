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
    std::string url{};  // braces: designated initializers may leave members out
    std::vector<std::pair<std::string, std::string>> headers{};
    std::string body{};
    std::filesystem::path body_file{};  ///< sent instead of `body`, in pieces, when not empty
    std::uint64_t body_file_bytes_max = 50 * 1024 * 1024;
    std::chrono::milliseconds timeout{15'000};
    std::size_t answer_bytes_max = 4 * 1024 * 1024;
    /// Gets the status of the answer before the first piece of its body, if it has one.
    std::function<void(int status)> on_status{};
    /// Gets the body of the answer in pieces as they arrive, instead of `ClientResponse::body`
    /// and without its limit; false ends the request.
    std::function<bool(std::string_view piece)> on_data{};
    /// Asked about once a second; false ends the request. For long polls.
    std::function<bool()> keep_going{};
};

struct ClientResponse {
    int status = 0;
    std::vector<std::pair<std::string, std::string>> headers;  ///< names lower-case
    std::string body;
};

/// Blocking HTTP over libcurl; http and https only, certificates always verified, redirects
/// are answers, because a signature is for one path. Keeps connections open between calls.
/// Thread: any; each concurrent call uses a handle of its own.
class Client {
  public:
    struct Options {
        std::string ca_file{};  ///< private CA; empty: the system's
        std::string user_agent = "a2h";
        Transfers* transfers = nullptr;  ///< whose end is that of all calls; null: nothing is
    };
    explicit Client(Options options);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    /// Errors:  Unavailable when no connection could be made (nothing was sent); Timeout when the
    ///          request may have been sent and the answer is lost; ResourceExhausted when the
    ///          answer or the body file is over its limit; Conflict when `on_data` or
    ///          `keep_going` ended it; NotFound when the body file cannot be
    ///          read; InvalidArgument for a bad URL. An HTTP status of 400 or more is a response,
    ///          not an error, also when it comes before the body has left.
    Result<ClientResponse> send(const ClientRequest& request);

    /// True when no call can succeed any more, see `Transfers`.
    bool is_ended() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::http
