#pragma once

#include <string>

#include "daemon/agent.h"
#include "daemon/context.h"

namespace a2h::pipeline {

/// Sends each agent a message from itself through the broker, at every connect and every
/// `kInterval`, and notes whether it came back within `kTimeout`: only then "no mail" means that
/// there is no mail.
///
/// Thread: the loop.
class SelfTester {
  public:
    static constexpr std::chrono::minutes kInterval{10};
    static constexpr std::chrono::seconds kTimeout{10};

    SelfTester(const Context& context, Agents& agents);

    void start();
    void run(Agent& agent);
    void returned(Agent& agent, const std::string& message_id);

  private:
    void run_all();

    const Context& context_;
    Agents& agents_;
};

}  // namespace a2h::pipeline
