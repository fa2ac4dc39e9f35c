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

/// The most profiles that are shown to a model.
constexpr std::size_t kShownMax = 100;

/// The profiles from which the model may choose: all active ones, or the best by rules if there are
/// more. Never the requester.
///
/// Errors:  those of the database.
/// Thread:  that of `reader`.
Result<std::vector<Profile>> profiles_to_show(store::Database& reader, const Run& run);

/// The decision about how a negotiation ends.
struct Conclusion {
    std::vector<Gap> gaps;
    std::string compromise_json;  ///< empty: rules decide
    std::vector<SubDemand> sub_demands;
};

/// Asks a model about the steps of a negotiation, with one prompt of playbooks/negotiation for
/// each. If the model does not answer or its answer is not usable, rules decide (R35). Each `done`
/// is called once on the loop, possibly before the function returns.
///
/// Thread:  the loop.
class Thinking {
  public:
    /// `drafter` must outlive this.
    explicit Thinking(model::Drafter& drafter) : drafter_(drafter) {}

    /// Prompt 1; `understood` receives the answer.
    void understand(const std::string& raw_input, const std::string& user_id,
                    std::function<void(std::optional<nlohmann::json>)> done);
    /// Prompt 2.
    void filter(const Run& run, std::vector<Profile> shown, Filtered by_rules,
                std::function<void(Filtered)> done);
    /// Prompt 4 for the first version, 6 for others; nullopt: by rules.
    void propose(const Run& run, UnixMs now_ms, std::function<void(std::optional<Proposal>)> done);
    /// Prompts 7, 8 and 9 in order, as far as there is something to ask.
    void conclude(const Run& run, std::function<void(Conclusion)> done);

    /// Prompt 3 about an invitation that waits, or prompt 5 about the plan in it. `own` is our
    /// agent. The advice is empty if rules decide.
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
