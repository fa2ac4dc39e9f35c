#include "market/store/profile_store.h"

namespace a2h::market::store {
namespace {

constexpr auto kProfile = sql::table<Profile>(
    "profile",
    A2H_COLUMNS(Profile, avatar_url, bio, abilities_json, payment_qrcode_url, alipay_qrcode_url,
                wechat_pay_qrcode_url, paypal_email, default_payment_method));

}  // namespace

Result<Profile> find_profile(db::Transaction& transaction, std::string_view agent_id) {
    static const std::string kSql = kProfile.select("where agent_id = $1");
    A2H_ASSIGN_OR_RETURN(auto found, transaction.statement(kSql).first(kProfile, agent_id));
    return std::move(found).value_or(Profile());
}

Result<void> save_profile(db::Transaction& transaction, std::string_view agent_id,
                          const Profile& profile, UnixMs now_ms) {
    static const std::string kSql =
        kProfile.insert("on conflict (agent_id) do update set " + kProfile.excluded() +
                            ", updated_at_ms = excluded.updated_at_ms",
                        "agent_id, updated_at_ms");
    return transaction.statement(kSql).put(kProfile, profile, agent_id, now_ms);
}

}  // namespace a2h::market::store
