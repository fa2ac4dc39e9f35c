#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/sql/table.h"

namespace a2h::sql {

/// Functions that statements of all databases share, in addition to their own `run`, `first`, `all`
/// and `changes`.
///
/// Errors:  those of the statement.
/// Thread:  that of its connection.
template <typename Statement>
class Calls {
  public:
    /// The only number in the only row of a counting statement.
    template <typename... Values>
    Result<std::int64_t> number(const Values&... values) {
        A2H_ASSIGN_OR_RETURN(const auto found, self().first(kFirstNumber, values...));
        return found.value_or(0);
    }
    /// The same for a statement that returns true or false.
    template <typename... Values>
    Result<bool> is_true(const Values&... values) {
        A2H_ASSIGN_OR_RETURN(const auto found, number(values...));
        return found != 0;
    }
    /// Runs the statement and returns whether it inserted, changed or deleted a row.
    template <typename... Values>
    Result<bool> changes_a_row(const Values&... values) {
        A2H_TRY(self().run(values...));
        return self().changes() > 0;
    }

    /// `run` with the values of the columns of `table`, then `more`.
    template <typename TableType, typename Struct, typename... More>
    Result<void> put(const TableType& table, const Struct& object, const More&... more) {
        return table.apply([&](const auto&... values) { return self().run(values...); }, object,
                           more...);
    }
    /// The same for statements that may have no row to insert or to change.
    template <typename TableType, typename Struct, typename... More>
    Result<bool> puts_a_row(const TableType& table, const Struct& object, const More&... more) {
        A2H_TRY(put(table, object, more...));
        return self().changes() > 0;
    }

  private:
    Statement& self() { return static_cast<Statement&>(*this); }
};

}  // namespace a2h::sql
