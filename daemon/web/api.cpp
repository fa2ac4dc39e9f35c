#include "daemon/web/api.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/base/fence.h"
#include "core/base/text.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"
#include "daemon/consent/action.h"
#include "daemon/web/link_page_view.h"

namespace a2h::web {
namespace {

using consent::Answer;
using consent::Answered;
using nlohmann::json;

constexpr int kLimit = 50;
constexpr int kPagesMax = 1'000'000;
constexpr int kNegotiations = 20;
constexpr int kNegotiationsMax = 100;
constexpr std::size_t kAnswersMax = 50;

/// For the page, which shows what it gets: nothing in it is unseen.
http::Response json_response(int status, const json& body) {
    return {status,
            {{"Content-Type", "application/json; charset=utf-8"},
             {"Cache-Control", "no-store"},
             {"X-Content-Type-Options", "nosniff"}},
            wire::shown_whole(body).dump(-1, ' ', false, json::error_handler_t::replace)};
}

http::Response ok(json data) {
    return json_response(200, {{"ok", true}, {"data", std::move(data)}});
}

http::Response ok_or_error(Result<json> data) {
    return data ? ok(std::move(*data)) : api_error(data.error());
}

int status_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::InvalidArgument:
            return 400;
        case ErrorCode::Unauthenticated:
            return 401;
        case ErrorCode::PermissionDenied:
        case ErrorCode::ConfirmationRequired:
            return 403;
        case ErrorCode::NotFound:
            return 404;
        case ErrorCode::Conflict:
            return 409;
        case ErrorCode::ResourceExhausted:
            return 429;
        case ErrorCode::Timeout:
        case ErrorCode::Unavailable:
            return 503;
        case ErrorCode::Unsupported:
        case ErrorCode::Corrupt:
        case ErrorCode::Internal:
            return 500;
    }
    A2H_CHECK(false);
}

/// A number of the query within [1, highest]; `fallback` for anything else.
int number_of(const http::Request& request, std::string_view name, int fallback, int highest) {
    const std::string_view text = request.query_value(name);
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool good = error == std::errc() && end == text.data() + text.size() && number >= 1;
    return good ? std::min(number, highest) : fallback;
}

/// The arguments of an operation about the agent that the query names, if any.
json about_agent(const http::Request& request) {
    json arguments = json::object();
    if (!request.query_value("agent").empty()) {
        arguments["agent"] = std::string(request.query_value("agent"));
    }
    return arguments;
}

int limit_of(const http::Request& request) {
    return number_of(request, "limit", kLimit, PageData::kLimitMax);
}

/// The id at the end of the path.
std::string_view id_in(const http::Request& request) {
    return std::string_view(request.path).substr(request.path.rfind('/') + 1);
}

/// The answer to `approval` in one member of "answers"; nullopt if the application could not have
/// sent it.
std::optional<Answer> read_answer(const json& item, const Approval& approval) {
    Answer answer;
    answer.approval_id = approval.id;
    answer.surface = AnswerSurface::Page;
    answer.digest_seen = wire::text_member(item, "digest");
    const std::string decision = wire::text_member(item, "decision");
    if (answer.digest_seen.empty()) return std::nullopt;
    if (decision == "approve") {
        answer.kind = AnswerKind::Approve;
        answer.words = decision;
        const std::string text = wire::text_member(item, "text");
        if (!is_untouched(text, approval)) answer.edited_reply_text = text;
    } else if (decision == "reject") {
        answer.kind = AnswerKind::Reject;
        answer.words = decision;
    } else if (decision == "withdraw") {
        answer.kind = AnswerKind::Withdraw;
        answer.words = decision;
    } else if (decision == "instruct" || decision == "option") {
        answer.words = wire::text_member(item, "words");
        answer.kind = consent::understand_answer(approval, answer.words);
        if (decision == "option" && !has_button(approval, answer.words)) return std::nullopt;
    } else {
        return std::nullopt;
    }
    return answer;
}

/// An emptied text box must not send the text that was in it.
bool is_emptied(const json& item, const Approval& approval) {
    return item.contains("text") && wire::text_member(item, "decision") == "approve" &&
           text_is_editable(approval) && !approval.reply_text.empty() &&
           trim(wire::text_member(item, "text")).empty();
}

json refused(std::string_view approval_id, const Error& error, const Result<Approval>& now,
             bool is_over = false) {
    json result{{"approval_id", approval_id},
                {"ok", false},
                {"code", to_string(error.code)},
                {"message", error.message}};
    if (now) result["approval"] = approval_json(*now);
    if (is_over) result["over"] = true;
    return result;
}

/// Names the character that nobody sees in the words of a refused answer, if there is one.
void add_unseen(const Answer& answer, json& result) {
    if (const auto unseen = consent::unseen_in(answer))
        result["unseen"] = {{"code", code_of(*unseen)}, {"position", unseen->position}};
}

json accepted(const Answered& answered) {
    json result{{"approval_id", answered.approval.id},
                {"ok", true},
                {"approval", approval_json(answered.approval)}};
    if (!answered.votes.empty()) result["votes"] = answered.votes;
    if (answered.next) result["next"] = approval_json(*answered.next);
    return result;
}

}  // namespace

struct Api::Route {
    std::string_view method;
    std::string_view path;  ///< a path that ends in "/" is followed by an id
    http::Response (Api::*handle)(const http::Request&, const Caller&);
};

const Api::Route Api::kRoutes[] = {
    {"GET", "/api/session", &Api::show_session},
    {"GET", "/api/approvals", &Api::list_open},
    {"GET", "/api/approvals/", &Api::show_approval},
    {"GET", "/api/history", &Api::list_settled},
    {"GET", "/api/conversations", &Api::list_conversations},
    {"GET", "/api/messages", &Api::list_messages},
    {"GET", "/api/deals", &Api::list_deals},
    {"GET", "/api/deals/", &Api::show_deal},
    {"GET", "/api/contacts", &Api::list_contacts},
    {"GET", "/api/agents", &Api::list_agents},
    {"GET", "/api/tasks", &Api::list_tasks},
    {"GET", "/api/mandates", &Api::list_mandates},
    {"GET", "/api/stats", &Api::show_stats},
    {"GET", "/api/status", &Api::show_status},
    {"GET", "/api/negotiations", &Api::list_negotiations},
    {"GET", "/api/negotiations/", &Api::show_negotiation},
    {"POST", "/api/negotiations", &Api::submit_demand},
    {"POST", "/api/negotiations/apply", &Api::apply_negotiation},
    {"POST", "/api/negotiations/cancel", &Api::cancel_negotiation},
    {"POST", "/api/mandates/revoke", &Api::revoke_mandates},
    {"POST", "/api/fingerprint", &Api::show_fingerprint},
    {"POST", "/api/answers", &Api::take_answers},
    {"POST", "/api/learn", &Api::take_lesson},
};

http::Response api_error(const Error& error) {
    return json_response(
        status_of(error.code),
        {{"ok", false}, {"error", {{"code", to_string(error.code)}, {"message", error.message}}}});
}

http::Response Api::serve(const http::Request& request, const Caller& caller) {
    for (const Route& route : kRoutes) {
        const bool matches = route.path.ends_with('/') ? request.path.starts_with(route.path)
                                                       : request.path == route.path;
        if (!matches || request.method != route.method) continue;
        if (route.method != "GET" && !caller.may_change) {
            return api_error(
                {ErrorCode::PermissionDenied,
                 "a change needs the key of the session and must come from this page"});
        }
        return (this->*route.handle)(request, caller);
    }
    return api_error({ErrorCode::NotFound, "there is nothing here"});
}

http::Response Api::show_session(const http::Request&, const Caller& caller) {
    const auto status = backend_.call(caller.person, "status", "{}");
    if (!status) return api_error(status.error());
    const json result = json::parse(*status, nullptr, false);
    return ok({{"person", caller.person},
               {"language", caller.language},
               {"may_change", caller.may_change},
               {"agents", wire::member(wire::member(result, "data"), "agents")},
               {"version", A2H_VERSION}});
}

card::Reader Api::reader_of(const Caller& caller) const {
    return {i18n::language_of(caller.language), &backend_.acting_agents};
}

http::Response Api::list_open(const http::Request& request, const Caller& caller) {
    return ok_or_error(backend_.data.open_approvals(request.query_value("peer"),
                                                    request.query_value("cursor"),
                                                    limit_of(request), reader_of(caller)));
}

http::Response Api::list_settled(const http::Request& request, const Caller& caller) {
    return ok_or_error(backend_.data.settled_approvals(request.query_value("cursor"),
                                                       limit_of(request), reader_of(caller)));
}

http::Response Api::show_approval(const http::Request& request, const Caller& caller) {
    const std::string_view id = id_in(request);
    auto full = backend_.data.approval_in_full(id, reader_of(caller));
    const auto approval = backend_.data.approval(id);
    if (full && approval) (*full)["can_learn"] = backend_.can_learn(*approval);
    return ok_or_error(std::move(full));
}

http::Response Api::list_conversations(const http::Request& request, const Caller&) {
    return ok_or_error(
        backend_.data.conversations(request.query_value("agent"), limit_of(request)));
}

http::Response Api::list_messages(const http::Request& request, const Caller&) {
    return ok_or_error(
        backend_.data.messages(request.query_value("agent"), request.query_value("peer"),
                               number_of(request, "page", 1, kPagesMax), limit_of(request)));
}

http::Response Api::list_deals(const http::Request& request, const Caller&) {
    return ok_or_error(backend_.data.deals(
        request.query_value("agent"), request.query_value("all") == "1",
        number_of(request, "page", 1, kPagesMax), limit_of(request), clock_.now_ms()));
}

http::Response Api::show_deal(const http::Request& request, const Caller&) {
    return ok_or_error(backend_.data.deal(id_in(request), clock_.now_ms()));
}

http::Response Api::list_contacts(const http::Request& request, const Caller&) {
    return ok_or_error(backend_.data.contacts(request.query_value("agent")));
}

http::Response Api::list_agents(const http::Request&, const Caller&) {
    return ok_or_error(backend_.data.agents());
}

http::Response Api::list_tasks(const http::Request& request, const Caller&) {
    return ok_or_error(backend_.data.tasks(request.query_value("agent"), limit_of(request)));
}

http::Response Api::list_mandates(const http::Request& request, const Caller&) {
    return ok_or_error(backend_.data.mandates(request.query_value("agent"), clock_.now_ms()));
}

/// Revokes the named mandate, or all of the agent.
http::Response Api::revoke_mandates(const http::Request& request, const Caller& caller) {
    const auto body = wire::parse_json(request.body, {.bytes_max = 4 * 1024, .depth_max = 2});
    if (!body) return api_error(body.error());
    const std::string agent_id = wire::text_member(*body, "agent_id");
    const std::string mandate_id = wire::text_member(*body, "mandate_id");
    if (agent_id.empty() || (mandate_id.empty() && body->value("all", json()) != true)) {
        return api_error({ErrorCode::InvalidArgument, "which mandate?"});
    }
    const auto revoked = backend_.revoke(caller.person, agent_id, mandate_id);
    if (!revoked) return api_error(revoked.error());
    return ok({{"revoked", *revoked}});
}

/// The result of an operation about one agent.
http::Response Api::call_about(std::string_view action, const http::Request& request,
                               const Caller& caller) {
    return relay(action, about_agent(request), caller);
}

http::Response Api::show_stats(const http::Request& request, const Caller& caller) {
    return call_about("approval.stats", request, caller);
}

http::Response Api::show_status(const http::Request& request, const Caller& caller) {
    return call_about("status", request, caller);
}

http::Response Api::relay(std::string_view action, const json& arguments, const Caller& caller) {
    const auto result = backend_.call(caller.person, action, arguments.dump());
    if (!result) return api_error(result.error());
    return json_response(200, json::parse(*result, nullptr, false));
}

http::Response Api::list_negotiations(const http::Request& request, const Caller& caller) {
    json arguments = about_agent(request);
    arguments["limit"] = number_of(request, "limit", kNegotiations, kNegotiationsMax);
    const int before = number_of(request, "before", 0, std::numeric_limits<int>::max());
    if (before > 0) arguments["before"] = before;
    return relay("negotiation.list", arguments, caller);
}

http::Response Api::show_negotiation(const http::Request& request, const Caller& caller) {
    return relay("negotiation.get", {{"demand_id", id_in(request)}}, caller);
}

http::Response Api::submit_demand(const http::Request& request, const Caller& caller) {
    const auto body = wire::parse_json(request.body, {.bytes_max = 64 * 1024, .depth_max = 4});
    if (!body) return api_error(body.error());
    if (!body->is_object())
        return api_error({ErrorCode::InvalidArgument, "the request says nothing to do"});
    return relay("demand.submit", *body, caller);
}

http::Response Api::about_negotiation(std::string_view action, const http::Request& request,
                                      const Caller& caller) {
    const auto body = wire::parse_json(request.body, {.bytes_max = 4 * 1024, .depth_max = 2});
    if (!body) return api_error(body.error());
    return relay(action, {{"demand_id", wire::text_member(*body, "demand_id")}}, caller);
}

http::Response Api::apply_negotiation(const http::Request& request, const Caller& caller) {
    return about_negotiation("negotiation.apply", request, caller);
}

http::Response Api::cancel_negotiation(const http::Request& request, const Caller& caller) {
    return about_negotiation("negotiation.cancel", request, caller);
}

/// The digest of an edited text. Changes nothing.
http::Response Api::show_fingerprint(const http::Request& request, const Caller&) {
    const auto body = wire::parse_json(request.body, {.bytes_max = 64 * 1024, .depth_max = 2});
    if (!body) return api_error(body.error());
    const auto approval = backend_.data.approval(wire::text_member(*body, "approval_id"));
    if (!approval) return api_error(approval.error());
    return ok(
        {{"digest", consent::with_reply_text(*approval, wire::text_member(*body, "text")).digest}});
}

/// Adds what the human has just said to the listing, so that nobody is asked again.
http::Response Api::take_lesson(const http::Request& request, const Caller& caller) {
    const auto body = wire::parse_json(request.body, {.bytes_max = 64 * 1024, .depth_max = 2});
    if (!body) return api_error(body.error());
    const auto approval = backend_.data.approval(wire::text_member(*body, "approval_id"));
    if (!approval) return api_error(approval.error());
    const auto result = backend_.learn(caller.person, *approval, wire::text_member(*body, "text"));
    if (!result) return api_error(result.error());
    return json_response(200, json::parse(*result, nullptr, false));
}

http::Response Api::take_answers(const http::Request& request, const Caller& caller) {
    const auto body = wire::parse_json(request.body, {.bytes_max = 512 * 1024, .depth_max = 4});
    if (!body) return api_error(body.error());
    const json& items = wire::member(*body, "answers");
    if (!items.is_array() || items.empty() || items.size() > kAnswersMax) {
        return api_error({ErrorCode::InvalidArgument, "give 1 to 50 answers at once"});
    }
    std::vector<json> results(items.size());
    std::vector<Answer> answers;
    std::vector<std::size_t> places;  // positions of `answers` in `results`
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::string id = wire::text_member(items[i], "approval_id");
        const auto approval = backend_.data.approval(id);
        auto answer = approval ? read_answer(items[i], *approval) : std::nullopt;
        if (!approval) {
            results[i] = refused(id, approval.error(), approval);
        } else if (!answer) {
            results[i] = refused(
                id, {ErrorCode::InvalidArgument, "this is not a possible answer to the question"},
                approval);
        } else if (is_emptied(items[i], *approval)) {
            results[i] = refused(id, {ErrorCode::InvalidArgument, "the text is empty"}, approval);
        } else {
            answer->person = caller.person;
            answer->in_session = true;
            answer->proof = backend_.link_token(*approval, caller.person);
            answers.push_back(std::move(*answer));
            places.push_back(i);
        }
    }
    const auto answered = backend_.answer(answers);
    for (std::size_t i = 0; i < answered.size(); ++i) {
        json& result = results[places[i]];
        const std::string& id = answers[i].approval_id;
        if (!answered[i]) {
            const auto now = backend_.data.approval(id);
            const bool is_over = now && clock_.now_ms() >= now->answer_by_ms;
            result = refused(id, answered[i].error(), now, is_over);
            if (now && now->digest == answers[i].digest_seen) result["as_shown"] = true;
            if (answered[i].error().code == ErrorCode::InvalidArgument)
                add_unseen(answers[i], result);
            continue;
        }
        result = accepted(*answered[i]);
        result["can_learn"] = backend_.can_learn(answered[i]->approval);
    }
    return ok({{"results", std::move(results)}});
}

}  // namespace a2h::web
