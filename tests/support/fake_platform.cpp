#include "tests/support/fake_platform.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/wire/payload.h"

namespace a2h::test {
namespace {

using nlohmann::json;

std::string path_of(const std::string& call) {
    return call.substr(0, call.find('?'));
}

}  // namespace

FakePlatform::FakePlatform(UnixMs now_ms)
    : keys_{"test-key-0001", wire::new_key_pair()}, clock_(now_ms) {
    auto started = http::Server::start({}, [this](const http::Request& r) { return serve(r); });
    REQUIRE(started);
    server_ = std::move(*started);
    client_ = std::make_unique<platform::Client>(http_, clock_, account());
}

std::string FakePlatform::url() const {
    return "http://127.0.0.1:" + std::to_string(server_->port());
}

void FakePlatform::answer(const std::string& call, const json& data) {
    const json body{{"code", "200"}, {"message", "success"}, {"data", data}};
    answers_.with([&](auto& answers) { answers[call] = {200, {}, body.dump(), {}}; });
}

void FakePlatform::answer_anybody(const std::string& call, const json& body) {
    answers_.with([&](auto& answers) { answers[call] = {200, {}, body.dump(), {}}; });
    public_calls_.with([&](auto& calls) { calls.insert(call); });
}

void FakePlatform::refuse(const std::string& call, int status, const std::string& code) {
    const json body{{"code", code}, {"message", "refused by the test"}};
    answers_.with([&](auto& answers) { answers[call] = {status, {}, body.dump(), {}}; });
}

std::vector<FakePlatform::Seen> FakePlatform::seen() const {
    return seen_.with([](const auto& seen) { return seen; });
}

int FakePlatform::count(const std::string& call) const {
    return seen_.with([&](const auto& seen) {
        return static_cast<int>(std::count_if(
            seen.begin(), seen.end(), [&](const Seen& one) { return path_of(one.call) == call; }));
    });
}

http::Response FakePlatform::serve(const http::Request& request) {
    const std::string path = path_of(request.target);
    const std::string timestamp(request.header("x-timestamp"));
    const std::string signature =
        wire::platform_signature(keys_.agent_key, request.method, path, kAgent,
                                 std::strtoll(timestamp.c_str(), nullptr, 10));
    const std::string call = request.method + " " + path;
    const bool is_public = public_calls_.with([&](auto& calls) { return calls.contains(call); });
    if (!is_public && request.header("x-agent-signature") != signature) {
        return {401, {}, R"({"code":"PLATFORM_90005","message":"bad signature"})", {}};
    }
    json body = request.body.empty() ? json() : json::parse(request.body, nullptr, false);
    if (body.is_discarded()) body = request.body;
    seen_.with([&](auto& seen) {
        seen.push_back({request.method + " " + request.target, std::move(body),
                        std::string(request.header("x-agent-signature"))});
    });
    return answers_.with([&](auto& answers) -> http::Response {
        const auto found = answers.find(call);
        if (found != answers.end()) return found->second;
        return {404, {}, R"({"code":"PLATFORM_410","message":"no such thing"})", {}};
    });
}

}  // namespace a2h::test
