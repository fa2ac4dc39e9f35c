#include "core/sql/table.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/sql/migration.h"

namespace sql = a2h::sql;

namespace {

enum class Colour { Red, Blue };
std::string_view to_string(Colour colour) {
    return colour == Colour::Red ? "red" : "blue";
}
std::optional<Colour> parse_colour(std::string_view name) {
    if (name == "red") return Colour::Red;
    if (name == "blue") return Colour::Blue;
    return std::nullopt;
}

struct Price {
    std::int64_t minor = 0;
    std::string currency;
};
struct Car {
    std::int64_t id = 0;
    std::string owner;
    Colour colour = Colour::Red;
    bool is_new = false;
    std::vector<std::string> tags;
    std::optional<Price> price;
    std::optional<Colour> roof;
    std::string note;
};

constexpr auto kCar = sql::table<Car>(
    "car", A2H_COLUMNS(Car, id, owner, is_new), sql::column("tags_json", &Car::tags),
    sql::column("colour", &Car::colour, parse_colour),
    sql::column("price_minor", &Car::price, &Price::minor),
    sql::filled(sql::column("currency", &Car::price, &Price::currency)),
    sql::unless_empty(sql::column("roof", &Car::roof, parse_colour)),
    sql::column("note", &Car::note, sql::NullIfEmpty{}));

using Value = std::variant<std::nullptr_t, std::int64_t, std::string>;

/// A row in memory.
struct Row {
    std::vector<Value> values;
    std::optional<std::string> bad_name{};

    const Value& at(int column) const { return values.at(static_cast<std::size_t>(column)); }
    bool is_null(int column) const { return at(column).index() == 0; }
    std::int64_t integer(int column) const { return std::get<std::int64_t>(at(column)); }
    const std::string& text(int column) const { return std::get<std::string>(at(column)); }
    std::string_view text_view(int column) const { return text(column); }
    template <typename Enumeration>
    Enumeration name(int column, std::optional<Enumeration> (*parse)(std::string_view)) {
        const auto parsed = parse(text(column));
        if (!parsed) bad_name = text(column);
        return parsed.value_or(Enumeration{});
    }
};

Value to_value(std::int64_t value) {
    return value;
}
Value to_value(std::string_view value) {
    return std::string(value);
}
Value to_value(sql::OrNull value) {
    return value.text.empty() ? Value(nullptr) : Value(std::string(value.text));
}
template <typename T>
Value to_value(const std::optional<T>& value) {
    return value ? to_value(*value) : Value(nullptr);
}

Row stored(const Car& car) {
    return kCar.apply([](const auto&... values) { return Row{{to_value(values)...}}; }, car);
}

Car car() {
    return {7, "Ann", Colour::Blue, true, {"old", "fast"}, Price{500, "EUR"}, Colour::Red, "dent"};
}

class Target final : public sql::MigrationTarget {
  public:
    explicit Target(int version) : version_(version) {}
    a2h::Result<int> version() override { return version_; }
    std::string copy_before(int version) const override {
        return "copy." + std::to_string(version);
    }
    a2h::Result<void> back_up(const std::string& copy) override {
        done.push_back(copy);
        return {};
    }
    a2h::Result<void> apply(const sql::Migration& migration) override {
        done.push_back(migration.name);
        return {};
    }
    std::vector<std::string> done;

  private:
    int version_;
};

const std::vector<sql::Migration> kKnown{{1, "first", ""}, {2, "second", ""}, {3, "third", ""}};

}  // namespace

TEST_CASE("A table gives the texts of its statements") {
    CHECK(kCar.names("c.").starts_with("c.id, c.owner, c.is_new, c.tags_json, c.colour"));
    CHECK(kCar.select("where id = ?", "number") ==
          "select id, owner, is_new, tags_json, colour, price_minor, currency, roof, note, number "
          "from car where id = ?");
    constexpr auto kPart = sql::only<kCar, &Car::price, &Car::owner>();
    CHECK(
        kPart.update("where id = ? and owner = ?") ==
        "update car set owner = $1, price_minor = $2, currency = $3 where id = $4 and owner = $5");
    CHECK(kPart.excluded() ==
          "owner = excluded.owner, price_minor = excluded.price_minor, "
          "currency = excluded.currency");
    constexpr auto kRest = sql::without<kCar, &Car::price, &Car::tags, &Car::roof, &Car::note>();
    CHECK(kRest.insert("on conflict do nothing", "a, b") ==
          "insert into car (id, owner, is_new, colour, a, b) values ($1, $2, $3, $4, $5, $6) "
          "on conflict do nothing");
}

TEST_CASE("A row reads as what was stored") {
    Row row = stored(car());
    const Car read = kCar(row);
    CHECK(read.id == 7);
    CHECK(read.owner == "Ann");
    CHECK(read.colour == Colour::Blue);
    CHECK(read.is_new);
    CHECK(read.tags == car().tags);
    REQUIRE(read.price);
    CHECK(read.price->minor == 500);
    CHECK(read.price->currency == "EUR");
    CHECK(read.roof == Colour::Red);
    CHECK(read.note == "dent");
}

TEST_CASE("An absent value is stored as its column says and is read as absent") {
    Car bare = car();
    bare.price.reset();
    bare.roof.reset();
    bare.note.clear();
    Row row = stored(bare);
    CHECK(row.is_null(5));
    CHECK(row.text(6).empty());
    CHECK(row.text(7).empty());
    CHECK(row.is_null(8));
    const Car read = kCar(row);
    CHECK_FALSE(read.price);
    CHECK_FALSE(read.roof);
    CHECK(read.note.empty());
}

TEST_CASE("An unknown enumeration name is recorded as an error") {
    Row row = stored(car());
    row.values.at(4) = std::string("green");
    kCar(row);
    CHECK(row.bad_name == "green");
}

TEST_CASE("Only newer migrations are applied, after a copy of what is there") {
    Target empty(0);
    CHECK(sql::migrate(empty, kKnown, "it", a2h::no_progress()));
    CHECK(empty.done == std::vector<std::string>{"first", "second", "third"});
    Target old(1);
    CHECK(sql::migrate(old, kKnown, "it", a2h::no_progress()));
    CHECK(old.done == std::vector<std::string>{"copy.2", "second", "third"});
    Target newest(3);
    CHECK(sql::migrate(newest, kKnown, "it", a2h::no_progress()));
    CHECK(newest.done.empty());
}

TEST_CASE("A newer schema is refused, and the message names the copy of before") {
    Target later(4);
    const auto refused = sql::migrate(later, kKnown, "it", a2h::no_progress());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == a2h::ErrorCode::Unsupported);
    CHECK(refused.error().message.find("copy.4") != std::string::npos);
    CHECK(later.done.empty());
}
