#include "daemon/collab/profile_sync.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "core/base/log.h"
#include "core/store/profile_store.h"
#include "core/store/setting_store.h"
#include "core/wire/json_member.h"
#include "daemon/collab/profile_file.h"
#include "daemon/collab/words.h"

namespace a2h::collab {
namespace {

using nlohmann::json;

constexpr int kPagesMax = 100;
constexpr std::size_t kStoredAtOnce = 50;
/// This period is read again each time, because a market may commit a change a little later than
/// its time says.
constexpr UnixMs kOverlapMs = 60'000;

std::string read_key(std::string_view api_base) {
    return "profiles.read " + std::string(api_base);
}

UnixMs read_until(store::Database& reader, const std::string& api_base) {
    const auto until = store::get_number(reader, {}, read_key(api_base));
    return std::max<UnixMs>(0, until.value_or(0) - kOverlapMs);
}

void add_published_tags(Profile& profile, const json& capabilities) {
    const auto add = [&](const json& value) {
        if (!value.is_string()) return;
        const auto& text = value.get_ref<const std::string&>();
        if (std::find(profile.tags.begin(), profile.tags.end(), text) == profile.tags.end())
            profile.tags.push_back(text);
    };
    if (!capabilities.is_array()) return;
    for (const json& capability : capabilities) {
        add(wire::member(capability, "type"));
        const json& domains = wire::member(capability, "domains");
        if (!domains.is_array()) continue;
        for (const json& domain : domains)
            add(domain);
    }
}

/// nullopt if the item is not a valid profile.
std::optional<Profile> profile_from(const json& item) {
    auto profile = read_profile(item, true);
    const json& changed = wire::member(item, "updated_at_ms");
    if (!profile || !changed.is_number_integer() || !is_time(changed.get<UnixMs>()))
        return std::nullopt;
    add_published_tags(*profile, wire::member(item, "published_capabilities"));
    profile->source = "market";
    profile->is_active = wire::member(item, "is_active") != false;
    profile->updated_at_ms = changed.get<UnixMs>();
    return std::move(*profile);
}

/// Stores the profiles of `part` that are new or have changed. Imported profiles stay as they are.
Result<void> store_market_profiles(store::Database& db, const std::vector<Profile>& part) {
    A2H_ASSIGN_OR_RETURN(auto count, store::count_profiles(db, "market"));
    std::vector<store::KeyedProfile> changed;
    for (const Profile& profile : part) {
        A2H_ASSIGN_OR_RETURN(const auto known, store::get_profile(db, profile.agent_id));
        const bool is_imported = known && known->source != "market";
        const bool is_same = known && known->updated_at_ms == profile.updated_at_ms;
        const bool has_room = known || count < static_cast<std::int64_t>(kProfilesMax);
        if (is_imported || is_same || !has_room) continue;
        if (!known) ++count;
        changed.push_back({profile, keys_of(profile)});
    }
    return store::save_profiles(db, changed);
}

}  // namespace

void ProfileSync::refresh(Agent& agent, std::function<void()> done) {
    const Ticket ticket = ++last_ticket_;
    waiting_.emplace(ticket, std::move(done));
    if (!agent.is_registered || agent.is_stopped) {
        kernel_.loop.post([this, ticket] { report(ticket); });
        return;
    }
    kernel_.loop.call_after(kWaitMax, [this, ticket] { report(ticket); });
    const std::string api_base = agent.identity.account.api_base;
    auto& tickets = running_[api_base];
    tickets.push_back(ticket);
    if (tickets.size() > 1) return;
    platform::Client* market = agent.platform.get();
    kernel_.run_blocking<Result<Fetched>>(
        [market, find_words = words_.finder(agent),
         after_ms = read_until(kernel_.reader, api_base)] {
            return fetch(*market, find_words, after_ms);
        },
        [this, agent_id = agent.identity.account.agent_id, api_base](Result<Fetched> found) {
            fetched(agent_id, api_base, std::move(found));
        },
        [] { return fail(ErrorCode::ResourceExhausted, "too many requests are waiting"); });
}

Result<ProfileSync::Fetched> ProfileSync::fetch(platform::Client& market,
                                                const ProfileWords::Finder& find_words,
                                                UnixMs changed_after_ms) {
    Fetched found;
    UnixMs after_ms = changed_after_ms;
    std::string after_id;
    for (int page = 0; page < kPagesMax; ++page) {
        platform::Request request{.method = "GET", .path = "/v1/profiles"};
        request.query = "?page_size=100&updated_after=" + std::to_string(after_ms);
        if (!after_id.empty()) request.query += "&after=" + platform::percent_encoded(after_id);
        const auto data = market.read(request);
        if (!data && data.error().code == ErrorCode::NotFound) return found;
        if (!data) return fail(data.error());
        const json& items = wire::member(*data, "items");
        if (!items.is_array() || items.empty()) return found;
        const json& last = items.back();
        const json& changed = wire::member(last, "updated_at_ms");
        if (!changed.is_number_integer() || !is_time(changed.get<UnixMs>())) {
            return fail(ErrorCode::Corrupt, "a profile of the market does not say when it changed");
        }
        const std::pair place(changed.get<UnixMs>(), wire::text_member(last, "agent_id"));
        if (place <= std::pair(after_ms, after_id)) {
            return fail(ErrorCode::Corrupt, "the market returned the same page of profiles again");
        }
        std::tie(after_ms, after_id) = place;
        found.newest_ms = after_ms;
        json shown = json::array();
        for (const json& item : items) {
            auto profile = profile_from(item);
            if (!profile) continue;
            shown.push_back(shown_profile(*profile));
            found.profiles.push_back(std::move(*profile));
        }
        auto words = find_words(shown);
        found.words.insert(found.words.end(), std::make_move_iterator(words.begin()),
                           std::make_move_iterator(words.end()));
        if (wire::member(*data, "more") != true || found.profiles.size() > kProfilesMax)
            return found;
    }
    return found;
}

void ProfileSync::fetched(const std::string& agent_id, const std::string& api_base,
                          Result<Fetched> found) {
    if (!found) {
        log::info("Profiles could not be read from the market", {{"error", found.error().message}});
        finish(api_base);
        return;
    }
    if (found->words.empty())
        return store_from(api_base, std::move(found->profiles), 0, found->newest_ms);
    kernel_.write(
        store::Writer::Priority::Grouped,
        [agent_id, words = std::move(found->words), now_ms = kernel_.clock.now_ms()](
            store::Database& db) { return store::note_seen_offers(db, agent_id, words, now_ms); },
        [this, api_base, profiles = std::move(found->profiles),
         newest_ms = found->newest_ms](const Result<void>& noted) {
            if (noted) return store_from(api_base, profiles, 0, newest_ms);
            log::warning("Profiles could not be stored", {{"error", noted.error().message}});
            finish(api_base);
        });
}

void ProfileSync::store_from(const std::string& api_base, std::vector<Profile> profiles,
                             std::size_t first, UnixMs newest_ms) {
    if (newest_ms == 0) {
        finish(api_base);
        return;
    }
    const std::size_t end = std::min(profiles.size(), first + kStoredAtOnce);
    const bool is_last = end == profiles.size();
    const std::vector<Profile> part(profiles.begin() + static_cast<std::ptrdiff_t>(first),
                                    profiles.begin() + static_cast<std::ptrdiff_t>(end));
    kernel_.write(
        store::Writer::Priority::Grouped,
        [part, is_last, newest_ms, key = read_key(api_base)](store::Database& db) -> Result<void> {
            A2H_TRY(store_market_profiles(db, part));
            if (!is_last) return {};
            return store::put_setting(db, {}, key, std::to_string(newest_ms));
        },
        [this, api_base, profiles = std::move(profiles), end, is_last,
         newest_ms](const Result<void>& written) {
            if (!written) {
                log::warning("Profiles could not be stored", {{"error", written.error().message}});
            }
            if (is_last || !written) return finish(api_base);
            store_from(api_base, profiles, end, newest_ms);
        });
}

void ProfileSync::finish(const std::string& api_base) {
    const auto tickets = running_.extract(api_base);
    if (tickets.empty()) return;
    for (const Ticket ticket : tickets.mapped())
        report(ticket);
}

void ProfileSync::report(Ticket ticket) {
    const auto waiting = waiting_.extract(ticket);
    if (!waiting.empty()) waiting.mapped()();
}

Result<void> forget_profiles_read(store::Database& db, std::string_view api_base) {
    return store::put_setting(db, {}, read_key(api_base), "0");
}

}  // namespace a2h::collab
