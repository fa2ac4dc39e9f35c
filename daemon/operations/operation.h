#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/i18n/messages.h"
#include "core/store/database.h"
#include "daemon/config/current.h"
#include "daemon/context/agent.h"

namespace a2h::catalogue {
struct Operation;
}

namespace a2h::operations {

/// The kind of caller, as the caller states it. It only selects the available operations and views;
/// it proves nothing.
enum class Face { Assistant, Human };

/// The caller of an operation.
struct Caller {
    Face face = Face::Assistant;
    /// The person who has proved to be the caller, by the PIN or the page's session; empty: nobody.
    /// Only then does a call count as that person's own word (R59).
    std::string proved_by{};

    bool is_proved() const { return !proved_by.empty(); }
};

/// Written in the transaction of a call's question; an error undoes both.
using Along = std::function<Result<void>(store::Database&, const Approval&)>;

/// One call of an operation, with arguments checked against the catalogue.
struct Call {
    std::string action;
    Caller caller{};
    Agent& agent;
    const nlohmann::json& arguments;  ///< an object; valid until the handler returns
    /// For a call that is part of something larger: if set, the call asks the human in any case,
    /// and is answered as soon as the question is stored.
    Along along{};
    /// The language of the caller's reader; empty: the owner's language.
    std::optional<i18n::Language> reader_language{};
    /// The caller has named the agent; otherwise it is the default one.
    bool names_agent = false;

    const std::string& agent_id() const { return agent.identity.account.agent_id; }
    /// A text argument; empty if absent.
    std::string text(const char* name) const;
    /// An integer argument; `fallback` if absent.
    int number(const char* name, int fallback) const;
};

/// Receives the complete result of R16. Call exactly once, on the loop, at once or later.
using Reply = std::function<void(const nlohmann::json& result)>;

/// Carries out an operation.
///
/// Thread:  the loop.
using Handler = std::function<void(const Call&, const Reply&)>;

/// Binds `function` to the parts that it uses, which must outlive the handler.
template <typename Parts>
Handler with(Parts parts, void (*function)(const Parts&, const Call&, const Reply&)) {
    return [parts = std::move(parts), function](const Call& call, const Reply& reply) {
        function(parts, call, reply);
    };
}

nlohmann::json ok_result(std::string_view action, nlohmann::json data);
/// `next` is advice about what to do; empty: the usual advice for `error.code`.
nlohmann::json error_result(std::string_view action, const Error& error,
                            std::string_view next = {});
/// The same with `about`: a name of what is wrong, where the code alone does not tell.
nlohmann::json error_result_about(std::string_view action, const Error& error,
                                  std::string_view about, std::string_view next = {});
/// The same for a call that contained a PIN and asks nothing of the market: without proof, the PIN
/// was wrong.
nlohmann::json error_result_of_pin(std::string_view action, const Error& error);
/// The answer to a person who has not proved to be one, where the person's own word would do what
/// an assistant's does not. Its code is PIN_REQUIRED.
nlohmann::json pin_required(std::string_view action);

/// The same for a function that returns the data or its error at once.
template <typename Parts>
Handler with(Parts parts, Result<nlohmann::json> (*function)(const Parts&, const Call&)) {
    return [parts = std::move(parts), function](const Call& call, const Reply& reply) {
        auto data = function(parts, call);
        reply(data ? ok_result(call.action, std::move(*data))
                   : error_result(call.action, data.error()));
    };
}

/// Checks what somebody gives as a proof of speaking for a person of this home.
class OwnerProof {
  public:
    virtual ~OwnerProof() = default;

    /// `person` is empty for the owner. A wrong PIN counts like one at an answer. `done` gets the
    /// name of the person, on the loop.
    ///
    /// Errors:  Unauthenticated and PermissionDenied, as at an answer from the terminal.
    virtual void check_pin(const std::string& agent_id, const std::string& person,
                           const std::string& pin,
                           std::function<void(Result<std::string>)> done) const = 0;
};

/// The operations that this process carries out. Each file of this folder adds its own, see
/// registration.h.
///
/// Thread:  the loop.
class Table {
  public:
    Table(const Agents& agents, const OwnerProof& proof) : agents_(agents), proof_(proof) {}
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    /// `action` must be a row of the catalogue.
    void add(std::string_view action, Handler handler);
    /// Adds an operation that an agent unknown to the market cannot carry out.
    void add_of_market(std::string_view action, Handler handler);

    /// Carries out a call whose arguments were checked. Its action must have been added.
    void run(const Call& call, const Reply& reply) const;
    /// Handles one line of the control protocol, and passes the line of the answer to `respond`, at
    /// once or later. Any line gets exactly one answer, except that a notification gets none. The
    /// caller is `session_of`, a person with a session of the page, or if that is empty whoever the
    /// line proves.
    void run_line(const std::string& line, std::function<void(std::string)> respond,
                  const std::string& session_of = {}) const;

  private:
    struct Row {
        Handler handler;
        bool needs_market = false;
    };
    void check_and_run(const catalogue::Operation& operation, const Row& row,
                       const nlohmann::json& params, const Caller& caller,
                       const Reply& reply) const;
    /// Calls `run` once the proof in `params` was found right.
    void prove_and_run(const catalogue::Operation& operation, const Row& row,
                       const nlohmann::json& params, const Reply& reply) const;
    Agent* find_agent(const nlohmann::json& params) const;

    const Agents& agents_;
    const OwnerProof& proof_;
    std::map<std::string, Row, std::less<>> rows_;
};

/// The person in whose name the call is made, whose PIN proves it: the owner if none is named.
std::string person_of(const Current<Config>& config, const Call& call);

}  // namespace a2h::operations
