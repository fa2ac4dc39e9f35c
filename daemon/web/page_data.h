#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/profile.h"
#include "core/i18n/messages.h"
#include "core/store/database.h"
#include "daemon/card/reader.h"

namespace a2h::web {

/// The data that the application shows, read through a connection of its own, so that browsing a
/// history does not delay the loop. Peers' text is made printable; times are unix milliseconds.
///
/// Errors:  those of the store, besides the ones named.
/// Thread:  any; one reads at a time.
class PageData {
  public:
    static constexpr int kLimitMax = 100;

    /// Errors:  those of `store::Database::open`.
    static Result<std::unique_ptr<PageData>> open(const std::filesystem::path& database);

    /// Errors:  NotFound.
    Result<Approval> approval(std::string_view id);
    /// The question that replaces it now, or the same one if there is none.
    ///
    /// Errors:  NotFound.
    Result<Approval> standing(std::string_view id);

    /// Returns the people who have said yes to an open approval that needs several people, oldest
    /// first.
    Result<std::vector<std::string>> votes(const Approval& approval);

    /// `{"approvals":[…], "cursor", "more", "open"}`. `cursor` is that of the previous page, empty
    /// for the first.
    ///
    /// Errors:  InvalidArgument for a cursor that no page returned.
    Result<nlohmann::json> open_approvals(std::string_view peer_id, std::string_view cursor,
                                          int limit, const card::Reader& reader);
    /// The same for approvals that are answered or over, without "open".
    ///
    /// Errors:  InvalidArgument for a cursor that no page returned.
    Result<nlohmann::json> settled_approvals(std::string_view cursor, int limit,
                                             const card::Reader& reader);
    /// One approval with all that a person needs to decide. If several people must agree, it
    /// contains `"votes":[{"person","at_ms"}]`, also in a list.
    ///
    /// Errors:  NotFound.
    Result<nlohmann::json> approval_in_full(std::string_view id, const card::Reader& reader);

    /// `{"conversations":[…]}`, newest first.
    Result<nlohmann::json> conversations(std::string_view agent_id, int limit);
    /// `{"messages":[…], "more"}`, newest first; `page` counts from 1.
    Result<nlohmann::json> messages(std::string_view agent_id, std::string_view peer_id, int page,
                                    int limit);
    /// `{"items":[…], "page", "limit", "more"}`: deals of the agent, newest first, each with
    /// "agent_id", the "peer_name" that its profile states, if there is one, and "approval_ids",
    /// the open questions about its peer. Without `all` those that are over are left out.
    Result<nlohmann::json> deals(std::string_view agent_id, bool all, int page, int limit,
                                 UnixMs now_ms);
    /// `{"deal", "messages"}`: one deal as in a list, and the latest messages with its peer.
    ///
    /// Errors:  NotFound.
    Result<nlohmann::json> deal(std::string_view id, UnixMs now_ms);
    /// `{"contacts":[…]}`, by id.
    Result<nlohmann::json> contacts(std::string_view agent_id);

    /// `{"agents":[…]}`: the agents that agents of this home created, parents before children, each
    /// with the number of its open tasks.
    Result<nlohmann::json> agents();
    /// `{"tasks":[…]}` of an agent, newest first, each with its brief and its history.
    Result<nlohmann::json> tasks(std::string_view agent_id, int limit);

    /// `{"mandates":[…], "uses":[…]}`, newest first, including revoked ones. Only for people,
    /// because it contains the amounts.
    Result<nlohmann::json> mandates(std::string_view agent_id, UnixMs now_ms);

    /// The demand with the id of a demand or negotiation.
    ///
    /// Errors:  NotFound.
    Result<std::string> demand_of(std::string_view id);

    /// A profile of an agent that can be invited.
    ///
    /// Errors:  NotFound.
    Result<Profile> profile(std::string_view agent_id);

  private:
    explicit PageData(std::unique_ptr<store::Database> database);

    std::mutex mutex_;
    std::unique_ptr<store::Database> database_;
};

/// An approval in the form for the application.
nlohmann::json approval_json(const Approval& approval);
/// In the form for a list: with everything that a yes covers.
nlohmann::json approval_json(const Approval& approval, const card::Reader& reader);

}  // namespace a2h::web
