#include "daemon/web/web_server.h"

#include <functional>
#include <future>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/http/listen.h"
#include "core/wire/json_member.h"
#include "daemon/backup/folder.h"
#include "daemon/collab/profile_file.h"
#include "daemon/consent/mandates.h"
#include "daemon/kernel/ask_loop.h"
#include "daemon/operations/ask.h"
#include "daemon/operations/operation.h"
#include "daemon/web/approval_page.h"
#include "daemon/web/hooks.h"

namespace a2h::web {
namespace {

using nlohmann::json;

constexpr int kHandlerThreads = 4;
constexpr std::size_t kApiTokenBytes = 32;
/// Those who follow a negotiation keep theirs.
constexpr std::size_t kConnectionsMax = NegotiationFeed::kReadersMax + 500;

using Answers = std::vector<Result<consent::Answered>>;

/// Answers that are under way together; the loop's alone.
struct Gathering {
    Answers results;
    std::size_t missing = 0;
    std::function<void(Result<Answers>)> done;
};

Answers hand_in(Runtime& runtime, const std::vector<consent::Answer>& answers) {
    if (answers.empty()) return {};
    const Answers no_answer(answers.size(), fail(ErrorCode::Timeout, "no result came"));
    const auto results = ask_loop<Answers>(
        runtime.context.loop,
        [&runtime, answers, no_answer](std::function<void(Result<Answers>)> done) {
            auto all =
                std::make_shared<Gathering>(Gathering{no_answer, answers.size(), std::move(done)});
            for (std::size_t i = 0; i < answers.size(); ++i) {
                runtime.answers.answer(answers[i], "",
                                       [all, i](Result<consent::Answered> answered) {
                                           all->results[i] = std::move(answered);
                                           if (--all->missing == 0)
                                               all->done(std::move(all->results));
                                       });
            }
        });
    return results ? *results : Answers(answers.size(), fail(results.error()));
}

Result<consent::Answered> hand_in_one(Runtime& runtime, const consent::Answer& answer) {
    return std::move(hand_in(runtime, {answer}).front());
}

/// A demand is answered once it was understood, for which the market has 5 s and a model at most
/// 10 s, and a plan that becomes real puts many questions.
std::chrono::seconds patience_for(std::string_view action) {
    constexpr std::chrono::seconds kLongPatience{20};
    const bool takes_long = action == "demand.submit" || action == "negotiation.apply";
    return takes_long ? kLongPatience : kLoopPatience;
}

/// The result (R16) of an operation, as every face of the daemon gets it.
Result<std::string> call(Runtime& runtime, std::string_view action,
                         const std::string& arguments_json) {
    json params = json::parse(arguments_json);
    params["face"] = "human";
    const json line{{"jsonrpc", "2.0"}, {"id", 1}, {"method", action}, {"params", params}};
    return ask_loop<std::string>(
        runtime.context.loop,
        [&runtime, line = line.dump()](const std::function<void(Result<std::string>)>& done) {
            operations::dispatch_line(runtime, line, [done](const std::string& answer) {
                done(wire::member(json::parse(answer, nullptr, false), "result").dump());
            });
        },
        patience_for(action));
}

Agent* agent_of(Runtime& runtime, const Approval& approval) {
    const auto found = runtime.agents.find(approval.agent_id);
    return found == runtime.agents.end() ? nullptr : found->second.get();
}

bool can_learn(Runtime& runtime, const Approval& approval) {
    if (approval.status != ApprovalStatus::Approved || approval.action != "reply.send")
        return false;
    const auto can = ask_loop<bool>(
        runtime.context.loop, [&runtime, approval](const std::function<void(Result<bool>)>& done) {
            const Agent* agent = agent_of(runtime, approval);
            done(agent != nullptr && operations::can_learn(*agent, approval));
        });
    return can && *can;
}

Result<std::string> learn(Runtime& runtime, const std::string& person, const Approval& approval,
                          const std::string& text) {
    return ask_loop<std::string>(
        runtime.context.loop,
        [&runtime, person, approval, text](const std::function<void(Result<std::string>)>& done) {
            Agent* agent = agent_of(runtime, approval);
            if (agent == nullptr) return done(fail(ErrorCode::NotFound, "no such agent"));
            operations::learn(
                runtime, *agent,
                {approval.id, text, {.surface = AnswerSurface::Page, .pin = {}, .person = person}},
                [done](const json& result) { done(result.dump()); });
        });
}

Result<int> revoke(Runtime& runtime, const mandates::Giver& giver, const std::string& agent_id,
                   const std::string& mandate_id) {
    return ask_loop<int>(runtime.context.loop, [&runtime, giver, agent_id,
                                                mandate_id](std::function<void(Result<int>)> done) {
        auto count = std::make_shared<int>(1);
        runtime.context.write(
            store::Writer::Priority::Urgent,
            [&clock = runtime.context.clock, giver, agent_id, mandate_id,
             count](store::Database& db) -> Result<void> {
                if (!mandate_id.empty()) {
                    return mandates::revoke(db, agent_id, mandate_id, giver, clock.now_ms());
                }
                A2H_ASSIGN_OR_RETURN(const auto all,
                                     mandates::revoke_all(db, agent_id, giver, clock.now_ms()));
                *count = all;
                return {};
            },
            [&runtime, count, done = std::move(done)](const Result<void>& written) {
                if (!written) return done(fail(written.error()));
                runtime.on_effects();
                done(*count);
            });
    });
}

/// Names under which the address can be reached from this machine. Others may lead there only when
/// it was made to be reached from outside.
std::vector<std::string> known_hosts(const Config& config, std::uint16_t port) {
    if (!http::is_loopback(config.web_address) || !config.web_public_url.empty()) return {};
    return {http::host_and_port(config.web_address, port), http::host_and_port("localhost", port),
            http::host_and_port("::1", port)};
}

SiteOptions site_options(const Config& config, std::uint16_t port) {
    const std::string scheme = config.web_tls_certificate.empty() ? "http://" : "https://";
    SiteOptions options;
    options.url = config.web_public_url.empty()
                      ? scheme + http::host_and_port(config.web_address, port)
                      : config.web_public_url;
    options.hosts = known_hosts(config, port);
    options.secure = options.url.starts_with("https://");
    return options;
}

i18n::Language language_of(const Config& config, std::string_view name) {
    const Person* person = find_person(config.approval.people, name);
    const bool has_own = person != nullptr && !person->language.empty();
    return has_own ? i18n::language_of(person->language) : config.language;
}

Callbacks page_callbacks(const Current<Config>& current, const consent::HumanSecrets& secrets,
                         Runtime& runtime, PageData& data) {
    return {
        .load = [&data](const std::string& id) { return data.approval(id); },
        .standing = [&data](const std::string& id) { return data.standing(id); },
        .link_token =
            [&secrets](const Approval& approval, std::string_view person) {
                return consent::approval_link_token(secrets, approval, person);
            },
        .answer =
            [&runtime](const consent::Answer& answer) { return hand_in_one(runtime, answer); },
        .votes = [&data](const Approval& approval) { return data.votes(approval); },
        .language_of =
            [&current](std::string_view person) { return language_of(*current.get(), person); }};
}

Api::Backend api_backend(const consent::HumanSecrets& secrets, Runtime& runtime, PageData& data) {
    return {
        .data = data,
        .answer =
            [&runtime](const std::vector<consent::Answer>& answers) {
                return hand_in(runtime, answers);
            },
        .link_token =
            [&secrets](const Approval& approval, std::string_view person) {
                return consent::approval_link_token(secrets, approval, person);
            },
        .can_learn = [&runtime](const Approval& approval) { return can_learn(runtime, approval); },
        .learn = [&runtime](
                     const std::string& person, const Approval& approval,
                     const std::string& text) { return learn(runtime, person, approval, text); },
        .revoke =
            [&runtime](const std::string& person, const std::string& agent_id,
                       const std::string& mandate_id) {
                return revoke(runtime, {person, AnswerSurface::Page}, agent_id, mandate_id);
            },
        .call =
            [&runtime](std::string_view action, const std::string& arguments_json) {
                return call(runtime, action, arguments_json);
            }};
}

/// A new token for programs that may read the home: those of its owner.
Result<std::string> write_api_token(const control::Home& home) {
    std::string token = random_hex(kApiTokenBytes);
    A2H_TRY(backup::write_durable(home.api_token_file(), token + "\n"));
    return token;
}

DemandApi::Options demand_options(const Config& config, const SiteOptions& site,
                                  std::string token) {
    DemandApi::Options options{
        .site = site, .tokens = {std::move(token)}, .cors_origins = config.web_cors_origins};
    if (!config.web_api_token.empty()) options.tokens.push_back(config.web_api_token);
    return options;
}

DemandApi::Backend demand_backend(Runtime& runtime, PageData& data, NegotiationFeed& stories,
                                  Site& site) {
    return {
        .call =
            [&runtime](std::string_view action, const std::string& arguments_json) {
                return call(runtime, action, arguments_json);
            },
        .demand_of = [&data](std::string_view id) { return data.demand_of(id); },
        .profile_of = [&data](std::string_view agent_id) -> Result<json> {
            const auto profile = data.profile(agent_id);
            return profile ? Result<json>(collab::shown_profile(*profile)) : fail(profile.error());
        },
        .follow =
            [&stories](std::shared_ptr<http::Stream> stream, const std::string& demand_id,
                       const std::string& last_event_id, std::function<bool()> still_allowed) {
                stories.add(std::move(stream), demand_id, last_event_id, std::move(still_allowed));
            },
        .is_full =
            [&runtime] {
                return runtime.context.metrics.stream_readers.value() >=
                       NegotiationFeed::kReadersMax;
            },
        .has_session =
            [&site](const http::Request& request, bool changes) {
                const bool is_open =
                    site.sessions().person_of(site.session_id(request)).has_value();
                return is_open && (!changes || site.may_change(request));
            },
        .session_of = [&site](const http::Request& request) -> std::function<bool()> {
            return [&site, id = site.session_id(request)] { return site.sessions().is_alive(id); };
        }};
}

}  // namespace

Result<std::unique_ptr<WebServer>> WebServer::start(const Current<Config>& current,
                                                    const consent::HumanSecrets& secrets,
                                                    Runtime& runtime, const control::Home& home) {
    auto web = std::unique_ptr<WebServer>(new WebServer());
    const auto config = current.get();
    A2H_ASSIGN_OR_RETURN(auto data, PageData::open(home.database_file()));
    A2H_ASSIGN_OR_RETURN(auto token, write_api_token(home));
    web->data_ = std::move(data);
    const bool has_tls = !config->web_tls_certificate.empty();
    http::Server::Options options;
    options.address = has_tls ? "127.0.0.1" : config->web_address;
    options.port = has_tls ? std::uint16_t{0} : config->web_port;
    options.handler_threads = kHandlerThreads;
    options.body_bytes_max = 512 * 1024;
    options.connections_max = kConnectionsMax;
    // The site knows its own address only when the port is bound; a request that comes in between
    // waits for it.
    std::promise<WebServer*> ready;
    auto server = http::Server::start(
        options, [callbacks = page_callbacks(current, secrets, runtime, *web->data_),
                  hooks = Hooks{runtime.channels, runtime.context.clock, runtime.press},
                  ours = ready.get_future().share()](const http::Request& request) {
            if (auto called = serve_hook(hooks, request)) return std::move(*called);
            return Site::serves(request.path) ? ours.get()->serve(request)
                                              : web::serve(callbacks, request);
        });
    if (!server) return fail(server.error());
    std::uint16_t port = (*server)->port();
    if (has_tls) {
        auto front = http::TlsFront::start({.address = config->web_address,
                                            .port = config->web_port,
                                            .certificate_file = config->web_tls_certificate,
                                            .key_file = config->web_tls_key,
                                            .target_port = port,
                                            .connections_max = kConnectionsMax});
        if (!front) {
            ready = {};  // nobody waits for the site any more
            return fail(std::move(front).error());
        }
        web->front_ = std::move(*front);
        port = web->front_->port();
    }
    const SiteOptions site = site_options(*config, port);
    web->url_ = site.url;
    web->config_ = &current;
    web->is_private_ = http::is_loopback(config->web_address) || site.secure;
    web->live_ = std::make_unique<LiveFeed>(runtime.context.loop, runtime.context.reader);
    web->site_ = std::make_unique<Site>(
        site, runtime.context.clock,
        Api(api_backend(secrets, runtime, *web->data_), runtime.context.clock),
        [&current](std::string_view person) { return language_of(*current.get(), person); },
        [live = web->live_.get()](std::shared_ptr<http::Stream> stream, const std::string& last,
                                  std::function<bool()> still_allowed) {
            live->add(std::move(stream), last, std::move(still_allowed));
        });
    web->stories_ = std::make_unique<NegotiationFeed>(runtime.context.loop, runtime.context.reader,
                                                      runtime.context.metrics);
    web->demands_ = std::make_unique<DemandApi>(
        demand_options(*config, site, std::move(token)),
        demand_backend(runtime, *web->data_, *web->stories_, *web->site_));
    web->server_ = std::move(*server);
    ready.set_value(web.get());
    return web;
}

http::Response WebServer::serve(const http::Request& request) {
    return DemandApi::serves(request.path) ? demands_->serve(request) : site_->serve(request);
}

Result<std::string> WebServer::make_link(const std::string& person) {
    if (!is_private_) {
        return fail(ErrorCode::Unavailable,
                    "sessions would cross the network in clear; set web.tls_certificate and "
                    "web.tls_key, or web.public_url to an https:// address in front of it");
    }
    if (!is_person((*config_)->approval.people, person)) {
        return fail(ErrorCode::NotFound, "there is no person \"" + person + "\" in config.toml");
    }
    return site_->make_link(person);
}

}  // namespace a2h::web
