#pragma once

#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

/// The description that an agent gives of itself, besides its name; members without a value are
/// empty.
struct Profile {
    std::string avatar_url;
    std::string bio;
    std::string abilities_json = "[]";  ///< array of texts
    std::string payment_qrcode_url;
    std::string alipay_qrcode_url;
    std::string wechat_pay_qrcode_url;
    std::string paypal_email;
    std::string default_payment_method;  ///< "alipay", "wechat_pay", "qrcode" or empty
};

}  // namespace a2h::market

namespace a2h::market::store {

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// An empty profile for an agent that has none yet.
Result<Profile> find_profile(db::Transaction& transaction, std::string_view agent_id);
Result<void> save_profile(db::Transaction& transaction, std::string_view agent_id,
                          const Profile& profile, UnixMs now_ms);

}  // namespace a2h::market::store
