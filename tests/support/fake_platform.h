#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/guarded.h"
#include "core/http/server.h"
#include "core/platform/client.h"
#include "tests/support/manual_clock.h"

namespace a2h::test {

/// A market's HTTP API that gives scripted answers by method and path. Like the real ones, it
/// refuses a call whose platform signature is wrong or missing, except for those of
/// `answer_anybody`.
class FakePlatform {
  public:
    explicit FakePlatform(UnixMs now_ms);

    std::string url() const;
    platform::Account account() const { return {url(), kAgent, keys_}; }
    platform::Client& client() { return *client_; }
    http::Client& http() { return http_; }
    const Clock& clock() const { return clock_; }

    /// `call`: "GET /path", without query. The data is wrapped as the platform does.
    void answer(const std::string& call, const nlohmann::json& data);
    /// The whole body of the answer; needs no signature.
    void answer_anybody(const std::string& call, const nlohmann::json& body);
    void refuse(const std::string& call, int status, const std::string& code);
    /// Takes the request and answers 504: whether it took effect is not known.
    void lose_answer(const std::string& call) { refuse(call, 504, "504"); }

    struct Seen {
        std::string call;       ///< "GET /path?query"
        nlohmann::json body;    ///< null when none, a text when it is no JSON
        std::string signature;  ///< empty: the call was not signed
    };
    std::vector<Seen> seen() const;
    /// The number of calls of `call` (without query).
    int count(const std::string& call) const;

    static constexpr const char* kAgent = "ag_self";

  private:
    http::Response serve(const http::Request& request);

    wire::SigningKeys keys_;
    ManualClock clock_;
    http::Client http_{{}};
    Guarded<std::map<std::string, http::Response>> answers_;
    Guarded<std::set<std::string>> public_calls_;
    Guarded<std::vector<Seen>> seen_;
    std::unique_ptr<http::Server> server_;
    std::unique_ptr<platform::Client> client_;
};

}  // namespace a2h::test
