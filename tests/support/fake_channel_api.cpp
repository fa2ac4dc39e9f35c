#include "tests/support/fake_channel_api.h"

#include <doctest/doctest.h>

namespace a2h::test {

FakeChannelApi::FakeChannelApi(std::string authorization, Answer answer)
    : authorization_(std::move(authorization)), answer_(std::move(answer)) {
    http::Server::Options options;
    options.handler_threads = 4;
    auto started = http::Server::start(
        options, [this](const http::Request& request) { return take(request); });
    REQUIRE(started.has_value());
    server_ = std::move(*started);
}

std::string FakeChannelApi::url() const {
    return "http://127.0.0.1:" + std::to_string(server_->port());
}

std::vector<FakeChannelApi::Call> FakeChannelApi::calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
}

FakeChannelApi::Call FakeChannelApi::last(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    for (auto call = calls_.rbegin(); call != calls_.rend(); ++call)
        if (call->path.starts_with(path)) return *call;
    FAIL(std::string("no call of " + path));
    return {};
}

std::size_t FakeChannelApi::count(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const Call& call : calls_)
        count += call.path.starts_with(path) ? 1 : 0;
    return count;
}

void FakeChannelApi::fail_with(int status) {
    const std::lock_guard lock(mutex_);
    failing_ = status;
}

http::Response FakeChannelApi::reply(const nlohmann::json& body, int status) {
    http::Response response;
    response.status = status;
    response.headers = {{"Content-Type", "application/json"}};
    response.body = body.dump();
    return response;
}

http::Response FakeChannelApi::take(const http::Request& request) {
    Call call{request.method, request.target, std::string(request.header("content-type")),
              request.body, nlohmann::json::parse(request.body, nullptr, false)};
    if (call.json.is_discarded()) call.json = nullptr;
    {
        const std::lock_guard lock(mutex_);
        calls_.push_back(call);
        if (failing_ != 0) return reply({{"description", "failing"}}, failing_);
    }
    if (!authorization_.empty() && request.header("authorization") != authorization_) {
        return reply({{"message", "401: Unauthorized"}}, 401);
    }
    return answer_(call);
}

}  // namespace a2h::test
