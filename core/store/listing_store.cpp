#include "core/store/listing_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr auto kListing =
    sql::table<Listing>("listing",
                        A2H_COLUMNS(Listing, works_id, agent_id, title, content, expected_price,
                                    service_method, service_location, status, updated_at_ms),
                        sql::column("type", &Listing::type, sql::Number{}),
                        sql::column("pictures_json", &Listing::pictures));

}  // namespace

Result<void> replace_listings(Database& db, std::string_view agent_id,
                              const std::vector<Listing>& listings, UnixMs now_ms) {
    static constexpr const char* kClear = "delete from listing where agent_id = ?";
    static const std::string kInsert = kListing.insert();
    A2H_TRY(db.statement(kClear).run(agent_id));
    for (Listing listing : listings) {
        listing.agent_id = agent_id;
        if (listing.updated_at_ms == 0) listing.updated_at_ms = now_ms;
        A2H_TRY(db.statement(kInsert).put(kListing, listing));
    }
    return {};
}

Result<std::vector<Listing>> list_listings(Database& db, std::string_view agent_id) {
    static const std::string kSql =
        kListing.select("where agent_id = ? order by updated_at_ms desc, works_id");
    return db.statement(kSql).all(kListing, agent_id);
}

Result<std::optional<Listing>> find_listing(Database& db, std::string_view agent_id,
                                            std::string_view works_id) {
    static const std::string kSql = kListing.select("where agent_id = ? and works_id = ?");
    return db.statement(kSql).first(kListing, agent_id, works_id);
}

}  // namespace a2h::store
