#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>

#include "mcp/calls.h"
#include "mcp/framing.h"
#include "mcp/input.h"
#include "mcp/progress.h"
#include "mcp/version.h"

namespace a2h::mcp {

/// The methods of a server; `Protocol` passes the requests to it.
class Methods {
  public:
    /// Receives the one line that answers a request, or an empty text if it was cancelled.
    using Reply = std::function<void(std::string line)>;

    virtual ~Methods() = default;
    /// Answers `message` now or later. False if `version` has no such method.
    ///
    /// Thread:  the reader's.
    virtual bool take_request(const Message& message, Version version, const Reply& reply) = 0;
    /// Answers an Unreadable `message` in another way than by its problem. False: by that.
    ///
    /// Thread:  the reader's.
    virtual bool refuse_request(const Message& /*message*/, Version /*version*/,
                                const Reply& /*reply*/) {
        return false;
    }
    /// The client's answer to one of our requests.
    ///
    /// Thread:  the reader's.
    virtual void take_response(const Message& message) = 0;
    /// The request with that `id_key` needs no answer any more; running work is informed by its
    /// token.
    ///
    /// Thread:  the reader's.
    virtual void take_cancellation(const std::string& key) = 0;
};

/// Handles each line of a client: its revision, batches, refusals, cancellation, progress. It knows
/// no methods. Invalid input is answered or ignored and never ends the program.
///
/// Thread:  the reader's for `take_line` and `begin_session`, any for the others.
class Protocol {
  public:
    /// Sends one line to the client.
    ///
    /// Thread:  any.
    using Write = std::function<void(std::string line)>;
    using Reply = Methods::Reply;
    using Work = std::function<Outcome(std::stop_token cancelled)>;

    /// `methods` must outlive the object; its running work ends with the object.
    Protocol(Write write, Methods& methods);

    /// Blank lines are ignored.
    void take_line(std::string_view text);
    void take_line(const InputLine& line);

    /// After `initialize`, as in `Versions`.
    Version begin_session(std::string_view requested) { return versions_.begin_session(requested); }

    /// The line that answers request `id`, without the parts of `outcome` that `version` does not
    /// know.
    static std::string answer(std::string_view id, Outcome outcome, Version version);
    /// The member `result` of that line.
    static std::string result_text(nlohmann::ordered_json result, Version version);
    /// Runs `work` on another thread, reports progress, and answers unless it was cancelled. False
    /// if too many wait.
    [[nodiscard]] bool run_later(const Message& message, Version version, const Reply& reply,
                                 Work work, Calls::Lane lane = Calls::Lane::Short);
    /// Like `run_later`; if too many wait, the answer is a refusal.
    void answer_later(const Message& message, Version version, const Reply& reply, Work work);
    static RpcError too_many_requests();

    /// For work without a request, and for reading (`take_line` is then called from there).
    Calls& calls() { return calls_; }

  private:
    void take(Line line);
    void take_batch(const Line& line);
    void take_message(const Message& message, bool in_batch, const Reply& reply);
    void take_notification(const Message& message);
    void refuse(const Message& message, const Reply& reply);

    const Write write_;
    Methods& methods_;
    Progress progress_;
    Versions versions_;
    Calls calls_;  ///< last, because its jobs use the members above
};

}  // namespace a2h::mcp
