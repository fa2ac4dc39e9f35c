#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/scripted_http.h"

namespace a2h::test {

/// An endpoint of the Messages API that answers each step of a negotiation with its scripted
/// answer, or hangs there. A step is recognised by the English heading of its prompt. A request
/// without our key is refused with 401, and one of another form with 400.
class StepModel {
  public:
    StepModel();

    static constexpr const char* kKey = "key-of-the-model";
    /// The table of config.toml that configures it. The key is written into `folder`. The default
    /// time-out is the longest permitted, because a test kills a2hd before it ends.
    std::string config(const std::filesystem::path& folder, int timeout_seconds = 10) const;

    /// From now on; a step without an answer gets words that are no JSON.
    void answer(const std::string& step, const nlohmann::json& with);
    /// The requests of this step get no answer any more.
    void hang(const std::string& step);
    /// Number of calls.
    int count(const std::string& step) const;
    /// The newest request of this step.
    nlohmann::json last(const std::string& step) const;

  private:
    void serve(ScriptedHttp::Peer& peer, const ScriptedHttp::Request& request);

    mutable std::mutex mutex_;
    std::map<std::string, std::string> answers_;
    std::map<std::string, int> counts_;
    std::map<std::string, nlohmann::json> last_;
    ScriptedHttp server_;  ///< last: its threads use all the others
};

inline constexpr const char* kUnderstand = "Understand the demand";
inline constexpr const char* kChoose = "Choose whom to ask";
inline constexpr const char* kAnswer = "Answer an invitation";
inline constexpr const char* kPlan = "Make one proposal of the offers";
inline constexpr const char* kJudge = "Judge a proposal for one participant";
inline constexpr const char* kAdjust = "Adjust the proposal";
inline constexpr const char* kGaps = "Find what is missing";
inline constexpr const char* kRecurse = "Decide about a second search";
inline constexpr const char* kCompromise = "Find a compromise";

}  // namespace a2h::test
