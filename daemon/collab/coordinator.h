#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/base/result.h"
#include "core/domain/demand.h"
#include "daemon/collab/profile_sync.h"
#include "daemon/collab/steps.h"
#include "daemon/collab/submission.h"
#include "daemon/collab/thinking.h"
#include "daemon/config/current.h"
#include "daemon/consent/carrier.h"
#include "daemon/context/agent.h"
#include "daemon/context/unread_mail.h"
#include "daemon/kernel/kernel.h"
#include "daemon/outcome/commits.h"

namespace a2h::collab {

/// Runs the negotiations that agents of this home have requested: finds those with a step to take,
/// decides the step, and writes it in one transaction together with the messages that it sends.
/// After a crash each negotiation continues where it was.
///
/// A step for which `must_read_first` is true waits until the mail at the broker was read. While it
/// cannot be read, the negotiation stands still, and after `kUnreadMax` it continues without
/// everybody whose mail could be waiting. With agents of this home only, nothing waits.
///
/// Thread:  the loop.
/// Source:  docs/rulings.md, R46.
class Coordinator {
  public:
    /// How long a step waits for mail to be read.
    static constexpr std::chrono::minutes kUnreadMax{10};

    /// Without `thinking`, rules decide.
    Coordinator(const kernel::Kernel& kernel, const Current<Config>& config, Agents& agents,
                ProfileSource& profiles, const UnreadMail& mail, Thinking* thinking,
                const outcome::Commits& commits);

    /// Continues every negotiation that has not ended. Call once at the start.
    void start();

    using Done = std::function<void(Result<Negotiation>)>;
    /// `done` is called once the demand is stored together with what was understood of it; the
    /// negotiation then runs by itself. This takes as long as the slower of the model's time-out
    /// and the market's profiles.
    ///
    /// Errors:  InvalidArgument for a text that is empty or too long, or for invited ids that are
    ///          not agent ids; NotFound for an agent that is not in this home; ResourceExhausted if
    ///          too many negotiations of the agent are running.
    void submit(Submission submission, Done done) { submit(std::move(submission), {}, done); }
    /// Work to be done on the store writer in the transaction that stores the demand. If it fails,
    /// the whole transaction fails.
    using Also = std::function<Result<void>(store::Database& db, const Negotiation& negotiation)>;
    void submit(Submission submission, Also also, Done done);
    /// `is_released`: a human wishes it, so the end is sent whatever is open (R46).
    ///
    /// Errors:  NotFound; Conflict if the negotiation has ended.
    void cancel(const std::string& negotiation_id, bool is_released, Done done);

    /// Call after a commit about this negotiation: it checks which step follows. Calls that come
    /// together are handled as one.
    void check_negotiation(const std::string& negotiation_id);

  private:
    struct Wait {
        UnixMs deadline_ms = 0;  ///< the deadline that this timer belongs to
        std::chrono::steady_clock::time_point due{};
    };

    /// A step that waits for mail to be read.
    struct Held {
        Run run;
        Step step = Step::Wait;
        Thoughts thoughts;
    };

    struct Beginning;
    void understood(const Beginning& beginning);
    void check_all();
    void check_again_later(const std::string& negotiation_id);
    void advance(const std::string& negotiation_id);
    bool is_due(const Negotiation& negotiation);
    void filter(Run run);
    void filter_among_profiles(const Run& run);
    void propose(const Run& run);
    void conclude(const Run& run);
    std::vector<Negotiation> negotiations_for(const Run& run,
                                              const std::vector<SubDemand>& subs) const;
    std::vector<std::string> home() const;
    bool asks_others(const Run& run) const;
    void perform(Run run, Step step, Thoughts thoughts);
    void read_mail();
    void mail_was_read(std::vector<Held>& held, bool is_read);
    bool has_read_answers(const Negotiation& negotiation) const;
    bool has_waited_long(const std::string& negotiation_id);
    void write(Held held, bool is_unread);
    void performed(const std::string& negotiation_id, const Result<void>& written);
    void try_again(const std::string& negotiation_id, std::string_view what, const Error& error);

    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    Agents& agents_;
    ProfileSource& profiles_;
    const UnreadMail& mail_;
    Thinking* const thinking_;
    const outcome::Commits& commits_;
    std::unordered_set<std::string> changed_;  ///< negotiations to be looked at
    std::unordered_set<std::string>
        under_way_;  ///< negotiations with a step that is being decided or written
    std::unordered_map<std::string, Wait> waits_;
    /// Negotiations whose demand a human has released. After a restart none is known.
    std::unordered_set<std::string> released_;
    bool check_posted_ = false;
    std::vector<Held> held_;
    bool is_reading_ = false;
    /// Since when the steps of a negotiation could not be taken because mail was unread.
    std::unordered_map<std::string, std::chrono::steady_clock::time_point> unread_since_;
};

/// Carries out `demand.submit` after a yes.
consent::Carrier carrier_by(Coordinator& coordinator);

}  // namespace a2h::collab
