// The agent database, and what waits in it.

#include <algorithm>
#include <memory>
#include <system_error>

#include "core/base/join.h"
#include "core/base/time_text.h"
#include "core/store/health.h"
#include "core/store/mandate_store.h"
#include "daemon/backup/new_database.h"
#include "daemon/consent/terms.h"
#include "daemon/doctor/facts.h"

namespace a2h::doctor {
namespace {

constexpr int kProblemsShown = 5;
constexpr int kMandatesMax = 1000;
constexpr std::int64_t kHourMs = 3600LL * 1000;
constexpr std::int64_t kUndecidedMs = kHourMs / 12;  // not processed by the loop for 5 minutes
constexpr std::int64_t kQueuedMs = kHourMs;
constexpr std::int64_t kMandateLeftMs = 7 * 24 * kHourMs;

using Reader = Result<std::unique_ptr<store::Database>>;

/// A connection for this check alone, because it belongs to one thread.
Reader open_reader_of(const Facts& facts) {
    return store::Database::open(facts.home.home.database_file(), store::Database::Mode::ReadOnly);
}

Findings unreadable(const Facts& facts, const Error& error) {
    return {say(facts, State::Failed, "database_unreadable", {{"why", error.message}})};
}

Findings check_integrity(const Facts& facts) {
    const auto reader = open_reader_of(facts);
    if (!reader) return unreadable(facts, reader.error());
    const auto problems = store::integrity_problems(**reader, facts.full, kProblemsShown);
    if (!problems) return unreadable(facts, problems.error());
    if (problems->empty()) {
        const auto begun_ms = backup::new_database_since(**reader, facts.now_ms);
        if (!begun_ms) return unreadable(facts, begun_ms.error());
        if (*begun_ms > 0) {
            return {say(facts, State::Warning, "database_new", {{"at", to_local_time(*begun_ms)}})};
        }
        return {say(facts, State::Ok, facts.full ? "integrity_full_ok" : "integrity_ok")};
    }
    const bool index_only = std::all_of(
        problems->begin(), problems->end(),
        [](const std::string& line) { return line.find("index") != std::string::npos; });
    return {say(facts, State::Failed, index_only ? "integrity_index" : "integrity_damaged",
                {{"what", joined_with("; ", *problems)}}, {},
                index_only ? Repair::Reindex : Repair::None)};
}

Findings check_schema(const Facts& facts) {
    const auto reader = open_reader_of(facts);
    if (!reader) return unreadable(facts, reader.error());
    const auto differences = store::schema_differences(**reader);
    if (!differences) return unreadable(facts, differences.error());
    const std::string version = std::to_string(store::Database::schema_version_newest());
    if (differences->empty()) return {say(facts, State::Ok, "schema_ok", {{"version", version}})};
    return {
        say(facts, State::Failed, "schema_differs", {{"what", joined_with("; ", *differences)}})};
}

Findings check_writing(const Facts& facts) {
    if (!facts.store_failure.empty()) {
        return {say(facts, State::Failed, "writing_fails", {{"why", facts.store_failure}})};
    }
    constexpr std::uintmax_t kLogLarge = 64 * 1024 * 1024;
    std::error_code error;
    const auto bytes =
        std::filesystem::file_size(facts.home.home.database_file().string() + "-wal", error);
    if (!error && bytes >= kLogLarge) {
        return {say(facts, State::Warning, "writing_log_large",
                    {{"megabytes", std::to_string(bytes / (1024 * 1024))}}, {},
                    Repair::Checkpoint)};
    }
    return {say(facts, State::Ok, "writing_ok")};
}

std::string minutes_since(UnixMs then_ms, UnixMs now_ms) {
    return std::to_string((now_ms - then_ms) / 60'000);
}

Finding backlog_finding(const Facts& facts, const std::string& agent, const store::Backlog& all) {
    if (all.undecided > 0 && facts.now_ms - all.oldest_undecided_ms >= kUndecidedMs) {
        return say(facts, State::Warning, "backlog_undecided",
                   {{"agent", agent},
                    {"count", std::to_string(all.undecided)},
                    {"minutes", minutes_since(all.oldest_undecided_ms, facts.now_ms)}},
                   agent);
    }
    if (all.queued > 0 && facts.now_ms - all.oldest_queued_ms >= kQueuedMs) {
        return say(facts, State::Warning, "backlog_queued",
                   {{"agent", agent},
                    {"count", std::to_string(all.queued)},
                    {"minutes", minutes_since(all.oldest_queued_ms, facts.now_ms)}},
                   agent);
    }
    return say(facts, State::Ok, "backlog_ok",
               {{"agent", agent},
                {"undecided", std::to_string(all.undecided)},
                {"queued", std::to_string(all.queued)}},
               agent);
}

Findings check_backlog(const Facts& facts) {
    const auto reader = open_reader_of(facts);
    if (!reader) return unreadable(facts, reader.error());
    Findings findings;
    for (const AgentFacts& agent : facts.agents) {
        const auto backlog = store::backlog_of(**reader, agent.id);
        if (!backlog) return unreadable(facts, backlog.error());
        findings.push_back(backlog_finding(facts, agent.id, *backlog));
    }
    return findings;
}

Findings check_dead_letters(const Facts& facts) {
    const auto reader = open_reader_of(facts);
    if (!reader) return unreadable(facts, reader.error());
    Findings findings;
    for (const AgentFacts& agent : facts.agents) {
        const auto backlog = store::backlog_of(**reader, agent.id);
        if (!backlog) return unreadable(facts, backlog.error());
        const bool none = backlog->dead == 0;
        findings.push_back(say(facts, none ? State::Ok : State::Warning,
                               none ? "dead_none" : "dead_letters",
                               {{"agent", agent.id},
                                {"count", std::to_string(backlog->dead)},
                                {"last", to_local_time(backlog->newest_dead_ms)}},
                               agent.id, none ? Repair::None : Repair::Requeue));
    }
    return findings;
}

/// Only mandates that a human gave; a share ends with its parent.
Findings check_mandates(const Facts& facts) {
    const auto reader = open_reader_of(facts);
    if (!reader) return unreadable(facts, reader.error());
    Findings findings;
    std::size_t live = 0;
    for (const AgentFacts& agent : facts.agents) {
        const auto listed = store::list_mandates(**reader, agent.id, false, kMandatesMax);
        if (!listed) return unreadable(facts, listed.error());
        for (const Mandate& mandate : *listed) {
            const auto terms = mandates::read_terms(mandate.terms_json);
            if (!terms || !mandate.parent_mandate_id.empty()) continue;
            if (terms->ends_ms <= facts.now_ms) continue;
            if (!mandates::protects_owner(*terms)) {
                findings.push_back(say(facts, State::Warning, "mandate_lacks_limit",
                                       {{"mandate", mandate.id}, {"action", mandate.action}},
                                       mandate.id));
                continue;
            }
            ++live;
            if (terms->ends_ms - facts.now_ms >= kMandateLeftMs) continue;
            findings.push_back(say(facts, State::Warning, "mandate_ends",
                                   {{"mandate", mandate.id},
                                    {"action", mandate.action},
                                    {"until", to_local_time(terms->ends_ms)}},
                                   mandate.id));
        }
    }
    if (findings.empty()) {
        findings.push_back(say(facts, State::Ok, "mandates_ok", {{"count", std::to_string(live)}}));
    }
    return findings;
}

constexpr Check kDatabaseChecks[] = {
    {"integrity", check_integrity},       {"schema", check_schema},
    {"writing", check_writing},           {"backlog", check_backlog},
    {"dead_letters", check_dead_letters}, {"mandates", check_mandates},
};

}  // namespace

std::span<const Check> database_checks() {
    return kDatabaseChecks;
}

}  // namespace a2h::doctor
