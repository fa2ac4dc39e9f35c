#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/profile.h"
#include "core/store/database.h"
#include "daemon/collab/ending_answers.h"
#include "daemon/collab/filter_rules.h"
#include "daemon/collab/invited_answers.h"
#include "daemon/model/drafter.h"

namespace a2h::collab {

/// Profiles that a model is shown at most.
constexpr std::size_t kShownMax = 100;

/// Those from which the model may choose: all that are active, or the best by rules when there are
/// more. Never the requester. Errors: those of the database. Thread: that of `reader`.
Result<std::vector<Profile>> profiles_to_show(store::Database& reader, const Run& run);

/// What has been thought about the end.
struct Conclusion {
    std::vector<Gap> gaps;
    std::string compromise_json;  ///< empty: by rules
    std::vector<SubDemand> sub_demands;
};

/// Asks a model for the steps of a negotiation, one prompt of playbooks/negotiation each. Where it
/// does not answer, or not as it should, rules decide (R35). Each `done` is called once, on the
/// loop, and may be called before the function returns. Thread: the loop.
class Thinking {
  public:
    /// `drafter` must outlive this.
    explicit Thinking(model::Drafter& drafter) : drafter_(drafter) {}

    /// The answer to prompt 1, for `understood`.
    void understand(const std::string& raw_input, const std::string& user_id,
                    std::function<void(std::optional<nlohmann::json>)> done);
    /// Prompt 2.
    void filter(const Run& run, std::vector<Profile> shown, Filtered by_rules,
                std::function<void(Filtered)> done);
    /// Prompt 4 for the first version, 6 for others; nullopt: by rules.
    void propose(const Run& run, UnixMs now_ms, std::function<void(std::optional<Proposal>)> done);
    /// Prompts 7, 8 and 9, one after the other, as far as there is something to ask.
    void conclude(const Run& run, std::function<void(Conclusion)> done);

    /// Prompt 3 about an invitation that waits, or 5 about the plan in it; `own` is our agent.
    /// Empty: by rules.
    void advise(const Invitation& invitation, Profile own, std::function<void(Advice)> done);

  private:
    struct Ending;
    using Answered = std::function<void(std::optional<nlohmann::json>)>;
    void ask(std::string_view book, const nlohmann::json& input, i18n::Language language,
             Answered done);
    void decide_recursion(const std::shared_ptr<Ending>& ending);
    void find_compromise(const std::shared_ptr<Ending>& ending);

    model::Drafter& drafter_;
};

}  // namespace a2h::collab
