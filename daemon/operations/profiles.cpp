// The agents that can be invited to a negotiation of many parties.

#include <set>

#include <nlohmann/json.hpp>

#include "core/i18n/normalize.h"
#include "core/store/profile_store.h"
#include "core/wire/json_member.h"
#include "daemon/collab/demo_profiles.h"
#include "daemon/collab/profile_file.h"
#include "daemon/collab/profile_sync.h"
#include "daemon/collab/words.h"
#include "daemon/kernel/kernel.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"
#include "daemon/operations/seen_offers.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

struct ProfilesParts {
    const kernel::Kernel& kernel;
    const Agents& agents;
    collab::ProfileSource& profiles;
};

struct Wanted {
    std::string tag;  ///< folded
    std::string source;
    std::string after;
    int limit = 20;
};

Result<json> page_of(store::Database& reader, const Wanted& wanted) {
    A2H_ASSIGN_OR_RETURN(const auto found,
                         store::list_profiles(reader, {.source = wanted.source,
                                                       .tag = wanted.tag,
                                                       .after = wanted.after,
                                                       .limit = wanted.limit + 1}));
    A2H_ASSIGN_OR_RETURN(const auto total, store::count_profiles(reader, wanted.source));
    json items = json::array();
    for (const Profile& profile : found) {
        if (items.size() < static_cast<std::size_t>(wanted.limit))
            items.push_back(collab::shown_profile(profile));
    }
    return json{{"items", std::move(items)},
                {"total", total},
                {"more", found.size() > static_cast<std::size_t>(wanted.limit)}};
}

Result<void> save_imported(store::Database& db, const std::vector<Profile>& profiles) {
    std::vector<store::KeyedProfile> keyed;
    keyed.reserve(profiles.size());
    for (const Profile& profile : profiles)
        keyed.push_back({profile, collab::keys_of(profile)});
    return store::save_profiles(db, keyed);
}

Result<void> check_room(store::Database& reader, std::size_t more) {
    A2H_ASSIGN_OR_RETURN(const auto present, store::count_profiles(reader, "import"));
    // Profiles that are replaced count twice here, as present and as new. A home that has no room
    // for both has to delete its profiles first.
    if (static_cast<std::size_t>(present) + more <= 2 * collab::kProfilesMax) return {};
    return fail(ErrorCode::ResourceExhausted,
                "too many profiles have been imported; reset them first");
}

void handle_profile_list(const ProfilesParts& parts, const Call& call, const Reply& reply) {
    Wanted wanted{i18n::fold(call.text("tag")), call.text("source"), call.text("after"),
                  call.number("limit", 20)};
    const auto answer = [&parts, wanted, &agent = call.agent, action = call.action, reply] {
        const auto page = page_of(parts.kernel.reader, wanted);
        if (!page) return reply(error_result(action, page.error()));
        note_what_waits(
            parts.kernel, agent.identity.account.agent_id,
            trade::offers_in(*page, our_names(parts.agents, agent)),
            [action, page = *page, reply](const Result<void>& noted) {
                reply(noted ? ok_result(action, page) : error_result(action, noted.error()));
            });
    };
    // Only the first page reads the market again; further pages show what was read for it.
    if (wanted.after.empty()) {
        parts.profiles.refresh(call.agent, answer);
    } else {
        answer();
    }
}

void handle_profile_import(const ProfilesParts& parts, const Call& call, const Reply& reply) {
    auto profiles = collab::read_profiles(wire::member(call.arguments, "profiles"),
                                          call.number("first_place", 1));
    if (!profiles) {
        reply(error_result(call.action, profiles.error()));
        return;
    }
    if (const auto room = check_room(parts.kernel.reader, profiles->size()); !room) {
        reply(error_result(call.action, room.error()));
        return;
    }
    for (Profile& profile : *profiles) {
        profile.source = "import";
        profile.updated_at_ms = parts.kernel.clock.now_ms();
    }
    const std::size_t count = profiles->size();
    parts.kernel.write(
        store::Writer::Priority::Grouped,
        [profiles = std::move(*profiles)](store::Database& db) {
            return save_imported(db, profiles);
        },
        [action = call.action, count, reply](const Result<void>& written) {
            reply(written ? ok_result(action, {{"imported", count}})
                          : error_result(action, written.error()));
        });
}

void handle_profile_reset(const ProfilesParts& parts, const Call& call, const Reply& reply) {
    std::set<std::string> markets;
    for (const auto& [id, agent] : parts.agents)
        markets.insert(agent->identity.account.api_base);
    const auto present = store::count_profiles(parts.kernel.reader, "import");
    parts.kernel.write(
        store::Writer::Priority::Grouped,
        [markets](store::Database& db) -> Result<void> {
            A2H_TRY(store::delete_profiles(db, "import"));
            for (const std::string& market : markets)
                A2H_TRY(collab::forget_profiles_read(db, market));
            return {};
        },
        [action = call.action, count = present ? *present : 0, reply](const Result<void>& written) {
            reply(written ? ok_result(action, {{"removed", count}})
                          : error_result(action, written.error()));
        });
}

void handle_profile_generate(const ProfilesParts&, const Call& call, const Reply& reply) {
    json made = json::array();
    for (const Profile& profile : collab::demo_profiles(
             call.number("count", 100), static_cast<std::uint64_t>(call.number("seed", 1))))
        made.push_back(collab::to_json(profile));
    reply(ok_result(call.action, {{"profiles", std::move(made)}}));
}

}  // namespace

void add_profiles(Table& table, const AllParts& all) {
    const ProfilesParts parts{all.kernel, all.agents, all.profiles};
    table.add("profile.list", with(parts, handle_profile_list));
    table.add("profile.import", with(parts, handle_profile_import));
    table.add("profile.reset", with(parts, handle_profile_reset));
    table.add("profile.generate", with(parts, handle_profile_generate));
}

}  // namespace a2h::operations
