#include "daemon/web/web_server.h"

#include <functional>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/catalogue/operations.h"
#include "core/http/listen.h"
#include "core/wire/json_member.h"
#include "daemon/backup/folder.h"
#include "daemon/collab/profile_file.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/mandates.h"
#include "daemon/kernel/ask_loop.h"
#include "daemon/operations/ask.h"
#include "daemon/operations/operation.h"
#include "daemon/web/hooks.h"
#include "daemon/web/link_page.h"

namespace a2h::web {
namespace {

using nlohmann::json;

constexpr int kHandlerThreads = 4;

using Answers = std::vector<Result<consent::Answered>>;

/// Answers that are processed together; belongs to the loop.
struct Gathering {
    Answers results;
    std::size_t missing = 0;
    std::function<void(Result<Answers>)> done;
};

Answers hand_in(const PageParts& parts, const std::vector<consent::Answer>& answers) {
    if (answers.empty()) return {};
    const Answers no_answer(answers.size(), fail(ErrorCode::Timeout, "no result arrived in time"));
    const auto results = ask_loop<Answers>(
        parts.kernel.loop, [&parts, answers, no_answer](std::function<void(Result<Answers>)> done) {
            auto all =
                std::make_shared<Gathering>(Gathering{no_answer, answers.size(), std::move(done)});
            for (std::size_t i = 0; i < answers.size(); ++i) {
                parts.answers.answer(answers[i], "", [all, i](Result<consent::Answered> answered) {
                    all->results[i] = std::move(answered);
                    if (--all->missing == 0) all->done(std::move(all->results));
                });
            }
        });
    return results ? *results : Answers(answers.size(), fail(results.error()));
}

Result<consent::Answered> hand_in_one(const PageParts& parts, const consent::Answer& answer) {
    return std::move(hand_in(parts, {answer}).front());
}

std::chrono::seconds patience_for(std::string_view action) {
    constexpr std::chrono::seconds kLongPatience{20};
    const catalogue::Operation* operation = catalogue::find_action(action);
    return operation != nullptr && operation->takes_long ? kLongPatience : kLoopPatience;
}

/// The result (R16) of an operation that `person` has called, who is proved by a session or by the
/// token of /api/v1.
Result<std::string> call(const PageParts& parts, const std::string& person, std::string_view action,
                         const std::string& arguments_json) {
    json params = json::parse(arguments_json);
    params["face"] = "human";
    const json line{{"jsonrpc", "2.0"}, {"id", 1}, {"method", action}, {"params", params}};
    return ask_loop<std::string>(
        parts.kernel.loop,
        [&parts, person, line = line.dump()](const std::function<void(Result<std::string>)>& done) {
            parts.table.run_line(
                line,
                [done](const std::string& answer) {
                    done(wire::member(json::parse(answer, nullptr, false), "result").dump());
                },
                person);
        },
        patience_for(action));
}

Agent* agent_of(const PageParts& parts, const Approval& approval) {
    const auto found = parts.agents.find(approval.agent_id);
    return found == parts.agents.end() ? nullptr : found->second.get();
}

bool can_learn(const PageParts& parts, const Approval& approval) {
    if (approval.status != ApprovalStatus::Approved ||
        !consent::row_of(approval.action).answers_peer)
        return false;
    const auto can = ask_loop<bool>(
        parts.kernel.loop, [&parts, approval](const std::function<void(Result<bool>)>& done) {
            const Agent* agent = agent_of(parts, approval);
            done(agent != nullptr && operations::can_learn(*agent, approval));
        });
    return can && *can;
}

Result<std::string> learn(const PageParts& parts, const std::string& person,
                          const Approval& approval, const std::string& text) {
    return ask_loop<std::string>(
        parts.kernel.loop,
        [&parts, person, approval, text](const std::function<void(Result<std::string>)>& done) {
            Agent* agent = agent_of(parts, approval);
            if (agent == nullptr) return done(fail(ErrorCode::NotFound, "there is no such agent"));
            operations::learn(
                parts, *agent,
                {approval.id, text, {.surface = AnswerSurface::Page, .pin = {}, .person = person}},
                [done](const json& result) { done(result.dump()); });
        });
}

Result<int> revoke(const PageParts& parts, const mandates::Giver& giver,
                   const std::string& agent_id, const std::string& mandate_id) {
    return ask_loop<int>(parts.kernel.loop, [&parts, giver, agent_id,
                                             mandate_id](std::function<void(Result<int>)> done) {
        auto count = std::make_shared<int>(1);
        parts.kernel.write(
            store::Writer::Priority::Urgent,
            [&clock = parts.kernel.clock, giver, agent_id, mandate_id,
             count](store::Database& db) -> Result<void> {
                if (!mandate_id.empty()) {
                    return mandates::revoke(db, agent_id, mandate_id, giver, clock.now_ms());
                }
                A2H_ASSIGN_OR_RETURN(const auto all,
                                     mandates::revoke_all(db, agent_id, giver, clock.now_ms()));
                *count = all;
                return {};
            },
            [&parts, count, done = std::move(done)](const Result<void>& written) {
                if (!written) return done(fail(written.error()));
                parts.commits.rows_written();
                done(*count);
            });
    });
}

i18n::Language language_of(const Config& config, std::string_view name) {
    const Person* person = find_person(config.approval.people, name);
    const bool has_own = person != nullptr && !person->language.empty();
    return has_own ? i18n::language_of(person->language) : config.language;
}

Callbacks page_callbacks(const PageParts& parts, PageData& data) {
    return {
        .load = [&data](const std::string& id) { return data.approval(id); },
        .standing = [&data](const std::string& id) { return data.standing(id); },
        .link_token =
            [&secrets = parts.secrets](const Approval& approval, std::string_view person) {
                return consent::approval_link_token(secrets, approval, person);
            },
        .answer = [&parts](const consent::Answer& answer) { return hand_in_one(parts, answer); },
        .votes = [&data](const Approval& approval) { return data.votes(approval); },
        .language_of = [&config = parts.config](
                           std::string_view person) { return language_of(*config.get(), person); },
        .acting_agents = &parts.acting_agents};
}

Api::Backend api_backend(const PageParts& parts, PageData& data) {
    return {
        .data = data,
        .acting_agents = parts.acting_agents,
        .answer =
            [&parts](const std::vector<consent::Answer>& answers) {
                return hand_in(parts, answers);
            },
        .link_token =
            [&secrets = parts.secrets](const Approval& approval, std::string_view person) {
                return consent::approval_link_token(secrets, approval, person);
            },
        .can_learn = [&parts](const Approval& approval) { return can_learn(parts, approval); },
        .learn = [&parts](const std::string& person, const Approval& approval,
                          const std::string& text) { return learn(parts, person, approval, text); },
        .revoke =
            [&parts](const std::string& person, const std::string& agent_id,
                     const std::string& mandate_id) {
                return revoke(parts, {person, AnswerSurface::Page}, agent_id, mandate_id);
            },
        .call =
            [&parts](const std::string& person, std::string_view action,
                     const std::string& arguments_json) {
                return call(parts, person, action, arguments_json);
            }};
}

DemandApi::Options demand_options(const Config& config, const SiteOptions& site,
                                  std::string token) {
    DemandApi::Options options{
        .site = site, .tokens = {std::move(token)}, .cors_origins = config.web_cors_origins};
    if (!config.web_api_token.empty()) options.tokens.push_back(config.web_api_token);
    return options;
}

DemandApi::Backend demand_backend(const PageParts& parts, PageData& data, NegotiationFeed& stories,
                                  Site& site) {
    return {
        .call =
            [&parts](std::string_view action, const std::string& arguments_json) {
                return call(parts, owner_of(parts.config->approval.people), action, arguments_json);
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
            [&parts] {
                return parts.metrics.stream_readers.value() >= NegotiationFeed::kReadersMax;
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

WebServer::WebServer(const PageParts& parts, PagePort& port)
    : parts_(parts),
      live_(parts.kernel.loop, parts.kernel.reader),
      stories_(parts.kernel.loop, parts.kernel.reader, parts.metrics),
      site_(
          port.site(), port.sessions(), Api(api_backend(parts_, port.data()), parts.kernel.clock),
          [&config = parts.config](std::string_view person) {
              return language_of(*config.get(), person);
          },
          [this](std::shared_ptr<http::Stream> stream, const std::string& last,
                 std::function<bool()> still_allowed) {
              live_.add(std::move(stream), last, std::move(still_allowed));
          }),
      demands_(demand_options(*parts.config.get(), port.site(), port.api_token()),
               demand_backend(parts_, port.data(), stories_, site_)) {}

Result<std::unique_ptr<WebServer>> WebServer::start(const PageParts& parts, PagePort& port) {
    std::unique_ptr<WebServer> web(new WebServer(parts, port));
    http::Server::Options options;
    options.listener = port.take_listener();
    options.handler_threads = kHandlerThreads;
    options.body_bytes_max = 512 * 1024;
    options.connections_max = kConnectionsMax;
    A2H_ASSIGN_OR_RETURN(
        web->server_,
        http::Server::start(options,
                            [callbacks = page_callbacks(web->parts_, port.data()),
                             hooks = Hooks{parts.audience, parts.kernel.clock, parts.buttons},
                             site = web.get()](const http::Request& request) {
                                if (auto called = serve_hook(hooks, request))
                                    return std::move(*called);
                                return Site::serves(request.path) ? site->serve(request)
                                                                  : web::serve(callbacks, request);
                            }));
    return web;
}

http::Response WebServer::serve(const http::Request& request) {
    return DemandApi::serves(request.path) ? demands_.serve(request) : site_.serve(request);
}

}  // namespace a2h::web
