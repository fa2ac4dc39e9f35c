#include "market/store/address_store.h"

namespace a2h::market::store {
namespace {

Unexpected no_such_address() {
    return fail(ErrorCode::NotFound, "there is no such address");
}

constexpr auto kAddress = sql::table<ShippingAddress>(
    "shipping_address",
    A2H_COLUMNS(ShippingAddress, address_id, receiver_name, phone_number, province, city, district,
                detail_address, postal_code, label, is_default, created_at_ms));

/// The two parts of every change of the default. In this order there are never two defaults.
Result<void> clear_default(db::Transaction& transaction, std::string_view agent_id) {
    static constexpr std::string_view kSql =
        "update shipping_address set is_default = 0 where agent_id = $1 and is_default = 1";
    return transaction.statement(kSql).run(agent_id);
}

Result<bool> mark_default(db::Transaction& transaction, std::string_view agent_id,
                          std::string_view address_id) {
    static constexpr std::string_view kSql =
        "update shipping_address set is_default = 1 where agent_id = $1 and address_id = $2";
    return transaction.statement(kSql).changes_a_row(agent_id, address_id);
}

}  // namespace

Result<ShippingAddress> add_address(db::Transaction& transaction, std::string_view agent_id,
                                    ShippingAddress address, int limit) {
    static const std::string kInsert = kAddress.insert("", "agent_id");
    A2H_ASSIGN_OR_RETURN(const auto present, list_addresses(transaction, agent_id));
    if (present.size() >= static_cast<std::size_t>(limit)) {
        return fail(ErrorCode::Conflict, "you have " + std::to_string(limit) +
                                             " addresses; delete one that you no longer need");
    }
    if (address.is_default) A2H_TRY(clear_default(transaction, agent_id));
    address.is_default = address.is_default || present.empty();
    A2H_TRY(transaction.statement(kInsert).put(kAddress, address, agent_id));
    return address;
}

Result<std::vector<ShippingAddress>> list_addresses(db::Transaction& transaction,
                                                    std::string_view agent_id) {
    static const std::string kSql =
        kAddress.select("where agent_id = $1 order by is_default desc, created_at_ms, address_id");
    return transaction.statement(kSql).all(kAddress, agent_id);
}

Result<ShippingAddress> find_address(db::Transaction& transaction, std::string_view agent_id,
                                     std::string_view address_id) {
    static const std::string kSql = kAddress.select("where agent_id = $1 and address_id = $2");
    A2H_ASSIGN_OR_RETURN(auto address,
                         transaction.statement(kSql).first(kAddress, agent_id, address_id));
    if (!address) return no_such_address();
    return std::move(*address);
}

Result<void> update_address(db::Transaction& transaction, std::string_view agent_id,
                            const ShippingAddress& address) {
    static constexpr std::string_view kSql =
        "update shipping_address set receiver_name = $1, phone_number = $2, province = $3,"
        " city = $4, district = $5, detail_address = $6, postal_code = $7, label = $8"
        " where agent_id = $9 and address_id = $10";
    A2H_ASSIGN_OR_RETURN(const bool changed,
                         transaction.statement(kSql).changes_a_row(
                             address.receiver_name, address.phone_number, address.province,
                             address.city, address.district, address.detail_address,
                             address.postal_code, address.label, agent_id, address.address_id));
    return changed ? Result<void>() : no_such_address();
}

Result<void> delete_address(db::Transaction& transaction, std::string_view agent_id,
                            std::string_view address_id) {
    static constexpr std::string_view kDelete =
        "delete from shipping_address where agent_id = $1 and address_id = $2";
    A2H_ASSIGN_OR_RETURN(const bool deleted,
                         transaction.statement(kDelete).changes_a_row(agent_id, address_id));
    if (!deleted) return no_such_address();
    A2H_ASSIGN_OR_RETURN(const auto left, list_addresses(transaction, agent_id));
    if (left.empty() || left.front().is_default) return {};
    A2H_TRY(mark_default(transaction, agent_id, left.front().address_id));
    return {};
}

Result<void> set_default_address(db::Transaction& transaction, std::string_view agent_id,
                                 std::string_view address_id) {
    A2H_TRY(clear_default(transaction, agent_id));
    A2H_ASSIGN_OR_RETURN(const bool marked, mark_default(transaction, agent_id, address_id));
    // The error rolls back, so the old default stays.
    return marked ? Result<void>() : no_such_address();
}

}  // namespace a2h::market::store
