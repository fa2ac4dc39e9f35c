#include "daemon/home/opened.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/clock.h"
#include "core/control/progress_file.h"
#include "core/store/login_store.h"
#include "core/systemd/activation.h"
#include "daemon/backup/new_database.h"
#include "daemon/backup/restore.h"
#include "daemon/config/stages_options.h"
#include "daemon/consent/door.h"
#include "daemon/consent/old_deals.h"
#include "daemon/kernel/identities.h"
#include "daemon/leading/leaders.h"
#include "daemon/model/spent_setting.h"

namespace a2h::home {
namespace {

Result<std::unique_ptr<store::Database>> open_reader(const control::Home& home) {
    return store::Database::open(home.database_file(), store::Database::Mode::ReadOnly);
}

/// Shows the progress of a migration, which can take some time.
Result<std::unique_ptr<store::Database>> open_writer(const control::Home& home) {
    control::ProgressFile progress(home.progress_file());
    auto opened =
        store::Database::open(home.database_file(), store::Database::Mode::ReadWrite, progress);
    progress.end();
    return opened;
}

std::vector<std::string> ids_of(const std::vector<platform::AgentIdentity>& identities) {
    std::vector<std::string> ids;
    for (const auto& identity : identities)
        ids.push_back(identity.account.agent_id);
    return ids;
}

/// Agents that are new here follow those that the home knows. In a home of an earlier version all
/// are new, and the first of them by id stays the default agent.
Result<void> put_in_order(store::Database& db, std::vector<platform::AgentIdentity>& identities) {
    const std::vector<std::string> ids = ids_of(identities);
    A2H_TRY(store::note_own_agents(db, ids, SystemClock().now_ms()));
    A2H_ASSIGN_OR_RETURN(const auto order, store::own_agents(db));
    std::ranges::sort(identities, {}, [&order](const platform::AgentIdentity& identity) {
        return std::ranges::find(order, identity.account.agent_id) - order.begin();
    });
    return {};
}

}  // namespace

Result<Opened> open_home(const control::Home& home) {
    Opened opened;
    opened.home = home;
    opened.transfers = std::make_unique<http::Transfers>();
    A2H_TRY(platform::make_private_folder(home.root));
    A2H_TRY(platform::make_private_folder(home.run_dir()));
    A2H_ASSIGN_OR_RETURN(opened.lock, HomeLock::take(home.lock_file()));
    A2H_TRY(backup::check_no_restore_is_open(home));
    A2H_TRY(backup::check_database_is_not_emptied(home));
    A2H_ASSIGN_OR_RETURN(opened.loaded, config::load(home.config_file()));
    A2H_ASSIGN_OR_RETURN(opened.identities, kernel::load_agents(home));
    if (opened.identities.empty()) {
        return fail(ErrorCode::NotFound,
                    "there is no agent in " + home.root.string() + "; run `a2h init` first");
    }
    const Config& config = opened.loaded.config;
    A2H_TRY(stages::check_are_others(config.stages, ids_of(opened.identities)));
    A2H_ASSIGN_OR_RETURN(opened.human, kernel::load_human(home));
    A2H_ASSIGN_OR_RETURN(opened.write_database, open_writer(home));
    A2H_TRY(backup::note_new_database(*opened.write_database, home, config.approval,
                                      opened.identities.front().account.agent_id,
                                      SystemClock().now_ms()));
    A2H_TRY(put_in_order(*opened.write_database, opened.identities));
    A2H_TRY(consent::Door::take_over_old(*opened.write_database));
    A2H_TRY(consent::take_over_old_deals(*opened.write_database));
    A2H_ASSIGN_OR_RETURN(opened.loop_reader, open_reader(home));
    A2H_ASSIGN_OR_RETURN(opened.receive_reader, open_reader(home));
    A2H_ASSIGN_OR_RETURN(opened.channels,
                         notify::make_channels(config.notify, opened.transfers.get()));
    A2H_ASSIGN_OR_RETURN(opened.model_key,
                         model::read_key(config.model, systemd::credentials_folder().native()));
    A2H_ASSIGN_OR_RETURN(opened.model_spent, model::load_spent(*opened.loop_reader));
    A2H_ASSIGN_OR_RETURN(opened.instance, leading::instance_of(home));
    return opened;
}

consent::Pins::Hashes pin_hashes(const Opened& opened) {
    consent::Pins::Hashes hashes = opened.human.people;
    hashes[owner_of(opened.loaded.config.approval.people)] = opened.human.pin_hash;
    return hashes;
}

std::unique_ptr<model::LanguageModel> make_model(const Opened& opened, Loop& loop,
                                                 const Clock& clock, store::Writer& writer) {
    auto made =
        model::make_drafter(opened.loaded.config.model, {.poster = loop,
                                                         .clock = clock,
                                                         .transfers = opened.transfers.get(),
                                                         .key = opened.model_key,
                                                         .spent = opened.model_spent,
                                                         .save = model::save_spent(writer)});
    A2H_CHECK(made.has_value());  // the configuration was checked when it was read
    return std::move(*made);
}

}  // namespace a2h::home
