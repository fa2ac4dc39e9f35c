#include "daemon/demand/coordinator.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/log.h"
#include "core/base/text.h"
#include "core/store/demand_store.h"
#include "core/wire/canonical.h"
#include "daemon/demand/understanding_rules.h"
#include "daemon/service/fault_point.h"

namespace a2h::demand {
namespace {

constexpr std::chrono::seconds kRetryDelay{1};
constexpr std::size_t kInvitedMax = 100;
constexpr int kWaitSecondsMax = 7 * 24 * 3600;
constexpr std::size_t kIdBytes = 6;

Result<void> check(const Submission& wanted) {
    const std::size_t length = code_point_count(trim(wanted.raw_input));
    if (length == 0) return fail(ErrorCode::InvalidArgument, "raw_input is empty");
    if (length > kDemandTextMax) {
        return fail(ErrorCode::InvalidArgument,
                    "raw_input is longer than " + std::to_string(kDemandTextMax) + " characters");
    }
    for (const int seconds : {wanted.response_seconds, wanted.feedback_seconds}) {
        if (seconds >= 1 && seconds <= kWaitSecondsMax) continue;
        return fail(ErrorCode::InvalidArgument,
                    "response_seconds and feedback_seconds are from 1 to " +
                        std::to_string(kWaitSecondsMax));
    }
    if (wanted.invite.size() > kInvitedMax) {
        return fail(ErrorCode::InvalidArgument,
                    "at most " + std::to_string(kInvitedMax) + " can be invited");
    }
    for (const std::string& id : wanted.invite) {
        if (!is_agent_id(id) || id == wanted.agent_id) {
            return fail(ErrorCode::InvalidArgument, id + " cannot be invited");
        }
    }
    return {};
}

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

void Coordinator::submit(Submission submission, Done done) {
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
    environment_.refresh_profiles(
        *agent->second, [this, submission = std::move(submission), done = std::move(done)] {
            understand(submission, done);
        });
}

void Coordinator::understand(const Submission& submission, const Done& done) {
    const Context& context = environment_.context;
    const auto understood = understand_by_rules(context.reader, submission.raw_input);
    if (!understood) return done(fail(understood.error()));
    const Channel channel = new_channel(submission, *understood, context.clock.now_ms());
    std::optional<Filtered> filtered;
    if (!submission.invite.empty()) filtered = chosen(submission.invite, *understood);
    context.write(
        store::Writer::Priority::Grouped,
        [channel, filtered,
         &policy = context.config->approval](store::Database& db) -> Result<void> {
            const Writing to{db, policy, channel.created_at_ms};
            A2H_TRY(write_submitted(to, channel));
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
        [channel_id, cancelled, &policy = context.config->approval,
         now_ms = context.clock.now_ms()](store::Database& db) -> Result<void> {
            auto run = read_run(db, channel_id);
            if (!run) return fail(run.error());
            if (!*run) return fail(ErrorCode::NotFound, "there is no negotiation " + channel_id);
            A2H_TRY(write_cancelled({db, policy, now_ms}, std::move(**run)));
            auto stored = store::get_channel(db, channel_id);
            if (!stored) return fail(stored.error());
            *cancelled = std::move(**stored);
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
    environment_.refresh_profiles(*agent->second, [this, run = std::move(run)] {
        auto filtered =
            filter_by_rules(environment_.context.reader, run.demand, run.channel.agent_id);
        if (!filtered) {
            log::warning("Candidates could not be read", {{"error", filtered.error().message}});
            under_way_.erase(run.channel.channel_id);
            return look_again_later(run.channel.channel_id);
        }
        Thoughts thoughts;
        thoughts.filtered = std::move(*filtered);
        perform(run, Step::Filter, std::move(thoughts));
    });
}

void Coordinator::perform(Run run, Step step, Thoughts thoughts) {
    const Context& context = environment_.context;
    const std::string channel_id = run.channel.channel_id;
    context.write(
        store::Writer::Priority::Grouped,
        [run = std::move(run), step, thoughts = std::move(thoughts),
         &policy = context.config->approval, now_ms = context.clock.now_ms()](store::Database& db) {
            return write_step({db, policy, now_ms}, run, step, thoughts);
        },
        [this, channel_id](const Result<void>& written) { performed(channel_id, written); });
}

void Coordinator::performed(const std::string& channel_id, const Result<void>& written) {
    A2H_FAULT_POINT("demand.10");
    under_way_.erase(channel_id);
    if (written) {
        environment_.on_effects();
        return look_at(channel_id);
    }
    if (written.error().code == ErrorCode::Conflict) return look_at(channel_id);
    log::warning("A step of a negotiation could not be written",
                 {{"channel", channel_id}, {"error", written.error().message}});
    look_again_later(channel_id);
}

}  // namespace a2h::demand
