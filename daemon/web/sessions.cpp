#include "daemon/web/sessions.h"

#include <algorithm>
#include <utility>

#include "core/wire/crypto.h"

namespace a2h::web {
namespace {

UnixMs milliseconds_of(std::chrono::milliseconds duration) {
    return duration.count();
}

/// Makes room for one more by removing the oldest entry, by `time_of`.
template <typename Map, typename TimeOf>
void keep_below(Map& map, std::size_t count_max, TimeOf time_of) {
    while (map.size() >= count_max) {
        map.erase(std::min_element(map.begin(), map.end(), [&](const auto& a, const auto& b) {
            return time_of(a.second) < time_of(b.second);
        }));
    }
}

}  // namespace

bool Sessions::is_over(const Session& session, UnixMs now_ms) {
    return now_ms - session.used_at_ms >= milliseconds_of(kIdleMax) ||
           now_ms - session.opened_at_ms >= milliseconds_of(kLifeMax);
}

void Sessions::forget_old(State& state) const {
    const UnixMs now_ms = clock_.now_ms();
    std::erase_if(state.links, [&](const auto& entry) {
        return now_ms - entry.second.made_at_ms >= milliseconds_of(kLinkLife);
    });
    std::erase_if(state.sessions, [&](const auto& entry) { return is_over(entry.second, now_ms); });
}

std::string Sessions::make_link(std::string person) {
    std::string token = wire::new_token();
    state_.with([&](State& state) {
        forget_old(state);
        keep_below(state.links, kLinksMax, [](const Link& link) { return link.made_at_ms; });
        state.links[wire::sha256_hex(token)] = Link{std::move(person), clock_.now_ms(), false};
    });
    return token;
}

bool Sessions::is_open(std::string_view link_token) const {
    return state_.with([&](const State& state) {
        const auto found = state.links.find(wire::sha256_hex(link_token));
        return found != state.links.end() && !found->second.used &&
               clock_.now_ms() - found->second.made_at_ms < milliseconds_of(kLinkLife);
    });
}

Result<Sessions::Opened> Sessions::open(std::string_view link_token) {
    return state_.with([&](State& state) -> Result<Opened> {
        forget_old(state);
        const std::string hash = wire::sha256_hex(link_token);
        const auto found = state.links.find(hash);
        if (found == state.links.end()) {
            return fail(ErrorCode::NotFound, "there is no such link, or it has expired");
        }
        if (std::exchange(found->second.used, true)) {
            return fail(ErrorCode::Conflict, "this link was used before");
        }
        keep_below(state.sessions, kSessionsMax,
                   [](const Session& session) { return session.used_at_ms; });
        Opened opened{wire::new_token(), wire::new_token(), found->second.person};
        state.sessions[wire::sha256_hex(opened.id)] = Session{
            opened.person, wire::sha256_hex(opened.key), hash, clock_.now_ms(), clock_.now_ms()};
        return opened;
    });
}

std::optional<std::string> Sessions::person_of(std::string_view id) {
    return state_.with([&](State& state) -> std::optional<std::string> {
        forget_old(state);
        const auto found = state.sessions.find(wire::sha256_hex(id));
        if (found == state.sessions.end()) return std::nullopt;
        found->second.used_at_ms = clock_.now_ms();
        return found->second.person;
    });
}

bool Sessions::is_alive(std::string_view id) const {
    return state_.with([&](const State& state) {
        const auto found = state.sessions.find(wire::sha256_hex(id));
        return found != state.sessions.end() && !is_over(found->second, clock_.now_ms());
    });
}

bool Sessions::may_change(std::string_view id, std::string_view key) const {
    return state_.with([&](const State& state) {
        const auto found = state.sessions.find(wire::sha256_hex(id));
        return found != state.sessions.end() &&
               wire::equal_constant_time(found->second.key_hash, wire::sha256_hex(key));
    });
}

bool Sessions::was_opened_by(std::string_view id, std::string_view link_token) const {
    return state_.with([&](const State& state) {
        const auto found = state.sessions.find(wire::sha256_hex(id));
        return found != state.sessions.end() &&
               found->second.link_hash == wire::sha256_hex(link_token);
    });
}

void Sessions::close(std::string_view id) {
    state_.with([&](State& state) { state.sessions.erase(wire::sha256_hex(id)); });
}

}  // namespace a2h::web
