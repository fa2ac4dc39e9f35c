#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/for_each.h"
#include "core/sql/text_list.h"

/// Maps a struct to its table: one list of columns, each with the member that it holds.
///     constexpr auto kOrder = sql::table<Order>(
///         "trade_order", A2H_COLUMNS(Order, order_id, title, created_at_ms),
///         sql::column("price_minor", &Order::price, &Money::minor),
///         sql::column("state", &Order::state, parse_order_state));
/// The texts of select, insert and update follow from it, and so do the reading of rows and the
/// binding of parameters. Statements of `core/store` and `market/db` accept a table in place of a
/// function that reads a row.
///
/// Texts, integers, booleans and lists of texts (one JSON array) need only their member; an
/// enumeration also names the function that parses its name. An optional member, or a member of an
/// optional part, is NULL while it is absent; see `filled` and `unless_empty` for columns that are
/// never NULL.
namespace a2h::sql {

/// A parameter that is NULL if it is empty.
struct OrNull {
    std::string_view text;
};

/// How an absent value is stored.
enum class Absent {
    Null,    ///< as NULL; any other value means that the part is present
    Filled,  ///< as '' or 0; another column says whether the part is present
    Empty,   ///< as ''; any other text means that the part is present
};

/// Stored unchanged.
struct Plain {
    static const std::string& store(const std::string& value) { return value; }
    static std::string store(const std::vector<std::string>& value) { return list_text(value); }
    static std::int64_t store(std::int64_t value) { return value; }

    template <typename Row>
    static void load(Row& row, int at, std::string& value) {
        if constexpr (requires { row.take_text(at); }) {
            value = row.take_text(at);
        } else {
            value = row.text(at);
        }
    }
    template <typename Row>
    static void load(Row& row, int at, std::vector<std::string>& value) {
        value = read_list(row.text(at));
    }
    template <typename Row>
    static void load(Row& row, int at, bool& value) {
        value = row.integer(at) != 0;
    }
    template <typename Row>
    static void load(Row& row, int at, std::int64_t& value) {
        value = row.integer(at);
    }
    template <typename Row>
    static void load(Row& row, int at, int& value) {
        value = static_cast<int>(row.integer(at));
    }
};

/// An enumeration that is stored as its number.
struct Number {
    template <typename Enumeration>
    static std::int64_t store(Enumeration value) {
        return static_cast<std::int64_t>(value);
    }
    template <typename Row, typename Enumeration>
    static void load(Row& row, int at, Enumeration& value) {
        value = static_cast<Enumeration>(row.integer(at));
    }
};

/// An enumeration that is stored as its name.
template <typename Enumeration>
struct Name {
    std::optional<Enumeration> (*parse)(std::string_view);

    static std::string_view store(Enumeration value) { return to_string(value); }
    template <typename Row>
    void load(Row& row, int at, Enumeration& value) const {
        value = row.name(at, parse);
    }
};

/// A number that is stored as NULL if it is 0.
struct NullIfZero {
    static std::optional<std::int64_t> store(std::int64_t value) {
        return value == 0 ? std::nullopt : std::optional(value);
    }
    template <typename Row>
    static void load(Row& row, int at, std::int64_t& value) {
        value = row.is_null(at) ? 0 : row.integer(at);
    }
};

/// Text that is stored as NULL if it is empty.
struct NullIfEmpty {
    static OrNull store(const std::string& value) { return {value}; }
    template <typename Row>
    static void load(Row& row, int at, std::string& value) {
        value = row.is_null(at) ? std::string() : std::string(row.text(at));
    }
};

/// A boolean that is only read: whether the column has a value.
struct IsSet {
    template <typename Row>
    static void load(Row& row, int at, bool& value) {
        value = !row.is_null(at);
    }
};

namespace detail {

template <typename T>
struct Unwrapped {
    using type = T;
};
template <typename T>
struct Unwrapped<std::optional<T>> {
    using type = T;
};
template <typename T>
constexpr bool kIsOptional = !std::is_same_v<typename Unwrapped<T>::type, T>;

/// The type of the member at the end of a path, and whether any part of the path is optional.
template <typename... Path>
struct PathOf;
template <typename Struct, typename Member, typename... More>
struct PathOf<Member Struct::*, More...> {
    using type = typename PathOf<More...>::type;
    static constexpr bool is_optional = kIsOptional<Member> || PathOf<More...>::is_optional;
};
template <typename Struct, typename Member>
struct PathOf<Member Struct::*> {
    using type = typename Unwrapped<Member>::type;
    static constexpr bool is_optional = kIsOptional<Member>;
};

template <typename T>
const T* present(const T& value) {
    return &value;
}
template <typename T>
const T* present(const std::optional<T>& value) {
    return value ? &*value : nullptr;
}
template <typename T>
T* make_present(T& value, bool) {
    return &value;
}
template <typename T>
T* make_present(std::optional<T>& value, bool may_make) {
    if (!value && may_make) value.emplace();
    return value ? &*value : nullptr;
}

/// The member at the end of the path; nullptr if a part of the path is absent.
template <typename Object, typename Member, typename... More>
auto find(const Object* object, Member member, More... more) {
    if constexpr (sizeof...(More) == 0) {
        return object == nullptr ? nullptr : present(object->*member);
    } else {
        return find(object == nullptr ? nullptr : present(object->*member), more...);
    }
}
template <typename Object, typename Member, typename... More>
auto find_or_make(Object* object, bool may_make, Member member, More... more) {
    if constexpr (sizeof...(More) == 0) {
        return object == nullptr ? nullptr : make_present(object->*member, may_make);
    } else {
        return find_or_make(object == nullptr ? nullptr : make_present(object->*member, may_make),
                            may_make, more...);
    }
}

/// Returns the value that is stored for an absent value in a column that does not allow NULL.
template <typename Stored>
Stored nothing() {
    if constexpr (std::is_constructible_v<Stored, std::string_view>) {
        return Stored(std::string_view());
    } else {
        return Stored{};
    }
}

}  // namespace detail

/// A column and the member that it holds, which may be inside another member.
template <typename Codec, Absent kAbsent, typename... Path>
struct Column {
    using Member = typename detail::PathOf<Path...>::type;
    static constexpr bool kOptional = detail::PathOf<Path...>::is_optional;

    const char* name;
    Codec codec;
    std::tuple<Path...> path;

    /// The parameter value for this column.
    template <typename Struct>
    decltype(auto) value_of(const Struct& object) const {
        const auto* member = std::apply(
            [&](auto... path_members) { return detail::find(&object, path_members...); }, path);
        if constexpr (!kOptional) {
            return codec.store(*member);
        } else {
            using Stored = std::decay_t<decltype(codec.store(*member))>;
            using Text = std::conditional_t<std::is_same_v<Stored, std::string>,
                                            decltype(codec.store(*member)), Stored>;
            using Light = std::conditional_t<std::is_reference_v<Text>, std::string_view, Stored>;
            if constexpr (kAbsent == Absent::Null) {
                return member == nullptr ? std::optional<Light>()
                                         : std::optional<Light>(codec.store(*member));
            } else {
                return member == nullptr ? detail::nothing<Light>() : Light(codec.store(*member));
            }
        }
    }

    template <typename Row, typename Struct>
    void load(Row& row, int at, Struct& object) const {
        bool may_make = false;
        if constexpr (kOptional && kAbsent == Absent::Null) {
            if (row.is_null(at)) return;
            may_make = true;
        } else if constexpr (kOptional && kAbsent == Absent::Empty) {
            if (row.text_view(at).empty()) return;
            may_make = true;
        }
        auto* member = std::apply(
            [&](auto... path_members) {
                return detail::find_or_make(&object, may_make, path_members...);
            },
            path);
        if (member != nullptr) codec.load(row, at, *member);
    }
};

namespace detail {

template <Absent kAbsent, typename Codec, typename... Path>
constexpr auto made(const char* name, Codec codec, Path... path) {
    return Column<Codec, kAbsent, Path...>{name, codec, {path...}};
}

template <typename Codec>
constexpr auto codec_of(Codec codec) {
    return codec;
}
template <typename Enumeration>
constexpr auto codec_of(std::optional<Enumeration> (*parse)(std::string_view)) {
    return Name<Enumeration>{parse};
}

/// Splits the arguments after the name of a column into the path and an optional codec.
template <typename... Path>
constexpr auto column_of(const char* name, std::tuple<Path...> path) {
    return std::apply([&](auto... each) { return made<Absent::Null>(name, Plain{}, each...); },
                      path);
}
template <typename... Path, typename Next, typename... More>
constexpr auto column_of(const char* name, std::tuple<Path...> path, Next next, More... more) {
    if constexpr (std::is_member_object_pointer_v<Next>) {
        return column_of(name, std::tuple_cat(path, std::tuple(next)), more...);
    } else {
        static_assert(sizeof...(More) == 0, "the codec comes last");
        return std::apply(
            [&](auto... each) { return made<Absent::Null>(name, codec_of(next), each...); }, path);
    }
}
}  // namespace detail

/// `rest`: members from the struct to the value, then a codec or a function that parses a name.
template <typename... Rest>
constexpr auto column(const char* name, Rest... rest) {
    return detail::column_of(name, std::tuple<>{}, rest...);
}

/// A column of an optional part that is '' or 0 while the part is absent.
template <typename Codec, typename... Path>
constexpr auto filled(Column<Codec, Absent::Null, Path...> column) {
    return Column<Codec, Absent::Filled, Path...>{column.name, column.codec, column.path};
}
/// A column of text that is '' exactly while its part is absent.
template <typename Codec, typename... Path>
constexpr auto unless_empty(Column<Codec, Absent::Null, Path...> column) {
    return Column<Codec, Absent::Empty, Path...>{column.name, column.codec, column.path};
}

/// `text` with each `?` replaced by the next of $1, $2, …, beginning with `$next`.
std::string numbered(std::string_view text, std::size_t next);

template <typename Struct, typename... Columns>
struct Table {
    static constexpr std::size_t kWidth = sizeof...(Columns);

    const char* name;  ///< for tables that are only read: any `from` clause
    std::tuple<Columns...> columns;

    /// "agent_id, peer_id"; `prefix` precedes each name, such as "w." for a joined table.
    std::string names(std::string_view prefix = {}) const {
        return joined(
            [&](std::size_t, const char* column) { return std::string(prefix) + column; });
    }
    /// `more`: further columns at the end.
    std::string select(std::string_view rest = {}, std::string_view more = {}) const {
        std::string all = names();
        if (!more.empty()) all.append(", ").append(more);
        return "select " + all + " from " + name + " " + std::string(rest);
    }
    /// `more`: names of further columns, whose values follow.
    std::string insert(std::string_view rest = {}, std::string_view more = {}) const {
        std::string values =
            joined([](std::size_t at, const char*) { return "$" + std::to_string(at + 1); });
        std::string all = names();
        if (!more.empty()) {
            all.append(", ").append(more);
            values += ", ?";
            for (const char each : more)
                if (each == ',') values += ", ?";
        }
        return "insert into " + std::string(name) + " (" + all + ") values (" +
               numbered(values, kWidth + 1) + ") " + std::string(rest);
    }
    /// Each `?` of `rest` is a value after those of the columns.
    std::string update(std::string_view rest) const {
        const std::string set = joined([](std::size_t at, const char* column) {
            return std::string(column) + " = $" + std::to_string(at + 1);
        });
        return "update " + std::string(name) + " set " + set + " " + numbered(rest, kWidth + 1);
    }
    /// "source = excluded.source, role = excluded.role", for `on conflict … do update set`.
    std::string excluded() const {
        return joined([](std::size_t, const char* column) {
            return std::string(column) + " = excluded." + column;
        });
    }

    /// Reads a row that begins with the columns of this table.
    template <typename Row>
    Struct operator()(Row& row) const {
        Struct object{};
        load(row, object);
        return object;
    }
    template <typename Row>
    void load(Row& row, Struct& object) const {
        int at = 0;
        std::apply([&](const auto&... each) { (each.load(row, at++, object), ...); }, columns);
    }

    /// Calls `call` with the values of all columns in order, then `more`.
    template <typename Call, typename... More>
    decltype(auto) apply(const Call& call, const Struct& object, const More&... more) const {
        return std::apply(
            [&](const auto&... each) -> decltype(auto) {
                return call(each.value_of(object)..., more...);
            },
            columns);
    }

  private:
    template <typename Each>
    std::string joined(Each each) const {
        std::string all;
        std::size_t at = 0;
        const auto add = [&](const char* column) {
            if (at > 0) all += ", ";
            all += each(at++, column);
        };
        std::apply([&](const auto&... every) { (add(every.name), ...); }, columns);
        return all;
    }
};

namespace detail {

/// Each argument as a tuple of columns; it is one column or a list made by A2H_COLUMNS.
template <typename... Columns>
constexpr auto columns_in(std::tuple<Columns...> list) {
    return list;
}
template <typename Column>
constexpr auto columns_in(Column column) {
    return std::tuple(column);
}
template <typename Struct, typename... Columns>
constexpr auto table_of(const char* name, std::tuple<Columns...> columns) {
    return Table<Struct, Columns...>{name, columns};
}

}  // namespace detail

/// `columns`: columns, and lists of them made by A2H_COLUMNS.
template <typename Struct, typename... Columns>
constexpr auto table(const char* name, Columns... columns) {
    return detail::table_of<Struct>(name, std::tuple_cat(detail::columns_in(columns)...));
}

namespace detail {

template <auto kMember, typename Codec, Absent kAbsent, typename First, typename... More>
constexpr bool holds(const Column<Codec, kAbsent, First, More...>& column) {
    if constexpr (std::is_same_v<decltype(kMember), First>) {
        return std::get<0>(column.path) == kMember;
    } else {
        return false;
    }
}

template <const auto& kTable, bool kListed, std::size_t kAt, auto... kMembers>
constexpr auto one_of() {
    constexpr const auto& column = std::get<kAt>(kTable.columns);
    if constexpr ((holds<kMembers>(column) || ...) == kListed) {
        return std::tuple(column);
    } else {
        return std::tuple<>();
    }
}

template <typename Struct, typename... Columns, typename... Chosen>
constexpr auto part_of(const Table<Struct, Columns...>& whole, std::tuple<Chosen...> chosen) {
    return Table<Struct, Chosen...>{whole.name, chosen};
}

template <const auto& kTable, bool kListed, auto... kMembers>
constexpr auto part() {
    return []<std::size_t... kAt>(std::index_sequence<kAt...>) {
        return part_of(kTable, std::tuple_cat(one_of<kTable, kListed, kAt, kMembers...>()...));
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(kTable.columns)>>());
}

}  // namespace detail

/// The columns of `kTable` that hold these members, in the order of the table.
template <const auto& kTable, auto... kMembers>
constexpr auto only() {
    return detail::part<kTable, true, kMembers...>();
}
/// All columns of `kTable` except those that hold these members.
template <const auto& kTable, auto... kMembers>
constexpr auto without() {
    return detail::part<kTable, false, kMembers...>();
}

/// Reads a row of `table` and the number in the next column.
template <typename TableType>
auto with_number(const TableType& table) {
    return [&table](auto& row) {
        return std::pair(table(row), row.integer(static_cast<int>(TableType::kWidth)));
    };
}

/// Readers of the first column.
constexpr auto kFirstText = [](auto& row) { return std::string(row.text(0)); };
constexpr auto kFirstNumber = [](auto& row) { return row.integer(0); };

/// The name of an enumeration's value; empty if there is none.
template <typename Enumeration>
std::string_view name_or_empty(const std::optional<Enumeration>& value) {
    return value ? to_string(*value) : std::string_view();
}

}  // namespace a2h::sql

/// Columns with the same names as their members: `A2H_COLUMNS(Order, order_id, title)`. This must
/// be a macro, because only a macro can use a name both as an identifier and as text.
#define A2H_COLUMNS(type, ...) std::tuple(A2H_FOR_EACH(A2H_ONE_COLUMN, type, __VA_ARGS__))
#define A2H_ONE_COLUMN(type, member) ::a2h::sql::column(#member, &type::member)
