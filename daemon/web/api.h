#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/http/server.h"
#include "daemon/consent/approvals.h"
#include "daemon/web/page_data.h"

namespace a2h::web {

/// The person of the session.
struct Caller {
    std::string person;
    std::string language;     ///< "en" or "zh", the person's language
    bool may_change = false;  ///< the request has the session's key and comes from our own page
};

/// The application's data, as JSON under /api: `{"ok":true,"data"}`, or `{"ok":false,"error":
/// {"code","message"}}` with a matching status. `kRoutes` in the .cpp file lists the routes;
/// daemon/web/README.md, "The page", describes them.
///
/// Thread:  any; the callbacks must allow it.
class Api {
  public:
    /// The functions of the daemon that it uses. Each may block up to 5 s, a demand or a plan up to
    /// 20 s.
    struct Backend {
        PageData& data;
        const card::ActingAgents& acting_agents;  ///< for the cards of questions
        /// Hands in all answers together; the refusal of one is its own result.
        std::function<std::vector<Result<consent::Answered>>(std::vector<consent::Answer>)> answer;
        /// A token that proves that `person` was shown this approval in its present form.
        std::function<std::string(const Approval&, std::string_view person)> link_token;
        /// Whether an approved reply says something that its listing does not contain.
        std::function<bool(const Approval&)> can_learn;
        /// Adds `text` (empty: the reply itself) to that listing. Returns the result (R16).
        std::function<Result<std::string>(const std::string& person, const Approval&,
                                          const std::string& text)>
            learn;
        /// Revokes one mandate, or all of the agent if `mandate_id` is empty. Returns their number.
        std::function<Result<int>(const std::string& person, const std::string& agent_id,
                                  const std::string& mandate_id)>
            revoke;
        /// The result (R16) of an operation that `person` calls.
        std::function<Result<std::string>(const std::string& person, std::string_view action,
                                          std::string arguments_json)>
            call;
    };

    Api(Backend backend, const Clock& clock) : backend_(std::move(backend)), clock_(clock) {}

    http::Response serve(const http::Request& request, const Caller& caller);

  private:
    struct Route;
    static const Route kRoutes[];

    card::Reader reader_of(const Caller& caller) const;
    http::Response list_open(const http::Request& request, const Caller& caller);
    http::Response list_settled(const http::Request& request, const Caller& caller);
    http::Response show_approval(const http::Request& request, const Caller& caller);
    http::Response list_conversations(const http::Request& request, const Caller& caller);
    http::Response list_messages(const http::Request& request, const Caller& caller);
    http::Response list_deals(const http::Request& request, const Caller& caller);
    http::Response show_deal(const http::Request& request, const Caller& caller);
    http::Response list_contacts(const http::Request& request, const Caller& caller);
    http::Response list_agents(const http::Request& request, const Caller& caller);
    http::Response list_tasks(const http::Request& request, const Caller& caller);
    http::Response show_session(const http::Request& request, const Caller& caller);
    http::Response list_mandates(const http::Request& request, const Caller& caller);
    http::Response revoke_mandates(const http::Request& request, const Caller& caller);
    http::Response show_stats(const http::Request& request, const Caller& caller);
    http::Response show_status(const http::Request& request, const Caller& caller);
    http::Response show_fingerprint(const http::Request& request, const Caller& caller);
    http::Response take_lesson(const http::Request& request, const Caller& caller);
    http::Response call_about(std::string_view action, const http::Request& request,
                              const Caller& caller);
    http::Response about_negotiation(std::string_view action, const http::Request& request,
                                     const Caller& caller);
    http::Response relay(std::string_view action, const nlohmann::json& arguments,
                         const Caller& caller);
    http::Response list_negotiations(const http::Request& request, const Caller& caller);
    http::Response show_negotiation(const http::Request& request, const Caller& caller);
    http::Response submit_demand(const http::Request& request, const Caller& caller);
    http::Response apply_negotiation(const http::Request& request, const Caller& caller);
    http::Response cancel_negotiation(const http::Request& request, const Caller& caller);
    http::Response take_answers(const http::Request& request, const Caller& caller);

    Backend backend_;
    const Clock& clock_;
};

/// `{"ok":false,"error":{…}}` with the status that belongs to the code.
http::Response api_error(const Error& error);

}  // namespace a2h::web
