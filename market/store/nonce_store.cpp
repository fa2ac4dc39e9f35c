#include "market/store/nonce_store.h"

namespace a2h::market::store {

Result<void> make_nonce_file(db::SqliteConnection& file) {
    return file.script(
        "pragma synchronous = normal; pragma cache_size = -2048;"
        " create table if not exists nonce (actor text not null, value text not null,"
        " used_at_ms integer not null, primary key (actor, value)) strict, without rowid;"
        " create index if not exists nonce_age on nonce(used_at_ms)");
}

Result<bool> add_nonce(db::Transaction& transaction, std::string_view actor, std::string_view nonce,
                       UnixMs now_ms) {
    return transaction
        .statement(
            "insert into nonce (actor, value, used_at_ms) values ($1, $2, $3)"
            " on conflict do nothing")
        .changes_a_row(actor, nonce, now_ms);
}

Result<void> forget_nonces(db::Transaction& transaction, UnixMs before_ms) {
    return transaction.statement("delete from nonce where used_at_ms < $1").run(before_ms);
}

}  // namespace a2h::market::store
