#include "market/db/database.h"

#include <utility>

namespace a2h::market::db {

bool Row::is_null(int column) const {
    return std::holds_alternative<std::nullptr_t>(value(column));
}

const std::string& Row::text(int column) const {
    const auto* found = std::get_if<std::string>(&value(column));
    A2H_CHECK(found != nullptr);
    return *found;
}

std::string Row::take_text(int column) {
    auto* text = std::get_if<std::string>(&values_.at(static_cast<std::size_t>(column)));
    A2H_CHECK(text != nullptr);
    return std::exchange(*text, {});
}

std::int64_t Row::integer(int column) const {
    const auto* found = std::get_if<std::int64_t>(&value(column));
    A2H_CHECK(found != nullptr);
    return *found;
}

Result<std::optional<Row>> Transaction::query_one(std::string_view sql,
                                                  const std::vector<Value>& parameters) {
    A2H_ASSIGN_OR_RETURN(auto rows, query(sql, parameters));
    A2H_CHECK(rows.size() <= 1);
    if (rows.empty()) return std::optional<Row>();
    return std::optional(std::move(rows.front()));
}

Statement Transaction::statement(std::string_view sql) {
    return Statement(*this, sql);
}

Unexpected Statement::corrupt(const std::string& bad_name) const {
    return fail(ErrorCode::Corrupt, "database: unknown name \"" + bad_name + "\" in the rows of " +
                                        std::string(sql_.substr(0, 60)));
}

}  // namespace a2h::market::db
