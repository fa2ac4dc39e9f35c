#pragma once

#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>

#include "mcp/calls.h"
#include "mcp/era.h"
#include "mcp/framing.h"
#include "mcp/progress.h"

namespace a2h::mcp {

/// What a server offers, method by method; `Protocol` brings the requests.
class Service {
  public:
    /// Takes the one line that answers a request, or nothing when it was cancelled.
    using Reply = std::function<void(std::string line)>;

    virtual ~Service() = default;
    /// Answers `message` now or later. False when `version` has no such method.
    /// Thread: the reader's.
    virtual bool take_request(const Message& message, Version version, const Reply& reply) = 0;
    /// The client's answer to a request of ours. Thread: the reader's.
    virtual void take_response(const Message& message) = 0;
    /// The request with that `id_key` needs no answer any more; what runs is told by its token.
    /// Thread: the reader's.
    virtual void take_cancellation(const std::string& key) = 0;
};

/// Answers each line of a client: which revision it speaks, batches, refusals, cancellation,
/// progress. It knows no method. Bad input is answered or ignored and never ends anything.
/// Thread: `take_line` and `begin_session` from the reader's, the rest from any.
class Protocol {
  public:
    /// Hands one line to the client. Thread: any.
    using Write = std::function<void(std::string line)>;
    using Reply = Service::Reply;
    using Work = std::function<Outcome(std::stop_token cancelled)>;

    /// `service` outlives the object; what runs for it ends with the object.
    Protocol(Write write, Service& service);

    /// `text` is empty for a line that was too long to be kept.
    void take_line(std::string_view text);

    /// After `initialize`, as in `Eras`.
    Version begin_session(std::string_view requested) { return eras_.begin_session(requested); }

    /// The line that answers request `id`, as far as `version` knows what `outcome` holds.
    static std::string answer(std::string_view id, Outcome outcome, Version version);
    /// What stands as `result` in that line.
    static std::string result_text(nlohmann::ordered_json result, Version version);
    /// Does `work` on another thread, tells progress, and answers unless it was cancelled. False
    /// when too many wait.
    [[nodiscard]] bool run_later(const Message& message, Version version, const Reply& reply,
                                 Work work);
    /// The same; too many are a refusal of the protocol.
    void answer_later(const Message& message, Version version, const Reply& reply, Work work);
    static RpcError too_many_requests();

    /// For work that is no request's, and for reading (`take_line` is called from there then).
    Calls& calls() { return calls_; }

  private:
    void refuse_oversized(std::string_view text);
    void take_batch(Line line);
    void take_message(const Message& message, bool in_batch, const Reply& reply);
    void take_notification(const Message& message);

    const Write write_;
    Service& service_;
    Progress progress_;
    Eras eras_;
    Calls calls_;  ///< last: its jobs use the members above
};

}  // namespace a2h::mcp
