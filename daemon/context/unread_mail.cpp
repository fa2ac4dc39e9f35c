#include "daemon/context/unread_mail.h"

#include <utility>

#include "core/store/mandate_store.h"

namespace a2h {

void UnreadMail::read_for_mandate(store::Database& db, std::string_view agent_id,
                                  std::function<void(bool is_read)> then) const {
    const auto has_mandate = store::has_live_mandate(db, agent_id);
    if (has_mandate && !*has_mandate) return then(true);
    read_all(kReadingMax, std::move(then));
}

}  // namespace a2h
