#include "daemon/web/web_server.h"

#include <chrono>
#include <functional>
#include <future>
#include <utility>

#include "core/store/approval_store.h"
#include "daemon/web/approval_page.h"
#include "daemon/web/hooks.h"

namespace a2h::web {
namespace {

constexpr std::chrono::seconds kLoopWaitMax{5};

/// Runs `start` on the loop and waits for the value that it, or what it began, hands over.
template <typename T>
Result<T> ask_loop(Loop& loop, std::function<void(std::function<void(Result<T>)>)> start) {
    auto promise = std::make_shared<std::promise<Result<T>>>();
    std::future<Result<T>> future = promise->get_future();
    loop.post([start = std::move(start), promise = std::move(promise)] {
        start([promise](Result<T> value) { promise->set_value(std::move(value)); });
    });
    if (future.wait_for(kLoopWaitMax) != std::future_status::ready) {
        return fail(ErrorCode::Timeout, "the daemon did not answer within 5 s");
    }
    try {
        return future.get();
    } catch (const std::future_error&) {
        // The loop ended and dropped the task, and the promise with it.
        return fail(ErrorCode::Unavailable, "the daemon is stopping");
    }
}

Result<Approval> load_approval(Runtime& runtime, const std::string& approval_id) {
    return ask_loop<Approval>(
        runtime.context.loop,
        [&runtime, approval_id](const std::function<void(Result<Approval>)>& done) {
            auto approval = store::get_approval(runtime.context.reader, approval_id);
            if (!approval) {
                done(fail(approval.error()));
            } else if (!*approval) {
                done(fail(ErrorCode::NotFound, "there is no such approval"));
            } else {
                done(std::move(**approval));
            }
        });
}

Result<approvals::Answered> hand_in(Runtime& runtime, const approvals::Answer& answer) {
    return ask_loop<approvals::Answered>(
        runtime.context.loop,
        [&runtime, answer](std::function<void(Result<approvals::Answered>)> done) {
            runtime.answers.answer(answer, "", std::move(done));
        });
}

}  // namespace

Result<std::unique_ptr<WebServer>> WebServer::start(const Config& config,
                                                    const approvals::HumanSecrets& secrets,
                                                    Runtime& runtime) {
    const Callbacks callbacks{
        .load = [&runtime](const std::string& id) { return load_approval(runtime, id); },
        .link_token =
            [&secrets](const Approval& approval) {
                return approvals::approval_link_token(secrets, approval);
            },
        .answer = [&runtime](const approvals::Answer& answer) { return hand_in(runtime, answer); },
        .language = config.language};
    http::Server::Options options;
    options.address = config.web_address;
    options.port = config.web_port;
    options.body_bytes_max = 64 * 1024;
    options.connections_max = 64;
    auto server = http::Server::start(
        options, [callbacks, hooks = Hooks{*runtime.channels, runtime.context.clock,
                                           runtime.press}](const http::Request& request) {
            auto called = serve_hook(hooks, request);
            return called ? std::move(*called) : serve(callbacks, request);
        });
    if (!server) return fail(server.error());
    auto web = std::unique_ptr<WebServer>(new WebServer());
    web->address_ = config.web_address;
    web->server_ = std::move(*server);
    return web;
}

std::string WebServer::url() const {
    return "http://" + address_ + ":" + std::to_string(server_->port());
}

}  // namespace a2h::web
