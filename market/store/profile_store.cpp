#include "market/store/profile_store.h"

namespace a2h::market::store {

Result<Profile> find_profile(db::Transaction& transaction, std::string_view agent_id) {
    static constexpr std::string_view kSelect =
        "select avatar_url, bio, abilities_json, payment_qrcode_url, alipay_qrcode_url,"
        " wechat_pay_qrcode_url, paypal_email, default_payment_method from profile"
        " where agent_id = $1";
    A2H_ASSIGN_OR_RETURN(const auto row, transaction.query_one(kSelect, {std::string(agent_id)}));
    if (!row) return Profile();
    const db::Row& found = *row;
    return Profile{.avatar_url = found.text(0),
                   .bio = found.text(1),
                   .abilities_json = found.text(2),
                   .payment_qrcode_url = found.text(3),
                   .alipay_qrcode_url = found.text(4),
                   .wechat_pay_qrcode_url = found.text(5),
                   .paypal_email = found.text(6),
                   .default_payment_method = found.text(7)};
}

Result<void> save_profile(db::Transaction& transaction, std::string_view agent_id,
                          const Profile& profile, UnixMs now_ms) {
    static constexpr std::string_view kUpsert =
        "insert into profile (agent_id, avatar_url, bio, abilities_json, payment_qrcode_url,"
        " alipay_qrcode_url, wechat_pay_qrcode_url, paypal_email, default_payment_method,"
        " updated_at_ms) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
        " on conflict (agent_id) do update set avatar_url = excluded.avatar_url,"
        " bio = excluded.bio, abilities_json = excluded.abilities_json,"
        " payment_qrcode_url = excluded.payment_qrcode_url,"
        " alipay_qrcode_url = excluded.alipay_qrcode_url,"
        " wechat_pay_qrcode_url = excluded.wechat_pay_qrcode_url,"
        " paypal_email = excluded.paypal_email,"
        " default_payment_method = excluded.default_payment_method,"
        " updated_at_ms = excluded.updated_at_ms";
    A2H_TRY(transaction.execute(
        kUpsert,
        {std::string(agent_id), profile.avatar_url, profile.bio, profile.abilities_json,
         profile.payment_qrcode_url, profile.alipay_qrcode_url, profile.wechat_pay_qrcode_url,
         profile.paypal_email, profile.default_payment_method, now_ms}));
    return {};
}

}  // namespace a2h::market::store
