#include "daemon/mail/listing_look.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/wire/listing_digest.h"

namespace a2h::mail {
namespace {

std::string digest_now(platform::Client& market, const std::string& works_id) {
    const auto post = market.read("works.get", {{"works_id", works_id}});
    return post ? wire::listing_digest(*post) : std::string();
}

}  // namespace

void look_at_listing(const kernel::Kernel& kernel, platform::Client* market,
                     const consent::Subject& subject,
                     std::function<void(std::string digest)> then) {
    if (market == nullptr || subject.works_id.empty() ||
        !consent::depends_on_listing(kernel.reader, subject, kernel.clock.now_ms())) {
        return then("");
    }
    kernel.run_blocking<std::string>(
        [market, works_id = subject.works_id] { return digest_now(*market, works_id); },
        std::move(then), [] { return std::string(); });
}

}  // namespace a2h::mail
