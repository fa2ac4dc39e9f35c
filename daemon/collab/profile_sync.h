#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/profile.h"
#include "core/store/seen_offer_store.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/kernel.h"

namespace a2h::collab {

/// The words of profiles to this home.
///
/// Source:  docs/rulings.md, R46.
class ProfileWords {
  public:
    /// Finds it in `profiles`, as `shown_profile` writes them, which `reader` has received. The
    /// function may be called on any thread.
    using Finder = std::function<std::vector<store::SeenOffer>(const nlohmann::json& profiles)>;
    /// Thread:  the loop.
    virtual Finder finder(const Agent& reader) const = 0;

  protected:
    ~ProfileWords() = default;
};

/// A source of the market's profiles.
class ProfileSource {
  public:
    /// Fetches what has changed at the agent's market. `done` is called later on the loop, also
    /// after a failure.
    virtual void refresh(Agent& agent, std::function<void()> done) = 0;

  protected:
    ~ProfileSource() = default;
};

/// Keeps the local copy of the profiles that a market publishes, with types and domains of
/// published capabilities among their tags. An imported profile stays as it is. What profiles say
/// to this home is recorded before they are stored, so that it counts as open before anybody is
/// invited. The public platform publishes no profiles, which is not an error.
///
/// Thread:  the loop; requests run on workers.
class ProfileSync final : public ProfileSource {
  public:
    /// The longest time that a caller waits. Profiles that arrive later are stored as well.
    static constexpr std::chrono::seconds kWaitMax{5};

    ProfileSync(const kernel::Kernel& kernel, const ProfileWords& words)
        : kernel_(kernel), words_(words) {}

    /// Asks the agent's market for changes since the last time. `done` is always called, later;
    /// further calls for the same market in the meantime share the answer.
    void refresh(Agent& agent, std::function<void()> done) override;

  private:
    using Ticket = std::uint64_t;
    struct Fetched {
        std::vector<Profile> profiles;
        std::vector<store::SeenOffer> words;  ///< what they say to this home
        UnixMs newest_ms = 0;  ///< time of the newest change; 0 if nothing has changed
    };

    static Result<Fetched> fetch(platform::Client& market, const ProfileWords::Finder& find_words,
                                 UnixMs changed_after_ms);
    void fetched(const std::string& agent_id, const std::string& api_base, Result<Fetched> found);
    /// Stores in parts, so that the writer can do other work in between.
    void store_from(const std::string& api_base, std::vector<Profile> profiles, std::size_t first,
                    UnixMs newest_ms);
    void finish(const std::string& api_base);
    void report(Ticket ticket);

    const kernel::Kernel& kernel_;
    const ProfileWords& words_;
    Ticket last_ticket_ = 0;
    std::map<Ticket, std::function<void()>> waiting_;
    std::map<std::string, std::vector<Ticket>> running_;  ///< keyed by market
};

/// Makes the next `refresh` of this market read everything again. Call inside a transaction.
///
/// Errors:  those of the store.
/// Thread:  the store writer.
Result<void> forget_profiles_read(store::Database& db, std::string_view api_base);

}  // namespace a2h::collab
