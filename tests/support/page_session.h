#pragma once

#include <memory>
#include <string>

#include "core/http/client.h"
#include "tests/support/daemon.h"

namespace a2h::test {

/// A session of the daemon's page, as a browser has one: cookie and key. Thread: one.
struct PageSession {
    std::string url;
    std::string cookie;
    std::string key;
    std::shared_ptr<http::Client> client = std::make_shared<http::Client>(http::Client::Options{});

    /// Ends the test if there is no response.
    http::ClientResponse send(const std::string& method, const std::string& path,
                              const std::string& body = {}, bool with_key = true) const;
};

/// Makes a one-time link for `person` with their PIN and opens it.
PageSession enter_page(Daemon& daemon, const std::string& person = "human",
                       std::string_view pin = Daemon::kPin);

/// Value of a header by its lower-case name; empty when there is none.
std::string header(const http::ClientResponse& response, std::string_view name);

}  // namespace a2h::test
