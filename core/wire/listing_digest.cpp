#include "core/wire/listing_digest.h"

#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "core/wire/crypto.h"

namespace a2h::wire {

std::string listing_digest(const std::string& title, const std::string& content) {
    return sha256_hex(canonical_json({{"content", content}, {"title", title}}));
}

}  // namespace a2h::wire
