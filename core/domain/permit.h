#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace a2h {

namespace consent {
class Door;
}
namespace operations {
class Judge;
}
namespace cli {
struct DemoHand;
}
namespace test {
struct PermitMaker;
}

/// By what right a message leaves the home.
enum class Right {
    None,          ///< by none: it must not leave
    Answer,        ///< a rule of the owner's answers one message
    Fixed,         ///< a text of a2hd's own: a report, a failure
    Harmless,      ///< an assistant's words that were judged to commit the owner to nothing, or a
                   ///< call of the market that needs no yes
    Unreviewed,    ///< an assistant's words that nobody has judged, as the owner has set
    Mandate,       ///< a mandate of the owner's covers it
    Yes,           ///< the answer to a question allows it: a person's, or the yes of a mandate
    OwnHand,       ///< the owner wrote or released it, or sets the own profile at the market
    BeforePermits  ///< it was queued by a version that had no permits
};
std::string_view to_string(Right value);
std::optional<Right> parse_right(std::string_view text);

/// The verdict that a message may leave although nobody said yes to it. Only the judge of words
/// makes one (daemon/operations/may_leave.h); `test::PermitMaker` is for tests.
class Judged {
  public:
    Right right() const { return right_; }
    /// `wire::permit_digest` of the message that was judged; empty if its words were judged alone,
    /// before the message was written around them.
    const std::string& digest() const { return digest_; }

  private:
    friend class operations::Judge;
    friend struct test::PermitMaker;
    Judged(Right right, std::string digest) : right_(right), digest_(std::move(digest)) {}

    Right right_;
    std::string digest_;
};

/// The right of exactly one message, or of exactly one call that changes something at the market,
/// to leave the home. In a2hd only `consent::Door` makes one; in `a2h demo`, `cli::DemoHand` makes
/// those of the owners whom it plays. `test::PermitMaker` is for tests.
class Permit {
  public:
    Right right() const { return right_; }
    /// The id of what gave the right: a rule, an approval, a mandate, a negotiation, a tool.
    const std::string& by() const { return by_; }
    /// `wire::permit_digest` of the message, `platform::permit_digest` of the call.
    const std::string& digest() const { return digest_; }

  private:
    friend class consent::Door;
    friend struct cli::DemoHand;
    friend struct test::PermitMaker;
    Permit(Right right, std::string by, std::string digest)
        : right_(right), by_(std::move(by)), digest_(std::move(digest)) {}

    Right right_;
    std::string by_;
    std::string digest_;
};

}  // namespace a2h
