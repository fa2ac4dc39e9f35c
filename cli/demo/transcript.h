#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/demo/printer.h"
#include "cli/demo/stage.h"

namespace a2h::cli {

/// Prints the messages between buyer and seller, and what the seller's a2hd decided about each.
class Transcript {
  public:
    /// All arguments must outlive the object.
    Transcript(const Invocation& invocation, Stage& stage, const Printer& printer)
        : stage_(stage), language_(invocation.language), printer_(printer) {}

    /// Prints what is new at both daemons; asks at most every `kCheckInterval`.
    void update();
    /// Lets the next `update` ask at once.
    void expect_news() { updated_at_ = {}; }

    /// The decision about a message of the buyer, if there is one yet.
    std::optional<std::string> decision_on(const std::string& message_id) const;
    bool buyer_has_mail() const { return !buyer_received_.empty(); }
    bool buyer_has(const std::string& text) const { return buyer_received_.contains(text); }

  private:
    void show_message(const nlohmann::json& item);
    void take_decision(const nlohmann::json& event);
    void show_decision(const std::string& message_id);

    Stage& stage_;
    const i18n::Language language_;
    const Printer& printer_;
    std::chrono::steady_clock::time_point updated_at_;
    std::set<std::string> shown_;                   ///< ids of messages
    std::map<std::string, std::string> decisions_;  ///< by message id
    std::map<std::string, std::string> unprinted_;  ///< texts that are not printed yet
    std::set<std::string> buyer_received_;          ///< texts
    std::int64_t last_event_ = 0;
};

}  // namespace a2h::cli
