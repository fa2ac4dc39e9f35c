#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/clock.h"
#include "core/base/poster.h"
#include "core/domain/job.h"
#include "core/domain/message.h"
#include "core/domain/stage_case.h"
#include "core/store/writer.h"
#include "daemon/config/current.h"
#include "daemon/config/stages_options.h"
#include "daemon/decide/decision.h"
#include "daemon/model/drafter.h"
#include "daemon/outcome/commits.h"
#include "daemon/outcome/own_mail.h"
#include "daemon/stages/flow.h"

namespace a2h::stages {

/// Exchanges the task messages between queue, context service, drafter and review. Keeps the open
/// cases, continues each when its stage has answered, and asks the human if none does.
///
/// Every change of a case is one transaction with all its effects, and depends on the case's
/// version, so that of two events at the same time only one has an effect. A crash leaves the case
/// as it was; `resume` continues it, and the stage that it waited for gets its full time again.
/// Without a drafter or a stage of another program this class does nothing.
///
/// Thread:  the loop.
class Exchange final : public outcome::OwnMail {
  public:
    /// Limits of open cases of this daemon and of one peer. Further messages are put to the human.
    static constexpr int kOpenCasesMax = 1'024;
    static constexpr int kOpenCasesOfPeerMax = 8;

    /// `drafter` may be null. All arguments must outlive this object.
    Exchange(const Clock& clock, Timers& loop, store::Writer& writer, store::Database& reader,
             const Current<Config>& config, const Options& options, const Deciding& deciding,
             model::Drafter* drafter, const outcome::Commits& commits);

    /// Continues the open cases of the database. Call at the start.
    void resume();

    /// Whether this program or another one can draft.
    bool can_draft() const;
    /// Whether `decision` has to pass the stages before anything is sent.
    bool handles(const decide::Decision& decision) const;
    /// Opens the case of `job` and commits all effects so far. `done` gets the result on the loop,
    /// perhaps before this returns.
    ///
    /// Errors:  passed to `done`: Conflict if the job is already decided; those of the store.
    void open(const Job& job, const decide::Input& input, decide::Decision decision, Done done);

    bool takes(const InboxMessage& message) const override;
    bool takes_at_home(std::string_view message_type) const override;
    /// Handles a message of the stages: it counts for its case, or is recorded with the reason why
    /// it does not.
    void receive(const Job& job, const InboxMessage& message, Done done) override;

    std::size_t open_cases() const { return live_.size(); }

  private:
    struct Live {
        StageCase stage_case;
        bool busy = false;  ///< a change is being written
    };
    struct Settlement {
        Step step;
        bool has_case = false;
        std::vector<store::OutboxPlace> places;  ///< filled by the writer
    };
    using Move = std::function<void(Flow& flow)>;

    bool is_full(const InboxMessage& message) const;
    void refuse(const Job& job, const InboxMessage& message, const std::string& why, Done done);
    Result<Step> step_of(const StageCase& before, const Move& move) const;
    /// Tries again until the change is written or the case has another version.
    void advance(std::int64_t job_id, int version, const Move& move);
    void advance_with(std::int64_t job_id, const Move& move, std::optional<Job> carrier, Done done);
    void commit(Step step, bool has_case, Done done);
    void settle(const Settlement& settlement);
    void watch(const StageCase& stage_case);
    void expire(std::int64_t job_id, int version);
    void start_draft(const StageCase& stage_case);
    void draft_arrived(std::int64_t job_id, int version, const Result<model::Draft>& draft);
    Live* find_live(std::int64_t job_id, int version);
    Result<Flow::Setup> setup_for(const StageCase& stage_case) const;

    i18n::Language owner_language() const { return config_->approval.language; }

    const Clock& clock_;
    Timers& loop_;
    store::Writer& writer_;
    store::Database& reader_;
    const Current<Config>& config_;
    const Options& options_;
    const Deciding& deciding_;
    model::Drafter* const drafter_;
    const outcome::Commits& commits_;
    std::unordered_map<std::int64_t, Live> live_;  ///< keyed by job
};

}  // namespace a2h::stages
