#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/clock.h"
#include "core/base/poster.h"
#include "core/domain/message.h"
#include "core/domain/stage_case.h"
#include "core/domain/task.h"
#include "core/store/writer.h"
#include "daemon/config/stages_options.h"
#include "daemon/decide/decision.h"
#include "daemon/model/drafter.h"
#include "daemon/outcome/outcome.h"
#include "daemon/stages/flow.h"

namespace a2h::stages {

/// The exchange of the task messages between queue, context service, drafter and review: keeps the
/// open cases, hands each on when its stage has answered, and asks the human when none does.
///
/// Every change of a case is one transaction with all that follows from it, under the case's
/// version, so that of two events about the same moment one has no effect. A crash leaves the case
/// where it was; `resume` goes on from there, and a stage that was waited for gets its full time
/// again. With neither a drafter nor a stage of another program this does nothing.
/// Thread: the loop.
class Exchange {
  public:
    /// Open cases of one daemon and of one of its peers; what comes on top is put to the human.
    static constexpr int kOpenCasesMax = 1'024;
    static constexpr int kOpenCasesOfPeerMax = 8;

    struct Environment {
        const Clock& clock;
        Poster& loop;
        store::Writer& writer;
        store::Database& reader;
        std::function<void(std::chrono::milliseconds, std::function<void()>)> call_after;
        const Options& options;
        std::shared_ptr<const consent::Policy> policy;
        model::Drafter* drafter = nullptr;  ///< may be null; outlives this
        /// What is known about a message now. Errors: NotFound when its agent is none of ours.
        std::function<Result<decide::Input>(const InboxMessage&)> snapshot;
        EffectsOf effects_of;
        /// After each commit, with the places of the outbox rows.
        std::function<void(const outcome::Effects&, const std::vector<store::OutboxPlace>&)>
            on_effects;
    };
    /// Success, Conflict (somebody else was first), or an error after which it may be tried again.
    using Done = std::function<void(const Result<void>&)>;

    explicit Exchange(Environment environment);

    /// Others from now on. Those of before must live until what they have begun has ended.
    void use(std::shared_ptr<const consent::Policy> policy, model::Drafter* drafter);

    /// Takes up the open cases of the database; call at start.
    void resume();

    /// Whether somebody can draft, us or another program.
    bool can_draft() const;
    /// Whether `decision` goes through the stages before anything leaves.
    bool takes(const decide::Decision& decision) const;
    /// Opens the case of `task` and commits all that follows so far.
    void open(const Task& task, const decide::Input& input, decide::Decision decision, Done done);
    /// A message of the stages: counts for its case, or is recorded with the reason why it does
    /// not. Never answered as chat is.
    void receive(const Task& task, const InboxMessage& message, Done done);

    std::size_t open_cases() const { return live_.size(); }

  private:
    struct Live {
        StageCase stage_case;
        bool busy = false;  ///< a change is on its way to the disk
    };
    struct Job {
        Step step;
        bool has_case = false;
        std::vector<store::OutboxPlace> places;  ///< the writer's
    };
    using Move = std::function<void(Flow& flow)>;

    bool is_full(const InboxMessage& message) const;
    void refuse(const Task& task, const InboxMessage& message, const std::string& why, Done done);
    Result<Step> step_of(const StageCase& before, const Move& move) const;
    /// Tries again until it is written or the case has another version.
    void advance(std::int64_t task_id, int version, const Move& move);
    void advance_with(std::int64_t task_id, const Move& move, std::optional<Task> carrier,
                      Done done);
    void commit(Step step, bool has_case, Done done);
    void settle(const Job& job);
    void watch(const StageCase& stage_case);
    void expire(std::int64_t task_id, int version);
    void start_draft(const StageCase& stage_case);
    void draft_arrived(std::int64_t task_id, int version, const Result<model::Draft>& draft);
    Live* find_live(std::int64_t task_id, int version);
    Result<Flow::Desk> desk_for(const StageCase& stage_case) const;

    i18n::Language owner_language() const { return policy_->language; }

    const Environment environment_;
    std::shared_ptr<const consent::Policy> policy_;
    model::Drafter* drafter_;
    std::unordered_map<std::int64_t, Live> live_;  ///< by task
};

}  // namespace a2h::stages
