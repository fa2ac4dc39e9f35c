#pragma once

#include <chrono>
#include <functional>
#include <memory>
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

/// The exchange of the task messages between queue, context service, drafter and review: keeps the
/// open cases, hands each on when its stage has answered, and asks the human when none does.
///
/// Every change of a case is one transaction with all that follows from it, under the case's
/// version, so that of two events about the same moment one has no effect. A crash leaves the case
/// where it was; `resume` goes on from there, and a stage that was waited for gets its full time
/// again. With neither a drafter nor a stage of another program this does nothing.
/// Thread: the loop.
class Exchange final : public outcome::OwnMail {
  public:
    /// Open cases of one daemon and of one of its peers; what comes on top is put to the human.
    static constexpr int kOpenCasesMax = 1'024;
    static constexpr int kOpenCasesOfPeerMax = 8;

    /// `drafter` may be null. All of these outlive this object.
    Exchange(const Clock& clock, Timers& loop, store::Writer& writer, store::Database& reader,
             const Current<Config>& config, const Options& options, const Deciding& deciding,
             model::Drafter* drafter, const outcome::Commits& commits);

    /// Takes up the open cases of the database; call at start.
    void resume();

    /// Whether somebody can draft, us or another program.
    bool can_draft() const;
    /// Whether `decision` goes through the stages before anything leaves.
    bool handles(const decide::Decision& decision) const;
    /// Opens the case of `job` and commits all that follows so far.
    void open(const Job& job, const decide::Input& input, decide::Decision decision, Done done);

    bool takes(const InboxMessage& message) const override;
    bool takes_at_home(std::string_view message_type) const override;
    /// A message of the stages: counts for its case, or is recorded with the reason why it does
    /// not.
    void receive(const Job& job, const InboxMessage& message, Done done) override;

    std::size_t open_cases() const { return live_.size(); }

  private:
    struct Live {
        StageCase stage_case;
        bool busy = false;  ///< a change is on its way to the disk
    };
    struct Settlement {
        Step step;
        bool has_case = false;
        std::vector<store::OutboxPlace> places;  ///< the writer's
    };
    using Move = std::function<void(Flow& flow)>;

    bool is_full(const InboxMessage& message) const;
    void refuse(const Job& job, const InboxMessage& message, const std::string& why, Done done);
    Result<Step> step_of(const StageCase& before, const Move& move) const;
    /// Tries again until it is written or the case has another version.
    void advance(std::int64_t job_id, int version, const Move& move);
    void advance_with(std::int64_t job_id, const Move& move, std::optional<Job> carrier, Done done);
    void commit(Step step, bool has_case, Done done);
    void settle(const Settlement& settlement);
    void watch(const StageCase& stage_case);
    void expire(std::int64_t job_id, int version);
    void start_draft(const StageCase& stage_case);
    void draft_arrived(std::int64_t job_id, int version, const Result<model::Draft>& draft);
    Live* find_live(std::int64_t job_id, int version);
    Result<Flow::Desk> desk_for(const StageCase& stage_case) const;

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
    std::unordered_map<std::int64_t, Live> live_;  ///< by job
};

}  // namespace a2h::stages
