#include "market/relay/relay_lease.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "core/base/ids.h"
#include "core/base/log.h"
#include "market/store/relay_store.h"

namespace a2h::market {
namespace {

constexpr std::chrono::seconds kRenewEvery{4};
/// We stop before our row expires, so that no other process has begun.
constexpr std::chrono::seconds kMargin{2};
constexpr std::size_t kHolderBytes = 16;

/// The name in the file, or a new one that is then written to it.
std::string holder_in(int file) {
    std::array<char, 2 * kHolderBytes> text{};
    if (::pread(file, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size())) {
        return {text.data(), text.size()};
    }
    // If it cannot be written, a restart only has to wait until the old row expires.
    std::string fresh = random_hex(kHolderBytes);
    if (::pwrite(file, fresh.data(), fresh.size(), 0) < 0) {
        log::warning("The file relay.lock could not be written");
    }
    return fresh;
}

}  // namespace

Result<RelayLease> RelayLease::open(db::Database& database, const Clock& clock,
                                    const std::filesystem::path& dir) {
    const auto path = dir / "relay.lock";
    Fd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!file) return fail(ErrorCode::Unavailable, "cannot open " + path.string());
    std::string holder = holder_in(file.get());
    return RelayLease(database, clock, std::move(file), std::move(holder));
}

bool RelayLease::hold() {
    if (!locked_) locked_ = ::flock(file_.get(), LOCK_EX | LOCK_NB) == 0;
    if (!locked_) return false;
    if (database_.dialect() == db::Dialect::Sqlite) return true;
    const auto now = clock_.steady_now();
    if (!asked_at_ || now - *asked_at_ >= kRenewEvery) {
        asked_at_ = now;
        held_ = renew();
    }
    return held_ && now < held_until_;
}

bool RelayLease::renew() {
    const auto now = clock_.steady_now();
    const auto taken = database_.write_with(store::take_relay_lease, holder_, clock_.now_ms());
    if (!taken) return held_;
    if (*taken) held_until_ = now + store::kRelayLease - kMargin;
    return *taken;
}

void RelayLease::release() {
    if (held_) {
        const auto released = database_.write_with(store::release_relay_lease, holder_);
        if (!released)
            log::warning(
                "The lease of the relay could not be released; another relay starts when it "
                "expires");
    }
    held_ = false;
    asked_at_.reset();
    if (locked_) ::flock(file_.get(), LOCK_UN);
    locked_ = false;
}

}  // namespace a2h::market
