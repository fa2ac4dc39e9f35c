#include "daemon/consent/matters.h"

#include <algorithm>

namespace a2h::consent {
namespace {

std::vector<FindMatter>& finders() {
    static std::vector<FindMatter> all;
    return all;
}

}  // namespace

void register_matter(FindMatter find) {
    auto& all = finders();
    if (std::find(all.begin(), all.end(), find) == all.end()) all.push_back(find);
}

Result<MatterPtr> matter_of(store::Database& db, const OutboxMessage& message,
                            const Approval* yes) {
    for (const FindMatter find : finders()) {
        A2H_ASSIGN_OR_RETURN(auto matter, find(db, message, yes));
        if (matter) return matter;
    }
    return MatterPtr();
}

}  // namespace a2h::consent
