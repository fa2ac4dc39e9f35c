#include "daemon/doctor/repairs.h"

#include <system_error>

#include "core/store/health.h"
#include "core/store/outbox_store.h"
#include "daemon/effects/rows.h"

namespace a2h::doctor {
namespace {

namespace fs = std::filesystem;

constexpr int kRequeuedMax = 1000;

std::string words(const Facts& facts, std::string_view key, i18n::Arguments arguments = {}) {
    return i18n::text(facts.language(), "doctor." + std::string(key), arguments);
}

void close_to_others(const Facts& facts, std::vector<std::string>& done) {
    for (const fs::path& path : open_to_others(facts.home)) {
        std::error_code error;
        fs::permissions(path, fs::perms::group_all | fs::perms::others_all,
                        fs::perm_options::remove, error);
        if (error) {
            done.push_back(
                words(facts, "fix_failed", {{"what", path.string()}, {"why", error.message()}}));
        } else {
            done.push_back(words(facts, "fixed_permissions", {{"path", path.string()}}));
        }
    }
}

void remove_stale(const Facts& facts, std::vector<std::string>& done) {
    for (const fs::path& path : stale_files(facts.home)) {
        std::error_code error;
        const bool removed = fs::remove(path, error);
        done.push_back(removed ? words(facts, "fixed_stale", {{"path", path.string()}})
                               : words(facts, "fix_failed",
                                       {{"what", path.string()}, {"why", error.message()}}));
    }
}

std::string requeue_dead(store::Database& db, const Facts& facts) {
    int requeued = 0;
    for (const AgentFacts& agent : facts.agents) {
        const auto dead = store::list_outbox(db, agent.id, OutboxState::Dead, kRequeuedMax);
        if (!dead) {
            return words(facts, "fix_failed", {{"what", agent.id}, {"why", dead.error().message}});
        }
        for (const OutboxMessage& message : *dead) {
            const auto result =
                store::requeue_outbox(db, message.id, facts.now_ms, effects::kOutboxLifetimeMs);
            requeued += result ? 1 : 0;
        }
    }
    return words(facts, "fixed_requeued", {{"count", std::to_string(requeued)}});
}

std::string empty_log_file(const Facts& facts) {
    const auto db =
        store::Database::open(facts.home.home.database_file(), store::Database::Mode::ReadWrite);
    const auto result = db ? store::empty_log(**db) : Result<void>(fail(db.error()));
    if (result) return words(facts, "fixed_checkpoint");
    return words(facts, "fix_failed", {{"what", "checkpoint"}, {"why", result.error().message}});
}

}  // namespace

std::set<Repair> wanted_repairs(const std::vector<Finding>& findings) {
    std::set<Repair> wanted;
    for (const Finding& finding : findings) {
        if (finding.repair != Repair::None) wanted.insert(finding.repair);
    }
    return wanted;
}

std::vector<std::string> repair_files(const Facts& facts, const std::set<Repair>& wanted) {
    std::vector<std::string> done;
    if (wanted.contains(Repair::Permissions)) close_to_others(facts, done);
    if (wanted.contains(Repair::StaleFile)) remove_stale(facts, done);
    if (wanted.contains(Repair::Checkpoint)) done.push_back(empty_log_file(facts));
    return done;
}

std::vector<std::string> repair_database(store::Database& db, const Facts& facts,
                                         const std::set<Repair>& wanted) {
    std::vector<std::string> done;
    if (wanted.contains(Repair::Reindex)) {
        const auto result = store::reindex(db);
        done.push_back(result ? words(facts, "fixed_reindexed")
                              : words(facts, "fix_failed",
                                      {{"what", "reindex"}, {"why", result.error().message}}));
    }
    if (wanted.contains(Repair::Requeue)) done.push_back(requeue_dead(db, facts));
    return done;
}

}  // namespace a2h::doctor
