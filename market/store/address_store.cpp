#include "market/store/address_store.h"

#include <algorithm>

namespace a2h::market::store {
namespace {

Unexpected no_such_address() {
    return fail(ErrorCode::NotFound, "there is no such address");
}

/// The two parts of every change of the default; in this order no moment has two.
Result<void> clear_default(db::Transaction& transaction, std::string_view agent_id) {
    A2H_TRY(transaction.execute(
        "update shipping_address set is_default = 0 where agent_id = $1 and is_default = 1",
        {std::string(agent_id)}));
    return {};
}

Result<std::int64_t> mark_default(db::Transaction& transaction, std::string_view agent_id,
                                  std::string_view address_id) {
    return transaction.execute(
        "update shipping_address set is_default = 1 where agent_id = $1 and address_id = $2",
        {std::string(agent_id), std::string(address_id)});
}

}  // namespace

Result<ShippingAddress> add_address(db::Transaction& transaction, std::string_view agent_id,
                                    ShippingAddress address, int limit) {
    static constexpr std::string_view kInsert =
        "insert into shipping_address (address_id, agent_id, receiver_name, phone_number,"
        " province, city, district, detail_address, postal_code, label, is_default,"
        " created_at_ms) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    A2H_ASSIGN_OR_RETURN(const auto present, list_addresses(transaction, agent_id));
    if (present.size() >= static_cast<std::size_t>(limit)) {
        return fail(ErrorCode::Conflict, "you have " + std::to_string(limit) +
                                             " addresses; delete one that you no longer need");
    }
    address.is_default = present.empty();
    A2H_TRY(transaction.execute(
        kInsert, {address.address_id, std::string(agent_id), address.receiver_name,
                  address.phone_number, address.province, address.city, address.district,
                  address.detail_address, address.postal_code, address.label,
                  std::int64_t{address.is_default}, address.created_at_ms}));
    return address;
}

Result<std::vector<ShippingAddress>> list_addresses(db::Transaction& transaction,
                                                    std::string_view agent_id) {
    static constexpr std::string_view kSelect =
        "select address_id, receiver_name, phone_number, province, city, district,"
        " detail_address, postal_code, label, is_default, created_at_ms from shipping_address"
        " where agent_id = $1 order by is_default desc, created_at_ms, address_id";
    A2H_ASSIGN_OR_RETURN(const auto rows, transaction.query(kSelect, {std::string(agent_id)}));
    std::vector<ShippingAddress> addresses;
    for (const db::Row& row : rows) {
        addresses.push_back({.address_id = row.text(0),
                             .receiver_name = row.text(1),
                             .phone_number = row.text(2),
                             .province = row.text(3),
                             .city = row.text(4),
                             .district = row.text(5),
                             .detail_address = row.text(6),
                             .postal_code = row.text(7),
                             .label = row.text(8),
                             .is_default = row.integer(9) != 0,
                             .created_at_ms = row.integer(10)});
    }
    return addresses;
}

Result<void> delete_address(db::Transaction& transaction, std::string_view agent_id,
                            std::string_view address_id) {
    A2H_ASSIGN_OR_RETURN(
        const auto deleted,
        transaction.execute("delete from shipping_address where agent_id = $1 and address_id = $2",
                            {std::string(agent_id), std::string(address_id)}));
    if (deleted == 0) return no_such_address();
    A2H_ASSIGN_OR_RETURN(const auto left, list_addresses(transaction, agent_id));
    if (left.empty() || left.front().is_default) return {};
    A2H_TRY(mark_default(transaction, agent_id, left.front().address_id));
    return {};
}

Result<void> set_default_address(db::Transaction& transaction, std::string_view agent_id,
                                 std::string_view address_id) {
    A2H_TRY(clear_default(transaction, agent_id));
    A2H_ASSIGN_OR_RETURN(const auto marked, mark_default(transaction, agent_id, address_id));
    // The error rolls back, so the old default stays.
    if (marked == 0) return no_such_address();
    return {};
}

}  // namespace a2h::market::store
