#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/http/server.h"

namespace a2h::test {

/// A service of a channel, as its documentation describes it: refuses a wrong token with 401, keeps
/// every call, and gives the answer of the test's `answer`.
class FakeChannelApi {
  public:
    struct Call {
        std::string method;
        std::string path;  ///< with query
        std::string content_type;
        std::string body;
        nlohmann::json json;  ///< null when the body is none
    };
    using Answer = std::function<http::Response(const Call&)>;

    /// `authorization`: required value of that header; empty: not checked.
    FakeChannelApi(std::string authorization, Answer answer);

    std::string url() const;
    std::vector<Call> calls() const;
    /// The newest call whose path begins with this text; fails the test if there is none.
    Call last(const std::string& path) const;
    std::size_t count(const std::string& path) const;
    /// Answers with this status instead of `answer` from now on; 0: uses `answer` again.
    void fail_with(int status);

    static http::Response reply(const nlohmann::json& body, int status = 200);

  private:
    http::Response take(const http::Request& request);

    const std::string authorization_;
    const Answer answer_;
    mutable std::mutex mutex_;
    std::vector<Call> calls_;
    int failing_ = 0;
    std::unique_ptr<http::Server> server_;
};

}  // namespace a2h::test
