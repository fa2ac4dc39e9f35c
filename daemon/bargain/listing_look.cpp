#include "daemon/bargain/listing_look.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/domain/bargain.h"
#include "core/wire/listing_digest.h"
#include "daemon/bargain/bargain_mandate.h"

namespace a2h::bargain {
namespace {

/// Whether a mandate was given for the words of this listing. An error counts as yes: then the
/// writer, which decides, has the digest.
bool has_pinned_mandate(store::Database& db, const Subject& subject, UnixMs now_ms) {
    if (subject.works_id.empty()) return false;
    Bargain about;
    about.agent_id = subject.agent_id;
    about.peer_id = subject.peer_id;
    about.works_id = subject.works_id;
    const auto mandate = find_mandate(db, about, now_ms);
    return !mandate || (*mandate && !(*mandate)->terms.listing_digest.empty());
}

std::string digest_now(platform::Client& market, const std::string& works_id) {
    const auto post = market.read("works.get", {{"works_id", works_id}});
    return post ? wire::listing_digest(*post) : std::string();
}

}  // namespace

void look_at_listing(const kernel::Services& kernel, platform::Client* market,
                     const Subject& subject, std::function<void(std::string digest)> then) {
    if (market == nullptr || !has_pinned_mandate(kernel.reader, subject, kernel.clock.now_ms())) {
        return then("");
    }
    kernel.run_blocking<std::string>(
        [market, works_id = subject.works_id] { return digest_now(*market, works_id); },
        std::move(then), [] { return std::string(); });
}

}  // namespace a2h::bargain
