#include "market/db/database.h"

#include <utility>

namespace a2h::market::db {

bool Row::is_null(std::size_t column) const {
    return std::holds_alternative<std::nullptr_t>(values_.at(column));
}

const std::string& Row::text(std::size_t column) const {
    const auto* value = std::get_if<std::string>(&values_.at(column));
    A2H_CHECK(value != nullptr);
    return *value;
}

std::string Row::take_text(std::size_t column) {
    auto* value = std::get_if<std::string>(&values_.at(column));
    A2H_CHECK(value != nullptr);
    return std::exchange(*value, {});
}

std::int64_t Row::integer(std::size_t column) const {
    const auto* value = std::get_if<std::int64_t>(&values_.at(column));
    A2H_CHECK(value != nullptr);
    return *value;
}

std::optional<std::string> Row::optional_text(std::size_t column) const {
    return is_null(column) ? std::nullopt : std::optional(text(column));
}

std::optional<std::int64_t> Row::optional_integer(std::size_t column) const {
    return is_null(column) ? std::nullopt : std::optional(integer(column));
}

Result<std::optional<Row>> Transaction::query_one(std::string_view sql,
                                                  const std::vector<Value>& parameters) {
    A2H_ASSIGN_OR_RETURN(auto rows, query(sql, parameters));
    A2H_CHECK(rows.size() <= 1);
    if (rows.empty()) return std::optional<Row>();
    return std::optional(std::move(rows.front()));
}

}  // namespace a2h::market::db
