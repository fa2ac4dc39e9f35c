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

/// Who calls, as the face says. It only chooses what may be asked for; nothing is proved by it.
enum class Face { Assistant, Human };

/// What is written with the question of a call, in its transaction; an error undoes both.
using Along = std::function<Result<void>(store::Database&, const Approval&)>;

/// One call of an operation, its arguments checked against the catalogue.
struct Call {
    std::string action;
    Face face = Face::Assistant;
    Agent& agent;
    const nlohmann::json& arguments;  ///< an object; lives until the handler returns
    /// Of a call that is a part of something larger: where it is there, the call asks the human in
    /// any case, and answers as soon as the question stands.
    Along along{};
    /// In which the caller's reader reads; empty: the owner's language.
    std::optional<i18n::Language> reader_language{};

    const std::string& agent_id() const { return agent.identity.account.agent_id; }
    /// Text argument; empty when absent.
    std::string text(const char* name) const;
    /// Integer argument; `fallback` when absent.
    int number(const char* name, int fallback) const;
};

/// Takes the whole result of R16. Call exactly once, on the loop, at once or later.
using Reply = std::function<void(const nlohmann::json& result)>;

/// What carries an operation out. Thread: the loop.
using Handler = std::function<void(const Call&, const Reply&)>;

/// `function` with what it works with, which lives as long as the handler.
template <typename Parts>
Handler with(Parts parts, void (*function)(const Parts&, const Call&, const Reply&)) {
    return [parts = std::move(parts), function](const Call& call, const Reply& reply) {
        function(parts, call, reply);
    };
}

/// The operations that this process carries out. Each file of this folder adds its own, see
/// registration.h.
///
/// Thread: the loop.
class Table {
  public:
    explicit Table(const Agents& agents) : agents_(agents) {}
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    /// `action` is a row of the catalogue.
    void add(std::string_view action, Handler handler);
    /// As `add`, for an operation that an agent which the market does not know cannot carry out.
    void add_of_market(std::string_view action, Handler handler);

    /// Carries out a call whose arguments were checked. Its action must have been added.
    void run(const Call& call, const Reply& reply) const;
    /// Runs one line of the control protocol and hands the answer's line to `respond`, at once or
    /// later. Whatever the line holds, exactly one answer follows (none for a notification).
    void run_line(const std::string& line, std::function<void(std::string)> respond) const;

  private:
    struct Row {
        Handler handler;
        bool needs_market = false;
    };
    void check_and_run(const catalogue::Operation& operation, const Row& row,
                       const nlohmann::json& params, const Reply& reply) const;
    Agent* find_agent(const nlohmann::json& params) const;

    const Agents& agents_;
    std::map<std::string, Row, std::less<>> rows_;
};

/// The person whose question it is: the owner at the terminal; empty for an assistant.
std::string person_asking(const Current<Config>& config, const Call& call);
/// As whom the call is made, for the PIN to prove: the owner where none is named.
std::string person_of(const Current<Config>& config, const Call& call);

nlohmann::json ok_result(std::string_view action, nlohmann::json data);
/// `next` says what to do now; empty: the usual advice for `error.code`.
nlohmann::json error_result(std::string_view action, const Error& error,
                            std::string_view next = {});

}  // namespace a2h::operations
