#include "daemon/doctor/doctor.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/control/client.h"
#include "daemon/doctor/mailbox_checks.h"
#include "daemon/doctor/repairs.h"
#include "daemon/kernel/identities.h"
#include "daemon/notify/channel_trial.h"

namespace a2h::doctor {
namespace {

constexpr int kDoctorThreads = 4;

}  // namespace

std::vector<std::filesystem::path> secret_files_of(const Config& config) {
    std::vector<std::filesystem::path> files;
    for (const auto& channel : config.notify.configured) {
        const std::string file = channel.value("secret_file");
        if (!file.empty()) files.push_back(control::expand_home(file));
    }
    if (!config.web_tls_key.empty()) files.push_back(config.web_tls_key);
    if (!config.model.key_file.empty()) files.push_back(config.model.key_file);
    return files;
}

/// One run of all checks.
struct Doctor::Round {
    struct Slot {
        std::string_view id;
        std::optional<Findings> findings;
    };
    std::shared_ptr<const Facts> facts;
    std::vector<Slot> slots;
    std::size_t left = 0;
    bool all_started = false;
    Finished finished;  ///< empty after it was called
    Loop::TimerId timer = 0;
};

Doctor::Doctor(Subjects subjects) : subjects_(std::move(subjects)) {}

Facts Doctor::gather(const Options& options) const {
    const auto config = subjects_.config.get();
    Facts facts;
    facts.home = {.home = subjects_.home,
                  .language = options.language,
                  .secret_files = secret_files_of(*config),
                  .load_agents = [home = subjects_.home] { return kernel::load_agents(home); },
                  .load_human = [home = subjects_.home] { return kernel::load_human(home); }};
    for (const auto& [id, agent] : subjects_.agents) {
        if (!agent->parent_id.empty() || agent->is_stopped) continue;
        facts.agents.push_back(
            {.id = id,
             .key_id = agent->identity.account.keys.key_pair.key_id,
             .api_base = agent->identity.account.api_base,
             .mqtt_url = agent->identity.mqtt_url,
             .ca_file = agent->identity.ca_file,
             .market = agent->platform.get(),
             .connection = agent->connection ? agent->connection->state() : mqtt::State{},
             .follows = subjects_.leaders.follows(id),
             .self_test = agent->self_test,
             .history = agent->history});
    }
    std::sort(facts.agents.begin(), facts.agents.end(),
              [](const AgentFacts& a, const AgentFacts& b) { return a.id < b.id; });
    for (const auto& channel :
         notify::channels_in_use(subjects_.audience->channels, subjects_.config->approval.people))
        facts.channels.emplace_back(channel->name());
    facts.now_ms = subjects_.kernel.clock.now_ms();
    facts.clock = &subjects_.kernel.clock;
    facts.full = options.full;
    facts.serves = subjects_.listening != nullptr;
    facts.rules_problem = subjects_.rules.problem();
    facts.page_problem = subjects_.page_problem;
    facts.store_failure = subjects_.kernel.writer.last_failure();
    facts.cli_version = options.cli_version;
    facts.mcp_program = control::find_program("a2h-mcp").string();
    return facts;
}

std::size_t Doctor::add(const std::shared_ptr<Round>& round, std::string_view id) {
    round->slots.push_back({id, std::nullopt});
    ++round->left;
    return round->slots.size() - 1;
}

void Doctor::start_on_worker(const std::shared_ptr<Round>& round, std::string_view id,
                             std::function<Findings()> check) {
    const std::size_t place = add(round, id);
    ++running_;
    const bool accepted = workers_->submit([this, round, place, check = std::move(check)] {
        Findings findings = check();
        subjects_.kernel.loop.post([this, round, place, findings = std::move(findings)]() mutable {
            --running_;
            take(round, place, std::move(findings));
            if (!at_work_) rest();
        });
    });
    A2H_CHECK(accepted);  // there are only a few dozen jobs
}

void Doctor::start_canaries(const std::shared_ptr<Round>& round) {
    struct Canaries {
        std::size_t left = 0;
        Findings trips;
        Findings clocks;
    };
    const std::size_t trip_place = add(round, "round_trip");
    const std::size_t clock_place = add(round, "clock_broker");
    auto all = std::make_shared<Canaries>();
    const auto finish = [this, round, all, trip_place, clock_place] {
        take(round, trip_place, std::move(all->trips));
        take(round, clock_place, std::move(all->clocks));
    };
    all->left = round->facts->agents.size();
    for (const AgentFacts& agent : round->facts->agents) {
        auto answered = [round, all, finish,
                         id = agent.id](const Result<health::Listening::RoundTrip>& trip) {
            all->trips.push_back(round_trip_finding(*round->facts, id, trip));
            all->clocks.push_back(broker_clock_finding(*round->facts, id, trip));
            if (--all->left == 0) finish();
        };
        if (subjects_.listening == nullptr) {
            answered(fail(ErrorCode::Unavailable, "a2hd is not running"));
        } else {
            subjects_.listening->check(*subjects_.agents.at(agent.id), std::move(answered));
        }
    }
    if (round->facts->agents.empty()) finish();
}

void Doctor::start_channels(const std::shared_ptr<Round>& round, bool notify) {
    const auto channels =
        notify::channels_in_use(subjects_.audience->channels, subjects_.config->approval.people);
    const i18n::Language language = round->facts->language();
    if (channels.empty() || !notify) {
        const std::size_t place = add(round, "channels");
        take(round, place,
             {say(language, channels.empty() ? State::Warning : State::NotChecked,
                  channels.empty() ? "channels_none" : "channels_not_tried")});
        return;
    }
    for (const auto& channel : channels) {
        start_on_worker(round, "channels", [channel, language] {
            const auto reached = notify::try_channel(*channel, language);
            const std::string name(channel->name());
            return Findings{say(
                language, reached ? State::Ok : State::Failed,
                reached ? "channel_ok" : "channel_failed",
                {{"channel", name}, {"why", reached ? *reached : reached.error().message}}, name)};
        });
    }
}

void Doctor::run_checks(const Options& options, Finished finished) {
    if (!workers_) workers_ = std::make_unique<Workers>(kDoctorThreads);
    auto round = std::make_shared<Round>();
    round->facts = std::make_shared<const Facts>(gather(options));
    round->finished = std::move(finished);
    const auto start_all = [&](std::span<const Check> checks) {
        for (const Check& check : checks) {
            start_on_worker(round, check.id,
                            [facts = round->facts, run = check.run] { return run(*facts); });
        }
    };
    for (const HomeCheck& check : home_checks()) {
        start_on_worker(round, check.id,
                        [facts = round->facts, run = check.run] { return run(facts->home); });
    }
    start_all(setup_checks());
    start_all(network_checks());
    start_all(mailbox_checks());
    start_canaries(round);
    start_all(database_checks());
    start_channels(round, options.notify);
    round->all_started = true;
    const std::chrono::milliseconds patience = options.full ? kPatienceFull : kPatience;
    round->timer = subjects_.kernel.loop.call_after(patience, [this, round] { end(round); });
    if (round->left == 0) end(round);
}

void Doctor::take(const std::shared_ptr<Round>& round, std::size_t place, Findings findings) {
    round->slots[place].findings = std::move(findings);
    if (--round->left == 0 && round->all_started) end(round);
}

void Doctor::end(const std::shared_ptr<Round>& round) {
    const Finished finished = std::exchange(round->finished, {});
    if (!finished) return;
    subjects_.kernel.loop.cancel(round->timer);
    std::vector<Line> lines;
    for (const Round::Slot& slot : round->slots) {
        const Findings late{say(*round->facts, State::NotChecked, "too_slow")};
        for (const Finding& finding : slot.findings ? *slot.findings : late)
            lines.push_back({slot.id, finding});
    }
    finished(std::move(lines));
}

/// Keeps the workers while checks that missed the deadline are still running.
void Doctor::rest() {
    at_work_ = false;
    if (running_ == 0) workers_.reset();
}

void Doctor::run(const Options& options, Done done) {
    if (at_work_) return done(fail(ErrorCode::Conflict, "a2h doctor is already running"));
    at_work_ = true;
    run_checks(options, [this, options, done = std::move(done)](std::vector<Line> lines) {
        finish(options, std::move(lines), done);
    });
}

void Doctor::finish(const Options& options, std::vector<Line> lines, const Done& done) {
    Findings findings;
    for (const Line& line : lines)
        findings.push_back(line.finding);
    if (!options.fix || wanted_repairs(findings).empty()) {
        rest();
        return done(Report{std::move(lines), {}, {}});
    }
    // The same target as `a2h backup` without a path.
    subjects_.backups.start({}, [this, options, lines = std::move(lines),
                                 done](const Result<backup::BackupReport>& written) mutable {
        if (written) return repair(options, std::move(lines), written->path.string(), done);
        rest();
        done(fail(written.error().with_context("nothing was repaired: no backup")));
    });
}

void Doctor::repair(const Options& options, std::vector<Line> lines, std::string backup,
                    const Done& done) {
    Findings findings;
    for (const Line& line : lines)
        findings.push_back(line.finding);
    const auto wanted = wanted_repairs(findings);
    auto facts = std::make_shared<const Facts>(gather(options));
    auto report = std::make_shared<Report>();
    report->lines = std::move(lines);
    report->backup = std::move(backup);
    using Words = std::vector<std::string>;
    subjects_.kernel.run_blocking<Words>(
        [facts, wanted] { return repair_files(*facts, wanted); },
        [this, options, facts, wanted, report, done](const Words& fixed) {
            report->fixed = fixed;
            subjects_.kernel.write(
                store::Writer::Priority::Background,
                [facts, wanted, report](store::Database& db) -> Result<void> {
                    const Words more = repair_database(db, *facts, wanted);
                    report->fixed.insert(report->fixed.end(), more.begin(), more.end());
                    return {};
                },
                [this, options, report, done](const Result<void>& written) {
                    if (!written) report->fixed.push_back(written.error().message);
                    subjects_.commits.rows_written();
                    check_again(options, report, done);
                });
        },
        [] { return Words{}; });
}

/// No second test notification is sent; the results of the first one are kept.
void Doctor::check_again(Options options, const std::shared_ptr<Report>& report, const Done& done) {
    options.notify = false;
    run_checks(options, [this, report, done](std::vector<Line> after) {
        rest();
        const auto is_trial = [](const Line& line) { return line.check == "channels"; };
        std::erase_if(after, is_trial);
        std::copy_if(report->lines.begin(), report->lines.end(), std::back_inserter(after),
                     is_trial);
        report->lines = std::move(after);
        done(*report);
    });
}

}  // namespace a2h::doctor
