#include "daemon/outcome/own_mail.h"

#include <algorithm>

namespace a2h::outcome {

Result<std::function<void()>> OwnMail::take_at_home(store::Database&, const InboxMessage&) const {
    return std::function<void()>();
}

OwnMail* OwnMailTable::find(const InboxMessage& message) const {
    const auto row = std::find_if(rows_.begin(), rows_.end(),
                                  [&](const OwnMail* each) { return each->takes(message); });
    return row == rows_.end() ? nullptr : *row;
}

Result<std::function<void()>> OwnMailTable::take_at_home(store::Database& db,
                                                         const InboxMessage& arrival) const {
    for (const OwnMail* row : rows_)
        if (row->takes_at_home(arrival.message_type)) return row->take_at_home(db, arrival);
    return std::function<void()>();
}

}  // namespace a2h::outcome
