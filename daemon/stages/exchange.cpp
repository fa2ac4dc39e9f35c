#include "daemon/stages/exchange.h"

#include <algorithm>
#include <utility>

#include "core/base/log.h"
#include "core/store/case_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/wire/payload.h"
#include "daemon/stages/case_effects.h"
#include "daemon/stages/case_json.h"
#include "daemon/stages/incoming.h"
#include "daemon/stages/own_review.h"

namespace a2h::stages {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds kTryAgainAfter{1};

CaseKind kind_of(const decide::Decision& decision) {
    if (decision.kind == decide::Kind::NeedsDraft) return CaseKind::Draft;
    return decision.kind == decide::Kind::Answer ? CaseKind::Reply : CaseKind::Holding;
}

StageCase new_case(const Job& job, const decide::Input& input, const decide::Decision& decision) {
    StageCase made;
    made.job_id = job.id;
    made.agent_id = input.message.agent_id;
    made.peer_id = input.message.sender_id;
    made.kind = kind_of(decision);
    made.decision_json = to_json(decision);
    made.created_at_ms = input.now_ms;
    made.updated_at_ms = input.now_ms;
    return made;
}

Job settled_carrier(Job job, std::string_view rule_id, std::string why, UnixMs now_ms) {
    job.state = JobState::Done;
    job.rule_id = rule_id;
    job.decision = decide::to_string(decide::Kind::Silent);
    job.why = std::move(why);
    job.updated_at_ms = now_ms;
    return job;
}

/// True if another attempt would end the same way: the model is unavailable or its budget is spent.
bool is_hopeless(ErrorCode code) {
    return code == ErrorCode::Unavailable || code == ErrorCode::ResourceExhausted;
}

}  // namespace

Exchange::Exchange(const Clock& clock, Timers& loop, store::Writer& writer, store::Database& reader,
                   const Current<Config>& config, const Options& options, const Deciding& deciding,
                   model::Drafter* drafter, const outcome::Commits& commits)
    : clock_(clock),
      loop_(loop),
      writer_(writer),
      reader_(reader),
      config_(config),
      options_(options),
      deciding_(deciding),
      drafter_(drafter),
      commits_(commits) {}

bool Exchange::can_draft() const {
    return drafter_ != nullptr || !options_.agent.empty();
}

bool Exchange::handles(const decide::Decision& decision) const {
    switch (decision.kind) {
        case decide::Kind::NeedsDraft:
            return can_draft();
        case decide::Kind::Answer:
            return !options_.review.empty();
        case decide::Kind::Ask:
            return !options_.review.empty() && !decision.holding_text.empty();
        case decide::Kind::Silent:
            return false;
    }
    return false;
}

bool Exchange::is_full(const InboxMessage& message) const {
    if (live_.size() >= static_cast<std::size_t>(kOpenCasesMax)) return true;
    // Unverifiable messages do not use up the limit of what their sender has certainly sent.
    const auto is_alike = [&](const StageCase& open) {
        const auto about = store::get_inbox(reader_, open.job_id);
        return !about || !*about ||
               is_authentic((*about)->provenance) == is_authentic(message.provenance);
    };
    const auto of_peer = std::count_if(live_.begin(), live_.end(), [&](const auto& entry) {
        const StageCase& open = entry.second.stage_case;
        return open.agent_id == message.agent_id && open.peer_id == message.sender_id &&
               is_alike(open);
    });
    return of_peer >= kOpenCasesOfPeerMax;
}

Result<Flow::Setup> Exchange::setup_for(const StageCase& stage_case) const {
    Flow::Setup setup{options_, deciding_, owner_language(), {}};
    if (stage_case.kind != CaseKind::Draft) return setup;
    A2H_ASSIGN_OR_RETURN(auto secrets, secret_amounts(reader_, stage_case.agent_id));
    setup.known.secrets = std::move(secrets);
    const auto decision = read_decision(stage_case.decision_json);
    A2H_ASSIGN_OR_RETURN(
        auto stated, stated_texts(reader_, stage_case.agent_id, stage_case.peer_id,
                                  decision ? decision->works_id : std::string(), clock_.now_ms()));
    setup.known.stated = std::move(stated);
    return setup;
}

void Exchange::open(const Job& job, const decide::Input& input, decide::Decision decision,
                    Done done) {
    Step step;
    const bool full = is_full(input.message);
    step.now = new_case(job, input, decision);
    const bool is_holding = step.now.kind == CaseKind::Holding;
    // A question is put at once; only the words to the peer have to wait.
    if (is_holding) decision.holding_text.clear();
    auto made = deciding_.effects_of(job, input.message, input, std::move(decision));
    const Job decided = *made.job;
    if (is_holding) {
        step.effects = std::move(made);
    } else {
        step.effects.job = decided;
        step.effects.job->state = JobState::InStages;
        step.effects.later = std::move(made.later);
    }
    if (is_holding && full) {
        commit(std::move(step), false, std::move(done));
        return;
    }
    const auto setup = setup_for(step.now);
    if (!setup) {
        done(fail(setup.error()));
        return;
    }
    Flow flow(*setup, input, decided, step);
    if (full) {
        flow.give_up(i18n::text(owner_language(), "stages.reason_full"));
    } else {
        flow.begin();
    }
    commit(std::move(step), true, std::move(done));
}

bool Exchange::takes(const InboxMessage& message) const {
    return is_stage_message(message.message_type);
}

bool Exchange::takes_at_home(std::string_view message_type) const {
    return is_stage_message(message_type);
}

void Exchange::receive(const Job& job, const InboxMessage& message, Done done) {
    Incoming incoming;
    auto refused = read_incoming(message, owner_language(), incoming);
    const auto found = std::find_if(live_.begin(), live_.end(), [&](const auto& entry) {
        return entry.second.stage_case.trace_id == message.trace_id;
    });
    const bool has_case = found != live_.end();
    if (!refused) {
        refused = match_incoming(message, incoming, has_case ? &found->second.stage_case : nullptr,
                                 options_, owner_language());
    }
    if (refused) {
        refuse(job, message, refused->why, std::move(done));
        return;
    }
    const Move move = [&](Flow& flow) {
        using wire::TaskMessageType;
        if (incoming.type == TaskMessageType::PromptBlocksResponse) {
            flow.blocks_arrived(message.payload_json, message.sender_id);
        } else if (incoming.type == TaskMessageType::GetContextRequest) {
            flow.read_blocks(message.payload_json, message.sender_id);
        } else if (incoming.type == TaskMessageType::ReportResultRequest) {
            flow.reported(message.payload_json, incoming.results_json, message.sender_id);
        } else {
            flow.evaluated(message.payload_json, incoming.evaluation, message.sender_id);
        }
    };
    advance_with(found->first, move,
                 settled_carrier(job, "stage.taken", i18n::text(owner_language(), "stages.taken"),
                                 clock_.now_ms()),
                 std::move(done));
}

void Exchange::refuse(const Job& job, const InboxMessage& message, const std::string& why,
                      Done done) {
    decide::Decision silent;
    silent.rule_id = "stage.refused";
    silent.why = why;
    decide::Input input;
    input.message = message;
    input.now_ms = clock_.now_ms();
    Step step;
    step.effects = deciding_.effects_of(job, message, input, std::move(silent));
    commit(std::move(step), false, std::move(done));
}

/// The case after `move`, computed from what is known about its message now.
Result<Step> Exchange::step_of(const StageCase& before, const Move& move) const {
    A2H_ASSIGN_OR_RETURN(const auto message, store::get_inbox(reader_, before.job_id));
    A2H_ASSIGN_OR_RETURN(const auto job, store::get_job(reader_, before.job_id));
    if (!message || !job) return fail(ErrorCode::NotFound, "the job of a case no longer exists");
    A2H_ASSIGN_OR_RETURN(const auto input, deciding_.snapshot(*message));
    Step step;
    step.now = before;
    ++step.now.version;
    step.now.updated_at_ms = input.now_ms;
    A2H_ASSIGN_OR_RETURN(const auto setup, setup_for(before));
    Flow flow(setup, input, *job, step);
    move(flow);
    return step;
}

void Exchange::advance(std::int64_t job_id, int version, const Move& move) {
    if (find_live(job_id, version) == nullptr) return;
    advance_with(
        job_id, move, std::nullopt, [this, job_id, version, move](const Result<void>& written) {
            if (written || written.error().code == ErrorCode::Conflict ||
                written.error().code == ErrorCode::NotFound) {
                return;
            }
            log::warning("A case could not be advanced; trying again later",
                         {{"error", written.error().message}});
            loop_.call_after(kTryAgainAfter,
                             [this, job_id, version, move] { advance(job_id, version, move); });
        });
}

void Exchange::advance_with(std::int64_t job_id, const Move& move, std::optional<Job> carrier,
                            Done done) {
    Live& live = live_.at(job_id);
    if (live.busy) {
        done(fail(ErrorCode::Unavailable, "the case is being changed"));
        return;
    }
    auto step = step_of(live.stage_case, move);
    if (!step) {
        if (step.error().code == ErrorCode::NotFound) live_.erase(job_id);
        done(fail(step.error()));
        return;
    }
    live.busy = true;
    step->carrier = std::move(carrier);
    commit(std::move(*step), true, [this, job_id, done](const Result<void>& written) {
        const auto found = live_.find(job_id);
        if (found != live_.end()) found->second.busy = false;
        if (!written && written.error().code == ErrorCode::Conflict) live_.erase(job_id);
        done(written);
    });
}

void Exchange::commit(Step step, bool has_case, Done done) {
    if (has_case) {
        step.effects.own = std::make_shared<CaseEffects>(step.now, std::move(step.messages),
                                                         std::move(step.carrier));
    }
    auto settlement = std::make_shared<Settlement>(Settlement{std::move(step), has_case, {}});
    writer_.submit(
        store::Writer::Priority::Grouped,
        [settlement, policy = policy_of(config_)](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(auto places,
                                 outcome::write_effects(db, settlement->step.effects, *policy));
            settlement->places = std::move(places);
            return {};
        },
        [this, &loop = loop_, settlement, done = std::move(done)](Result<void> result) {
            loop.post([this, settlement, done, result = std::move(result)] {
                if (result) settle(*settlement);
                done(result);
            });
        });
}

/// Makes the changes effective after the commit.
void Exchange::settle(const Settlement& settlement) {
    if (settlement.has_case && settlement.step.effects.own) {
        const StageCase& now = settlement.step.now;
        if (now.stage == CaseStage::Closed) {
            live_.erase(now.job_id);
        } else {
            live_[now.job_id] = {now, false};
            watch(now);
        }
    }
    commits_.written(settlement.step.effects, settlement.places);
    if (settlement.step.must_draft && live_.contains(settlement.step.now.job_id))
        start_draft(settlement.step.now);
}

void Exchange::watch(const StageCase& stage_case) {
    const auto left = stage_case.deadline_ms - clock_.now_ms();
    loop_.call_after(milliseconds(std::max<std::int64_t>(left, 0)),
                     [this, job_id = stage_case.job_id, version = stage_case.version] {
                         expire(job_id, version);
                     });
}

Exchange::Live* Exchange::find_live(std::int64_t job_id, int version) {
    const auto found = live_.find(job_id);
    if (found == live_.end() || found->second.stage_case.version != version) return nullptr;
    return &found->second;
}

void Exchange::expire(std::int64_t job_id, int version) {
    const Live* live = find_live(job_id, version);
    if (live == nullptr) return;
    if (live->busy) {
        loop_.call_after(kTryAgainAfter, [this, job_id, version] { expire(job_id, version); });
        return;
    }
    const std::string reason = i18n::text(owner_language(), "stages.reason_timeout");
    advance(job_id, version, [reason](Flow& flow) { flow.fail_try(reason); });
}

void Exchange::start_draft(const StageCase& stage_case) {
    const std::int64_t job_id = stage_case.job_id;
    const int version = stage_case.version;
    if (drafter_ == nullptr) {
        draft_arrived(
            job_id, version,
            fail(ErrorCode::Unavailable, i18n::text(owner_language(), "stages.reason_no_drafter")));
        return;
    }
    auto prompt = prompt_of(stage_case);
    if (!prompt) {
        draft_arrived(job_id, version, fail(prompt.error()));
        return;
    }
    drafter_->draft(std::move(*prompt), [this, job_id, version](const Result<model::Draft>& draft) {
        draft_arrived(job_id, version, draft);
    });
}

void Exchange::draft_arrived(std::int64_t job_id, int version, const Result<model::Draft>& draft) {
    const Live* live = find_live(job_id, version);
    if (live == nullptr || live->busy) return;  // too late: its attempt is over
    if (draft) {
        advance(job_id, version, [draft = *draft](Flow& flow) { flow.drafted(draft); });
    } else if (is_hopeless(draft.error().code)) {
        advance(job_id, version, [why = draft.error().message](Flow& flow) { flow.give_up(why); });
    } else {
        advance(job_id, version, [why = draft.error().message](Flow& flow) { flow.fail_try(why); });
    }
}

void Exchange::resume() {
    auto cases = store::open_cases(reader_, kOpenCasesMax);
    if (!cases) {
        log::warning("Open cases could not be read; trying again later",
                     {{"error", cases.error().message}});
        loop_.call_after(kTryAgainAfter, [this] { resume(); });
        return;
    }
    for (StageCase& open : *cases) {
        open.deadline_ms = clock_.now_ms() + options_.timeout.count();
        live_[open.job_id] = {open, false};
        watch(open);
        const bool is_ours = open.stage == CaseStage::Agent && options_.agent.empty();
        if (is_ours) start_draft(open);
    }
}

}  // namespace a2h::stages
