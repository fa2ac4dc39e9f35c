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

namespace a2h::web {

/// What the application shows, read through a connection of its own, so that nobody who leafs
/// through a history delays the loop. Peers' text is made printable; times are unix milliseconds.
///
/// Thread: any; one reads at a time.
class PageData {
  public:
    static constexpr int kLimitMax = 100;

    /// Errors: those of `store::Database::open`.
    static Result<std::unique_ptr<PageData>> open(const std::filesystem::path& database);

    /// Errors: NotFound.
    Result<Approval> approval(std::string_view id);
    /// What is asked by now instead of it, or that itself where nothing is. Errors: NotFound.
    Result<Approval> standing(std::string_view id);

    /// Who has said yes to an open one that needs several, oldest first.
    Result<std::vector<std::string>> votes(const Approval& approval);

    /// `{"approvals":[…], "cursor", "more", "open"}`; `cursor` is that of the page before, empty
    /// for the first. Errors: InvalidArgument for a cursor that no page had.
    Result<nlohmann::json> open_approvals(std::string_view peer_id, std::string_view cursor,
                                          int limit, i18n::Language language);
    Result<nlohmann::json> settled_approvals(std::string_view cursor, int limit,
                                             i18n::Language language);
    /// One approval with all that a person needs to decide; `"votes":[{"person","at_ms"}]` in it,
    /// and in a list, where several must agree. Errors: NotFound.
    Result<nlohmann::json> approval_in_full(std::string_view id, i18n::Language language);

    /// `{"conversations":[…]}`, newest first.
    Result<nlohmann::json> conversations(std::string_view agent_id, int limit);
    /// `{"messages":[…], "more"}`, newest first; `page` counts from 1.
    Result<nlohmann::json> messages(std::string_view agent_id, std::string_view peer_id, int page,
                                    int limit);
    /// `{"contacts":[…]}`, by id.
    Result<nlohmann::json> contacts(std::string_view agent_id);

    /// `{"agents":[…]}`: what agents of this house made, parents before children, each with the
    /// number of its open tasks.
    Result<nlohmann::json> agents();
    /// `{"tasks":[…]}` of an agent, newest first, each with its brief and its story.
    Result<nlohmann::json> tasks(std::string_view agent_id, int limit);

    /// `{"mandates":[…], "uses":[…]}`, newest first, the revoked ones too. For people only: it
    /// holds the amounts.
    Result<nlohmann::json> mandates(std::string_view agent_id, UnixMs now_ms);

    /// The demand that a demand's or negotiation's id means. Errors: NotFound.
    Result<std::string> demand_of(std::string_view id);

    /// Of who can be asked. Errors: NotFound.
    Result<Profile> profile(std::string_view agent_id);

  private:
    explicit PageData(std::unique_ptr<store::Database> database);

    std::mutex mutex_;
    std::unique_ptr<store::Database> database_;
};

/// An approval as the application knows it.
nlohmann::json approval_json(const Approval& approval);
/// As the application lists it: with everything that a yes covers.
nlohmann::json approval_json(const Approval& approval, i18n::Language language);

}  // namespace a2h::web
