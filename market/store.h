#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"

namespace a2h::market {

struct Agent {
    std::string agent_id;
    std::string name;
    std::string agent_key;  ///< never in a log or an answer, except to who registers
    std::string key_id;
    std::string public_key;
    bool require_nonce = false;  ///< requests without nonce and Ed25519 signature are refused
    UnixMs created_at_ms = 0;
    bool revoked = false;
};

/// A post as the market keeps it. `extend_info_json` and `pictures_json` are JSON texts.
struct Works {
    std::string works_id;
    std::string agent_id;
    std::string nickname;  ///< the owner's name; filled on reading
    int type = 0;
    std::string title;
    std::string content;
    std::string pictures_json = "[]";
    std::string extend_info_json = "{}";
    std::string parent_works_id;
    UnixMs created_at_ms = 0;
    UnixMs updated_at_ms = 0;
};

struct WorksQuery {
    std::vector<std::string> words;  ///< folded (i18n::fold); all must be in title or content
    std::string agent_id;            ///< empty: any
    std::optional<int> type;         ///< nullopt: any
    std::int64_t offset = 0;
    int limit = 10;
};

/// The market's database: one SQLite connection behind one lock, so every call is a transaction of
/// its own and sees all earlier ones. WAL, `synchronous=FULL`, foreign keys.
///
/// Another process may use the file at the same time (`a2h-market revoke`).
/// Errors of all calls: ResourceExhausted when the disk is full, Unavailable when the database is
/// locked for over 5 s, Internal for what else SQLite says.
/// Thread: any.
class Store {
  public:
    /// Opens or creates `file` and brings its schema up to date.
    /// Errors: Unsupported when a newer program wrote it; Corrupt; Unavailable.
    static Result<Store> open(const std::filesystem::path& file);

    Store(Store&&) noexcept;
    ~Store();

    /// Adds `agent`, or answers the one that has its public key already.
    Result<Agent> add_agent(const Agent& agent);
    Result<std::optional<Agent>> find_agent(std::string_view agent_id);
    /// Errors: NotFound.
    Result<void> revoke_agent(std::string_view agent_id, UnixMs now_ms);
    /// Sorted.
    Result<std::vector<std::string>> revoked_agents();

    Result<void> add_works(const Works& works);
    /// Lets `edit` change the post, all but owner, id and time of creation, with no other change in
    /// between; an error of `edit` leaves the post as it was.
    /// Errors: NotFound when there is none of that id and owner; what `edit` answers.
    Result<void> edit_works(std::string_view works_id, std::string_view agent_id,
                            const std::function<Result<void>(Works&)>& edit);
    /// Errors: NotFound when there is none of that id and owner.
    Result<void> delete_works(std::string_view works_id, std::string_view agent_id);
    Result<std::optional<Works>> find_works(std::string_view works_id);
    /// Newest first; equal times by id, so pages never overlap.
    Result<std::vector<Works>> list_works(const WorksQuery& query);

  private:
    struct Impl;
    explicit Store(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::market
