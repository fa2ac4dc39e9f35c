#pragma once

#include <functional>
#include <string>

#include "core/domain/approval.h"
#include "daemon/agent.h"
#include "daemon/context.h"
#include "daemon/pipeline/listing_sync.h"

namespace a2h::pipeline {

/// Carries out approved actions that are more than a reply: `works.publish` at the market and
/// `message.send` with a structured payload. Each approval is consumed before anything is done,
/// so it can be used once; what a crash or a lost answer left open is settled by reading the
/// market back, else its outcome is *unknown*.
///
/// Thread: the loop; requests run on workers.
class Executor {
  public:
    /// `on_effects` runs on the loop after each commit.
    Executor(const Context& context, Agents& agents, ListingSync& listings,
             std::function<void()> on_effects);

    /// Call once for an approved approval whose outcome is None.
    void execute(const Approval& approval);
    /// Takes up at start what was approved but not executed, or was cut off while executing.
    void resume();

  private:
    struct Outcome {
        ApprovalOutcome outcome = ApprovalOutcome::Unknown;
        std::string detail;  ///< what people and assistants are told; JSON for `works.publish`
    };
    static Outcome publish(platform::Client& market, const Approval& approval);
    static Outcome read_back(platform::Client& market, const Approval& approval);

    void send_message(const Approval& approval);
    void run_publish(const Approval& approval, bool resumed);
    void finish(const Approval& approval, const Outcome& outcome);

    const Context& context_;
    Agents& agents_;
    ListingSync& listings_;
    const std::function<void()> on_effects_;
};

}  // namespace a2h::pipeline
