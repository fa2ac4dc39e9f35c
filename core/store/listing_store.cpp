#include "core/store/listing_store.h"

#include "core/store/json_list.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

Listing read_listing(Row& row) {
    Listing listing;
    listing.works_id = row.text(0);
    listing.agent_id = row.text(1);
    listing.type = static_cast<ListingType>(row.small(2));
    listing.title = row.text(3);
    listing.content = row.text(4);
    listing.expected_price = row.text(5);
    listing.service_method = row.text(6);
    listing.service_location = row.text(7);
    listing.pictures = parse_json_list(row.text(8));
    listing.status = row.text(9);
    listing.updated_at_ms = row.integer(10);
    return listing;
}

}  // namespace

Result<void> replace_listings(Database& db, std::string_view agent_id,
                              const std::vector<Listing>& listings, UnixMs now_ms) {
    static constexpr const char* kClear = "delete from listing where agent_id = ?";
    static constexpr const char* kInsert =
        "insert into listing (agent_id, works_id, type, title, content, expected_price, "
        "service_method, service_location, pictures_json, status, updated_at_ms) "
        "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    A2H_TRY(db.statement(kClear).run(agent_id));
    for (const Listing& listing : listings) {
        A2H_TRY(db.statement(kInsert).run(
            agent_id, listing.works_id, static_cast<int>(listing.type), listing.title,
            listing.content, listing.expected_price, listing.service_method,
            listing.service_location, to_json_list(listing.pictures), listing.status,
            listing.updated_at_ms != 0 ? listing.updated_at_ms : now_ms));
    }
    return {};
}

Result<std::vector<Listing>> list_listings(Database& db, std::string_view agent_id) {
    static constexpr const char* kSql =
        "select works_id, agent_id, type, title, content, expected_price, service_method, "
        "service_location, pictures_json, status, updated_at_ms from listing "
        "where agent_id = ? order by updated_at_ms desc, works_id";
    return db.statement(kSql).all(read_listing, agent_id);
}

}  // namespace a2h::store
