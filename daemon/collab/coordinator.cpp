#include "daemon/collab/coordinator.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/log.h"
#include "core/base/text.h"
#include "core/store/demand_store.h"
#include "core/wire/canonical.h"
#include "daemon/collab/understanding_answer.h"
#include "daemon/collab/understanding_rules.h"
#include "daemon/kernel/fault_point.h"

namespace a2h::collab {
namespace {

using nlohmann::json;

constexpr std::chrono::seconds kRetryDelay{1};
constexpr std::size_t kIdBytes = 6;

Negotiation new_negotiation(const Submission& wanted, const wire::Understanding& understood,
                            UnixMs now_ms) {
    const std::string id = random_hex(kIdBytes);
    Negotiation negotiation;
    negotiation.negotiation_id = "collab-" + id;
    negotiation.demand_id = "d-" + id;
    negotiation.agent_id = wanted.agent_id;
    negotiation.parent_negotiation_id = wanted.parent_negotiation_id;
    negotiation.user_id = wanted.user_id;
    negotiation.raw_input = wanted.raw_input;
    negotiation.understanding_json = wire::canonical_json(wire::to_json(understood));
    negotiation.on_timeout = wanted.on_timeout;
    negotiation.shows_terms = wanted.shows_terms;
    negotiation.response_seconds = wanted.response_seconds;
    negotiation.feedback_seconds = wanted.feedback_seconds;
    negotiation.created_at_ms = now_ms;
    negotiation.updated_at_ms = now_ms;
    return negotiation;
}

/// The agents that the requester has named.
Filtered chosen(const std::vector<std::string>& invited, const wire::Understanding& demand) {
    Filtered filtered;
    for (const std::string& id : invited) {
        const bool is_new =
            std::none_of(filtered.definitely_related.begin(), filtered.definitely_related.end(),
                         [&](const Candidate& each) { return each.agent_id == id; });
        if (is_new)
            filtered.definitely_related.push_back({id, id, demand.capability_tags, {}, 100});
    }
    return filtered;
}

}  // namespace

/// A demand that is being understood.
struct Coordinator::Beginning {
    Submission submission;
    Also also;
    Done done;
    std::optional<json> answer;  ///< the model's answer
    int awaited = 2;             ///< answers still missing: the market's profiles and the model's
};

Coordinator::Coordinator(const kernel::Kernel& kernel, const Current<Config>& config,
                         Agents& agents, ProfileSource& profiles, const UnreadMail& mail,
                         Thinking* thinking, const outcome::Commits& commits)
    : kernel_(kernel),
      config_(config),
      agents_(agents),
      profiles_(profiles),
      mail_(mail),
      thinking_(thinking),
      commits_(commits) {}

void Coordinator::start() {
    const auto live = store::live_negotiations(kernel_.reader);
    if (!live) {
        log::warning("Negotiations could not be read; trying again later",
                     {{"error", live.error().message}});
        kernel_.loop.call_after(kRetryDelay, [this] { start(); });
        return;
    }
    for (const std::string& id : *live)
        check_negotiation(id);
}

void Coordinator::submit(Submission submission, Also also, Done done) {
    if (const auto checked = check(submission); !checked) return done(fail(checked.error()));
    const auto agent = agents_.find(submission.agent_id);
    if (agent == agents_.end() || agent->second->is_stopped) {
        return done(fail(ErrorCode::NotFound, "a2hd does not serve agent " + submission.agent_id));
    }
    const auto live = store::live_negotiation_count(kernel_.reader, submission.agent_id);
    if (!live) return done(fail(live.error()));
    if (*live >= kLiveNegotiationsMax) {
        return done(fail(ErrorCode::ResourceExhausted,
                         "this agent already runs " + std::to_string(*live) + " negotiations"));
    }
    auto beginning = std::make_shared<Beginning>();
    beginning->submission = std::move(submission);
    beginning->also = std::move(also);
    beginning->done = std::move(done);
    const auto step_done = [this, beginning] {
        if (--beginning->awaited == 0) understood(*beginning);
    };
    profiles_.refresh(*agent->second, step_done);
    if (!thinking_) return step_done();
    thinking_->understand(beginning->submission.raw_input, beginning->submission.user_id,
                          [beginning, step_done](std::optional<json> answer) {
                              beginning->answer = std::move(answer);
                              step_done();
                          });
}

void Coordinator::understood(const Beginning& beginning) {
    const Submission& submission = beginning.submission;
    const Done& done = beginning.done;
    auto understood = understand_by_rules(kernel_.reader, submission.raw_input);
    if (!understood) return done(fail(understood.error()));
    if (beginning.answer) {
        *understood = collab::understood(*beginning.answer, *understood, submission.raw_input);
    }
    const Negotiation negotiation =
        new_negotiation(submission, *understood, kernel_.clock.now_ms());
    std::optional<Filtered> filtered;
    if (!submission.invite.empty()) filtered = chosen(submission.invite, *understood);
    kernel_.write(
        store::Writer::Priority::Grouped,
        [negotiation, filtered, also = beginning.also,
         policy = policy_of(config_)](store::Database& db) -> Result<void> {
            const Writing to{db, *policy, negotiation.created_at_ms};
            A2H_TRY(write_submitted(to, negotiation));
            if (also) A2H_TRY(also(db, negotiation));
            if (!filtered) return {};
            Run run;
            run.negotiation = negotiation;
            Thoughts thoughts;
            thoughts.filtered = filtered;
            return write_step(to, std::move(run), Step::Filter, thoughts);
        },
        [this, negotiation, done,
         is_released = submission.is_released](const Result<void>& written) {
            if (!written) return done(fail(written.error()));
            log::info("A negotiation has begun", {{"demand", negotiation.demand_id}});
            if (is_released) released_.insert(negotiation.negotiation_id);
            check_negotiation(negotiation.negotiation_id);
            done(negotiation);
        });
}

void Coordinator::cancel(const std::string& negotiation_id, bool is_released, Done done) {
    auto cancelled = std::make_shared<Negotiation>();
    kernel_.write(
        store::Writer::Priority::Grouped,
        [negotiation_id, is_released, cancelled, policy = policy_of(config_),
         now_ms = kernel_.clock.now_ms()](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(auto run, read_run(db, negotiation_id));
            if (!run) return fail(ErrorCode::NotFound, "there is no negotiation " + negotiation_id);
            A2H_TRY(write_cancelled({db, *policy, now_ms, {}, is_released}, std::move(*run)));
            A2H_ASSIGN_OR_RETURN(auto stored, store::get_negotiation(db, negotiation_id));
            *cancelled = std::move(*stored);
            return {};
        },
        [this, negotiation_id, cancelled, done = std::move(done)](const Result<void>& written) {
            if (!written) return done(fail(written.error()));
            commits_.rows_written();
            check_negotiation(negotiation_id);
            done(*cancelled);
        });
}

void Coordinator::check_negotiation(const std::string& negotiation_id) {
    changed_.insert(negotiation_id);
    if (std::exchange(check_posted_, true)) return;
    kernel_.loop.post([this] { check_all(); });
}

void Coordinator::check_all() {
    check_posted_ = false;
    for (const std::string& id : std::exchange(changed_, {}))
        advance(id);
}

void Coordinator::check_again_later(const std::string& negotiation_id) {
    kernel_.loop.call_after(kRetryDelay,
                            [this, negotiation_id] { check_negotiation(negotiation_id); });
}

void Coordinator::advance(const std::string& negotiation_id) {
    if (under_way_.contains(negotiation_id))
        return;  // the end of that step looks at the negotiation again
    auto run = read_run(kernel_.reader, negotiation_id);
    if (!run) {
        log::warning("A negotiation could not be read", {{"error", run.error().message}});
        return check_again_later(negotiation_id);
    }
    if (!*run || is_final((*run)->negotiation.state)) {
        waits_.erase(negotiation_id);
        released_.erase(negotiation_id);
        unread_since_.erase(negotiation_id);
        return;
    }
    const Step step = next_step(**run, is_due((*run)->negotiation));
    if (step == Step::Wait) return;
    under_way_.insert(negotiation_id);
    if (step == Step::Filter) return filter(std::move(**run));
    if (step == Step::Propose) return propose(**run);
    if (step == Step::Conclude) return conclude(**run);
    perform(std::move(**run), step, {});
}

/// Waiting times use the steady clock. Only after a restart does the wall clock say how much time
/// is left.
bool Coordinator::is_due(const Negotiation& negotiation) {
    if (negotiation.deadline_ms == 0) return false;
    const auto now = kernel_.clock.steady_now();
    Wait& wait = waits_[negotiation.negotiation_id];
    if (wait.deadline_ms != negotiation.deadline_ms) {
        const UnixMs longest =
            UnixMs{1'000} * std::max(negotiation.response_seconds, negotiation.feedback_seconds);
        const std::chrono::milliseconds left{
            std::clamp<UnixMs>(negotiation.deadline_ms - kernel_.clock.now_ms(), 0, longest)};
        wait = {negotiation.deadline_ms, now + left};
        kernel_.loop.call_after(left + std::chrono::milliseconds(1),
                                [this, id = negotiation.negotiation_id] { check_negotiation(id); });
    }
    return now >= wait.due;
}

void Coordinator::filter(Run run) {
    const auto agent = agents_.find(run.negotiation.agent_id);
    if (agent == agents_.end()) return;  // this process no longer serves the agent
    profiles_.refresh(*agent->second, [this, run = std::move(run)] { filter_among_profiles(run); });
}

void Coordinator::filter_among_profiles(const Run& run) {
    store::Database& reader = kernel_.reader;
    auto by_rules = filter_by_rules(reader, run.demand, run.negotiation.agent_id);
    if (!by_rules) {
        return try_again(run.negotiation.negotiation_id, "Candidates could not be read",
                         by_rules.error());
    }
    const auto finish = [this, run](Filtered filtered) {
        Thoughts thoughts;
        thoughts.filtered = std::move(filtered);
        perform(run, Step::Filter, std::move(thoughts));
    };
    if (!thinking_) return finish(std::move(*by_rules));
    auto shown = profiles_to_show(reader, run);
    if (!shown) {
        return try_again(run.negotiation.negotiation_id, "Profiles could not be read",
                         shown.error());
    }
    thinking_->filter(run, std::move(*shown), std::move(*by_rules), finish);
}

void Coordinator::propose(const Run& run) {
    if (!thinking_) return perform(run, Step::Propose, {});
    thinking_->propose(run, kernel_.clock.now_ms(), [this, run](std::optional<Proposal> proposal) {
        Thoughts thoughts;
        thoughts.proposal = std::move(proposal);
        perform(run, Step::Propose, std::move(thoughts));
    });
}

void Coordinator::conclude(const Run& run) {
    if (!thinking_) return perform(run, Step::Conclude, {});
    thinking_->conclude(run, [this, run](Conclusion concluded) {
        Thoughts thoughts;
        thoughts.gaps = std::move(concluded.gaps);
        thoughts.compromise_json = std::move(concluded.compromise_json);
        thoughts.sub_demands = negotiations_for(run, concluded.sub_demands);
        perform(run, Step::Conclude, std::move(thoughts));
    });
}

std::vector<Negotiation> Coordinator::negotiations_for(const Run& run,
                                                       const std::vector<SubDemand>& subs) const {
    const Negotiation& parent = run.negotiation;
    const auto live = store::live_negotiation_count(kernel_.reader, parent.agent_id);
    std::vector<Negotiation> negotiations;
    for (const SubDemand& sub : subs) {
        const bool has_room =
            live && *live + static_cast<int>(negotiations.size()) < kLiveNegotiationsMax;
        auto understood = understand_by_rules(kernel_.reader, sub.description);
        if (!has_room || !understood) return negotiations;
        understood->capability_tags = sub.tags;
        Submission wanted;
        wanted.agent_id = parent.agent_id;
        wanted.raw_input = parent.raw_input;  // the description is a model's, which nobody has seen
        wanted.user_id = parent.user_id;
        wanted.on_timeout = parent.on_timeout;
        wanted.shows_terms = parent.shows_terms;
        wanted.response_seconds = parent.response_seconds;
        wanted.feedback_seconds = parent.feedback_seconds;
        wanted.parent_negotiation_id = parent.negotiation_id;
        negotiations.push_back(new_negotiation(wanted, *understood, kernel_.clock.now_ms()));
    }
    return negotiations;
}

std::vector<std::string> Coordinator::home() const {
    std::vector<std::string> ids;
    for (const auto& [id, agent] : agents_)
        ids.push_back(id);
    return ids;
}

/// The mail of agents of this home does not wait at the broker.
bool Coordinator::asks_others(const Run& run) const {
    return std::any_of(run.parties.begin(), run.parties.end(),
                       [&](const Party& party) { return !agents_.contains(party.agent_id); });
}

void Coordinator::perform(Run run, Step step, Thoughts thoughts) {
    const bool invites_by_human =
        step == Step::Broadcast && released_.contains(run.negotiation.negotiation_id);
    const bool waits = must_read_first(run, step) && asks_others(run) && !invites_by_human;
    Held held{std::move(run), step, std::move(thoughts)};
    if (!waits) return write(std::move(held), false);
    held_.push_back(std::move(held));
    read_mail();
}

/// Reads the waiting mail once for all steps that wait when the reading begins.
void Coordinator::read_mail() {
    if (is_reading_ || held_.empty()) return;
    is_reading_ = true;
    const auto held = std::make_shared<std::vector<Held>>(std::exchange(held_, {}));
    mail_.read_all(UnreadMail::kReadingMax,
                   [this, held](bool is_read) { mail_was_read(*held, is_read); });
}

void Coordinator::mail_was_read(std::vector<Held>& held, bool is_read) {
    bool tries_later = false;
    for (Held& each : held) {
        const std::string negotiation_id = each.run.negotiation.negotiation_id;
        const bool has_read = is_read && has_read_answers(each.run.negotiation);
        if (has_read) unread_since_.erase(negotiation_id);
        if (has_read || has_waited_long(negotiation_id)) {
            write(std::move(each), !has_read);
        } else {
            held_.push_back(std::move(each));
            tries_later = true;
        }
    }
    const auto again = [this] {
        is_reading_ = false;
        read_mail();
    };
    if (!tries_later) return again();
    kernel_.loop.call_after(kRetryDelay, again);
}

/// Answers that have been received count before silence does.
bool Coordinator::has_read_answers(const Negotiation& negotiation) const {
    const auto waits = store::has_undecided_answer(kernel_.reader, negotiation.agent_id,
                                                   negotiation.negotiation_id);
    return waits && !*waits;
}

bool Coordinator::has_waited_long(const std::string& negotiation_id) {
    const auto now = kernel_.clock.steady_now();
    const auto since = unread_since_.try_emplace(negotiation_id, now).first->second;
    return now - since >= kUnreadMax;
}

void Coordinator::write(Held held, bool is_unread) {
    const std::string negotiation_id = held.run.negotiation.negotiation_id;
    const bool is_released = released_.contains(negotiation_id);
    std::vector<std::string> begun;
    for (const Negotiation& sub : held.thoughts.sub_demands)
        begun.push_back(sub.negotiation_id);
    kernel_.write(
        store::Writer::Priority::Grouped,
        [held = std::move(held), policy = policy_of(config_), now_ms = kernel_.clock.now_ms(),
         home = home(), is_released, is_unread](store::Database& db) {
            return write_step({db, *policy, now_ms, home, is_released, is_unread}, held.run,
                              held.step, held.thoughts);
        },
        [this, negotiation_id, begun](const Result<void>& written) {
            performed(negotiation_id, written);
            if (!written) return;
            for (const std::string& sub : begun)
                check_negotiation(sub);
        });
}

void Coordinator::performed(const std::string& negotiation_id, const Result<void>& written) {
    A2H_FAULT_POINT("demand.10");
    under_way_.erase(negotiation_id);
    if (written) {
        commits_.rows_written();
        return check_negotiation(negotiation_id);
    }
    if (written.error().code == ErrorCode::Conflict) return check_negotiation(negotiation_id);
    try_again(negotiation_id, "A step of a negotiation could not be written", written.error());
}

void Coordinator::try_again(const std::string& negotiation_id, std::string_view what,
                            const Error& error) {
    log::warning(what, {{"negotiation", negotiation_id}, {"error", error.message}});
    under_way_.erase(negotiation_id);
    check_again_later(negotiation_id);
}

consent::Carrier carrier_by(Coordinator& coordinator) {
    return [&coordinator](const Approval& approval, const nlohmann::json& arguments,
                          consent::UseYes use, std::function<void(const Result<void>&)> done) {
        Submission submission = submission_of(approval.agent_id, arguments);
        // The card showed what each named agent has said.
        submission.is_released = !submission.invite.empty();
        coordinator.submit(
            std::move(submission),
            [use = std::move(use)](store::Database& db, const Negotiation& negotiation) {
                return use(db, {{"demand_id", negotiation.demand_id},
                                {"channel_id", negotiation.negotiation_id}});
            },
            [done = std::move(done)](const Result<Negotiation>& begun) {
                done(begun ? Result<void>() : fail(begun.error()));
            });
    };
}

}  // namespace a2h::collab
