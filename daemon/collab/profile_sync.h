#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/profile.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/services.h"

namespace a2h::collab {

/// Where the market's profiles come from.
class ProfileSource {
  public:
    /// Brings what has changed for the agent's market. `done` is called later on the loop, whatever
    /// came of it.
    virtual void refresh(Agent& agent, std::function<void()> done) = 0;

  protected:
    ~ProfileSource() = default;
};

/// Keeps the local copy of the profiles that a market publishes, with types and domains of
/// published capabilities among their tags. A profile that was imported stays as it is. The public
/// platform publishes none, which is no error.
///
/// Thread: the loop; requests run on workers.
class ProfileSync final : public ProfileSource {
  public:
    /// Longer nobody is kept waiting; what comes later is stored all the same.
    static constexpr std::chrono::seconds kWaitMax{5};

    explicit ProfileSync(const kernel::Services& kernel) : kernel_(kernel) {}

    /// Asks the agent's market for what has changed since the last time. `done` is called later, in
    /// any case; calls for one market that come meanwhile share its answer.
    void refresh(Agent& agent, std::function<void()> done) override;

  private:
    using Ticket = std::uint64_t;
    struct Fetched {
        std::vector<Profile> profiles;
        UnixMs newest_ms = 0;  ///< change of the last one; 0: nothing has changed
    };

    static Result<Fetched> fetch(platform::Client& market, UnixMs changed_after_ms);
    void fetched(const std::string& api_base, Result<Fetched> found);
    /// In parts, so that the writer is free in between.
    void store_from(const std::string& api_base, std::vector<Profile> profiles, std::size_t first,
                    UnixMs newest_ms);
    void finish(const std::string& api_base);
    void tell(Ticket ticket);

    const kernel::Services& kernel_;
    Ticket last_ticket_ = 0;
    std::map<Ticket, std::function<void()>> waiting_;
    std::map<std::string, std::vector<Ticket>> running_;  ///< by market
};

/// Makes the next `refresh` of this market read everything again. Call inside a transaction.
Result<void> forget_profiles_read(store::Database& db, std::string_view api_base);

}  // namespace a2h::collab
