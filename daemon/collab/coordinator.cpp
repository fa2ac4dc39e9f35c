#include "daemon/collab/coordinator.h"

#include <algorithm>
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

Channel new_channel(const Submission& wanted, const wire::Understanding& understood,
                    UnixMs now_ms) {
    const std::string id = random_hex(kIdBytes);
    Channel channel;
    channel.channel_id = "collab-" + id;
    channel.demand_id = "d-" + id;
    channel.agent_id = wanted.agent_id;
    channel.parent_channel_id = wanted.parent_channel_id;
    channel.user_id = wanted.user_id;
    channel.raw_input = wanted.raw_input;
    channel.understanding_json = wire::canonical_json(wire::to_json(understood));
    channel.on_timeout = wanted.on_timeout;
    channel.shows_terms = wanted.shows_terms;
    channel.response_seconds = wanted.response_seconds;
    channel.feedback_seconds = wanted.feedback_seconds;
    channel.created_at_ms = now_ms;
    channel.updated_at_ms = now_ms;
    return channel;
}

/// Those whom the requester has named.
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

/// A demand that waits to be understood.
struct Coordinator::Beginning {
    Submission submission;
    Also also;
    Done done;
    std::optional<json> answer;  ///< of the model
    int awaited = 2;             ///< the market's profiles, and the model
};

Coordinator::Coordinator(Environment environment) : environment_(std::move(environment)) {}

void Coordinator::start() {
    const auto live = store::live_channels(environment_.context.reader);
    if (!live) {
        log::warning("Negotiations could not be read", {{"error", live.error().message}});
        environment_.context.loop.call_after(kRetryDelay, [this] { start(); });
        return;
    }
    for (const std::string& id : *live)
        look_at(id);
}

void Coordinator::submit(Submission submission, Also also, Done done) {
    if (const auto checked = check(submission); !checked) return done(fail(checked.error()));
    const auto agent = environment_.agents.find(submission.agent_id);
    if (agent == environment_.agents.end() || agent->second->is_stopped) {
        return done(fail(ErrorCode::NotFound, "no agent " + submission.agent_id + " is served"));
    }
    const auto live = store::live_channel_count(environment_.context.reader, submission.agent_id);
    if (!live) return done(fail(live.error()));
    if (*live >= kLiveChannelsMax) {
        return done(fail(ErrorCode::ResourceExhausted,
                         "this agent runs " + std::to_string(*live) + " negotiations already"));
    }
    auto beginning = std::make_shared<Beginning>();
    beginning->submission = std::move(submission);
    beginning->also = std::move(also);
    beginning->done = std::move(done);
    const auto step_done = [this, beginning] {
        if (--beginning->awaited == 0) understood(*beginning);
    };
    environment_.refresh_profiles(*agent->second, step_done);
    if (!environment_.thinking) return step_done();
    environment_.thinking->understand(beginning->submission.raw_input,
                                      beginning->submission.user_id,
                                      [beginning, step_done](std::optional<json> answer) {
                                          beginning->answer = std::move(answer);
                                          step_done();
                                      });
}

void Coordinator::understood(const Beginning& beginning) {
    const Context& context = environment_.context;
    const Submission& submission = beginning.submission;
    const Done& done = beginning.done;
    auto understood = understand_by_rules(context.reader, submission.raw_input);
    if (!understood) return done(fail(understood.error()));
    if (beginning.answer) {
        *understood = collab::understood(*beginning.answer, *understood, submission.raw_input);
    }
    const Channel channel = new_channel(submission, *understood, context.clock.now_ms());
    std::optional<Filtered> filtered;
    if (!submission.invite.empty()) filtered = chosen(submission.invite, *understood);
    context.write(
        store::Writer::Priority::Grouped,
        [channel, filtered, also = beginning.also,
         policy = policy_of(context.config)](store::Database& db) -> Result<void> {
            const Writing to{db, *policy, channel.created_at_ms};
            A2H_TRY(write_submitted(to, channel));
            if (also) A2H_TRY(also(db, channel));
            if (!filtered) return {};
            Run run;
            run.channel = channel;
            Thoughts thoughts;
            thoughts.filtered = filtered;
            return write_step(to, std::move(run), Step::Filter, thoughts);
        },
        [this, channel, done](const Result<void>& written) {
            if (!written) return done(fail(written.error()));
            log::info("Negotiation begun", {{"demand", channel.demand_id}});
            look_at(channel.channel_id);
            done(channel);
        });
}

void Coordinator::cancel(const std::string& channel_id, Done done) {
    const Context& context = environment_.context;
    auto cancelled = std::make_shared<Channel>();
    context.write(
        store::Writer::Priority::Grouped,
        [channel_id, cancelled, policy = policy_of(context.config),
         now_ms = context.clock.now_ms()](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(auto run, read_run(db, channel_id));
            if (!run) return fail(ErrorCode::NotFound, "there is no negotiation " + channel_id);
            A2H_TRY(write_cancelled({db, *policy, now_ms}, std::move(*run)));
            A2H_ASSIGN_OR_RETURN(auto stored, store::get_channel(db, channel_id));
            *cancelled = std::move(*stored);
            return {};
        },
        [this, channel_id, cancelled, done = std::move(done)](const Result<void>& written) {
            if (!written) return done(fail(written.error()));
            environment_.on_effects();
            look_at(channel_id);
            done(*cancelled);
        });
}

void Coordinator::look_at(const std::string& channel_id) {
    changed_.insert(channel_id);
    if (std::exchange(look_posted_, true)) return;
    environment_.context.loop.post([this] { look(); });
}

void Coordinator::look() {
    look_posted_ = false;
    for (const std::string& id : std::exchange(changed_, {}))
        advance(id);
}

void Coordinator::look_again_later(const std::string& channel_id) {
    environment_.context.loop.call_after(kRetryDelay, [this, channel_id] { look_at(channel_id); });
}

void Coordinator::advance(const std::string& channel_id) {
    if (under_way_.contains(channel_id)) return;  // its end looks again
    auto run = read_run(environment_.context.reader, channel_id);
    if (!run) {
        log::warning("A negotiation could not be read", {{"error", run.error().message}});
        return look_again_later(channel_id);
    }
    if (!*run || is_final((*run)->channel.state)) {
        waits_.erase(channel_id);
        return;
    }
    const Step step = next_step(**run, is_due((*run)->channel));
    if (step == Step::Wait) return;
    under_way_.insert(channel_id);
    if (step == Step::Filter) return filter(std::move(**run));
    if (step == Step::Propose) return propose(**run);
    if (step == Step::Conclude) return conclude(**run);
    perform(std::move(**run), step, {});
}

/// Waits go by the steady clock; only after a restart is it the wall clock that says what is left.
bool Coordinator::is_due(const Channel& channel) {
    if (channel.deadline_ms == 0) return false;
    const Context& context = environment_.context;
    const auto now = context.clock.steady_now();
    Wait& wait = waits_[channel.channel_id];
    if (wait.deadline_ms != channel.deadline_ms) {
        const UnixMs longest =
            UnixMs{1'000} * std::max(channel.response_seconds, channel.feedback_seconds);
        const std::chrono::milliseconds left{
            std::clamp<UnixMs>(channel.deadline_ms - context.clock.now_ms(), 0, longest)};
        wait = {channel.deadline_ms, now + left};
        context.loop.call_after(left + std::chrono::milliseconds(1),
                                [this, id = channel.channel_id] { look_at(id); });
    }
    return now >= wait.due;
}

void Coordinator::filter(Run run) {
    const auto agent = environment_.agents.find(run.channel.agent_id);
    if (agent == environment_.agents.end()) return;  // it is served no more
    environment_.refresh_profiles(*agent->second,
                                  [this, run = std::move(run)] { filter_among_profiles(run); });
}

void Coordinator::filter_among_profiles(const Run& run) {
    store::Database& reader = environment_.context.reader;
    auto by_rules = filter_by_rules(reader, run.demand, run.channel.agent_id);
    if (!by_rules) {
        return try_again(run.channel.channel_id, "Candidates could not be read", by_rules.error());
    }
    const auto finish = [this, run](Filtered filtered) {
        Thoughts thoughts;
        thoughts.filtered = std::move(filtered);
        perform(run, Step::Filter, std::move(thoughts));
    };
    if (!environment_.thinking) return finish(std::move(*by_rules));
    auto shown = profiles_to_show(reader, run);
    if (!shown) {
        return try_again(run.channel.channel_id, "Profiles could not be read", shown.error());
    }
    environment_.thinking->filter(run, std::move(*shown), std::move(*by_rules), finish);
}

void Coordinator::propose(const Run& run) {
    if (!environment_.thinking) return perform(run, Step::Propose, {});
    environment_.thinking->propose(run, environment_.context.clock.now_ms(),
                                   [this, run](std::optional<Proposal> proposal) {
                                       Thoughts thoughts;
                                       thoughts.proposal = std::move(proposal);
                                       perform(run, Step::Propose, std::move(thoughts));
                                   });
}

void Coordinator::conclude(const Run& run) {
    if (!environment_.thinking) return perform(run, Step::Conclude, {});
    environment_.thinking->conclude(run, [this, run](Conclusion concluded) {
        Thoughts thoughts;
        thoughts.gaps = std::move(concluded.gaps);
        thoughts.compromise_json = std::move(concluded.compromise_json);
        thoughts.sub_demands = channels_for(run, concluded.sub_demands);
        perform(run, Step::Conclude, std::move(thoughts));
    });
}

std::vector<Channel> Coordinator::channels_for(const Run& run,
                                               const std::vector<SubDemand>& subs) const {
    const Context& context = environment_.context;
    const Channel& parent = run.channel;
    const auto live = store::live_channel_count(context.reader, parent.agent_id);
    std::vector<Channel> channels;
    for (const SubDemand& sub : subs) {
        const bool has_room = live && *live + static_cast<int>(channels.size()) < kLiveChannelsMax;
        auto understood = understand_by_rules(context.reader, sub.description);
        if (!has_room || !understood) return channels;
        understood->capability_tags = sub.tags;
        Submission wanted;
        wanted.agent_id = parent.agent_id;
        wanted.raw_input = sub.description;
        wanted.user_id = parent.user_id;
        wanted.on_timeout = parent.on_timeout;
        wanted.shows_terms = parent.shows_terms;
        wanted.response_seconds = parent.response_seconds;
        wanted.feedback_seconds = parent.feedback_seconds;
        wanted.parent_channel_id = parent.channel_id;
        channels.push_back(new_channel(wanted, *understood, context.clock.now_ms()));
    }
    return channels;
}

void Coordinator::perform(Run run, Step step, Thoughts thoughts) {
    const Context& context = environment_.context;
    const std::string channel_id = run.channel.channel_id;
    std::vector<std::string> begun;
    for (const Channel& sub : thoughts.sub_demands)
        begun.push_back(sub.channel_id);
    context.write(
        store::Writer::Priority::Grouped,
        [run = std::move(run), step, thoughts = std::move(thoughts),
         policy = policy_of(context.config), now_ms = context.clock.now_ms()](store::Database& db) {
            return write_step({db, *policy, now_ms}, run, step, thoughts);
        },
        [this, channel_id, begun](const Result<void>& written) {
            performed(channel_id, written);
            if (!written) return;
            for (const std::string& sub : begun)
                look_at(sub);
        });
}

void Coordinator::performed(const std::string& channel_id, const Result<void>& written) {
    A2H_FAULT_POINT("demand.10");
    under_way_.erase(channel_id);
    if (written) {
        environment_.on_effects();
        return look_at(channel_id);
    }
    if (written.error().code == ErrorCode::Conflict) return look_at(channel_id);
    try_again(channel_id, "A step of a negotiation could not be written", written.error());
}

void Coordinator::try_again(const std::string& channel_id, std::string_view what,
                            const Error& error) {
    log::warning(what, {{"channel", channel_id}, {"error", error.message}});
    under_way_.erase(channel_id);
    look_again_later(channel_id);
}

consent::Carrier carrier_by(Coordinator& coordinator) {
    return [&coordinator](const Approval& approval, const nlohmann::json& arguments,
                          consent::UseYes use, std::function<void(const Result<void>&)> done) {
        coordinator.submit(
            submission_of(approval.agent_id, arguments),
            [use = std::move(use)](store::Database& db, const Channel& channel) {
                return use(db,
                           {{"demand_id", channel.demand_id}, {"channel_id", channel.channel_id}});
            },
            [done = std::move(done)](const Result<Channel>& begun) {
                done(begun ? Result<void>() : fail(begun.error()));
            });
    };
}

}  // namespace a2h::collab
