#pragma once

// Inside core/wire only: the fields of a struct are named once, in a function `fields(io, object)`,
// for both directions. A `FieldReader` is lenient: a member that is missing or of another type is
// empty, texts are cut to their limits and numbers to their range, and names may be camelCase. A
// `FieldWriter` writes what exists.

#include <algorithm>
#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/domain/demand.h"
#include "core/wire/demand_json.h"
#include "core/wire/json_member.h"

namespace a2h::wire {

/// The argument of `fields`: the struct for a reader, a constant struct for a writer.
template <typename T, typename Struct>
concept Like = std::same_as<std::remove_const_t<T>, Struct>;

/// The most texts of a list that are read.
constexpr std::size_t kFieldTextsMax = 20;
/// The length of a text that is not cut.
constexpr std::size_t kWholeText = std::string_view::npos;

template <typename Json>
class FieldWriter {
  public:
    void text(const char* name, const std::string& value, std::size_t) { object_[name] = value; }
    void text_if_any(const char* name, const std::string& value, std::size_t) {
        if (!value.empty()) object_[name] = value;
    }
    void texts(const char* name, const std::vector<std::string>& value, std::size_t) {
        object_[name] = value;
    }
    void number(const char* name, int value, int, int, int = 0) { object_[name] = value; }
    void integer(const char* name, std::int64_t value) { object_[name] = value; }
    void number_if_any(const char* name, const std::optional<int>& value, int) {
        if (value) object_[name] = *value;
    }
    void flag(const char* name, bool value) { object_[name] = value; }
    void time(const char* name, UnixMs value) { object_[name] = value; }
    void time_if_any(const char* name, UnixMs value) {
        if (value > 0) object_[name] = value;
    }
    template <typename Enumeration, typename Parse>
    void name(const char* name, Enumeration value, Parse, Enumeration) {
        object_[name] = to_string(value);
    }
    void word(const char* name, const std::string& value, std::initializer_list<std::string_view>,
              std::string_view) {
        object_[name] = value;
    }
    void price(const char* name, const std::optional<Price>& value) {
        if (value) object_[name] = to_json(value);
    }
    /// For a type with `to_json` and a function that parses it.
    template <typename T, typename Read>
    void value(const char* name, const T& value, Read) {
        object_[name] = to_json(value);
    }
    template <typename T, typename Read>
    void value_if_any(const char* name, const std::optional<T>& value, Read) {
        if (value) object_[name] = to_json(*value);
    }
    /// The members of `value` as members of this object.
    template <typename T, typename Read>
    void within(const T& value, Read) {
        object_.update(to_json(value));
    }
    template <typename T>
    void only_written(const char* name, const T& value) {
        object_[name] = value;
    }
    /// A nested object with fields of the same struct.
    template <typename Part>
    void part(const char* name, Part fields_of_part, bool is_there = true) {
        if (!is_there) return;
        FieldWriter inner;
        fields_of_part(inner);
        object_[name] = inner.take();
    }
    template <typename T, typename Key>
    void list(const char* name, const std::vector<T>& items, std::size_t, Key) {
        auto& written = object_[name] = Json::array();
        for (const T& item : items) {
            FieldWriter inner;
            fields(inner, item);
            written.push_back(inner.take());
        }
    }

    Json take() { return std::move(object_); }

  private:
    Json object_ = Json::object();
};

template <typename Json>
class FieldReader {
  public:
    explicit FieldReader(const Json& object) : object_(object) {}

    void text(const char* name, std::string& value, std::size_t max_code_points) const {
        const auto& found = either_member(object_, name);
        value = found.is_string()
                    ? truncate(found.template get_ref<const std::string&>(), max_code_points)
                    : std::string_view();
    }
    void text_if_any(const char* name, std::string& value, std::size_t max_code_points) const {
        text(name, value, max_code_points);
    }
    void texts(const char* name, std::vector<std::string>& value, std::size_t length_max) const {
        for (const auto& each : either_member(object_, name)) {
            if (value.size() == kFieldTextsMax) return;
            if (each.is_string() && !each.template get_ref<const std::string&>().empty()) {
                value.emplace_back(
                    truncate(each.template get_ref<const std::string&>(), length_max));
            }
        }
    }
    void number(const char* name, int& value, int from, int to) const {
        number(name, value, from, to, from);
    }
    void number(const char* name, int& value, int from, int to, int missing) const {
        const auto& found = either_member(object_, name);
        value =
            found.is_number()
                ? static_cast<int>(std::clamp(found.template get<double>(),
                                              static_cast<double>(from), static_cast<double>(to)))
                : missing;
    }
    void integer(const char* name, std::int64_t& value) const {
        const auto& found = either_member(object_, name);
        value = found.is_number_integer() ? found.template get<std::int64_t>() : 0;
    }
    void number_if_any(const char* name, std::optional<int>& value, int to) const {
        int found = 0;
        number(name, found, 0, to, 0);
        if (found > 0) value = found;
    }
    void flag(const char* name, bool& value) const {
        const auto& found = either_member(object_, name);
        value = found.is_boolean() && found.template get<bool>();
    }
    void time(const char* name, UnixMs& value) const {
        const auto& found = either_member(object_, name);
        const bool is_read = found.is_number_integer() && is_time(found.template get<UnixMs>());
        value = is_read ? found.template get<UnixMs>() : 0;
    }
    void time_if_any(const char* name, UnixMs& value) const { time(name, value); }
    template <typename Enumeration, typename Parse>
    void name(const char* name, Enumeration& value, Parse parse, Enumeration missing) const {
        value = parse(text_in(name)).value_or(missing);
    }
    void word(const char* name, std::string& value, std::initializer_list<std::string_view> known,
              std::string_view missing) const {
        const std::string said = text_in(name);
        const bool is_known = std::find(known.begin(), known.end(), said) != known.end();
        value = is_known ? said : missing;
    }
    template <typename T, typename Read>
    void within(T& value, Read read) const {
        value = read(object_);
    }
    template <typename T>
    void only_written(const char*, const T&) const {}
    void price(const char* name, std::optional<Price>& value) const {
        value = read_price(either_member(object_, name));
    }
    template <typename T, typename Read>
    void value(const char* name, T& value, Read read) const {
        value = read(either_member(object_, name));
    }
    template <typename T, typename Read>
    void value_if_any(const char* name, std::optional<T>& value, Read read) const {
        const auto& found = either_member(object_, name);
        if (found.is_object()) value = read(found);
    }
    template <typename Part>
    void part(const char* name, Part fields_of_part, bool = true) const {
        FieldReader inner(either_member(object_, name));
        fields_of_part(inner);
    }
    /// At most `items_max` objects. An object with an empty `key` is left out, if there is such a
    /// member.
    template <typename T, typename Key>
    void list(const char* name, std::vector<T>& items, std::size_t items_max, Key key) const {
        for (const auto& each : either_member(object_, name)) {
            if (items.size() == items_max) return;
            if (!each.is_object()) continue;
            FieldReader inner(each);
            T item{};
            fields(inner, item);
            if constexpr (!std::is_null_pointer_v<Key>) {
                if ((item.*key).empty()) continue;
            }
            items.push_back(std::move(item));
        }
    }

  private:
    std::string text_in(const char* name) const {
        const auto& found = either_member(object_, name);
        return found.is_string() ? found.template get<std::string>() : std::string();
    }

    const Json& object_;
};

template <typename Struct, typename Json = nlohmann::json>
Json written(const Struct& object) {
    FieldWriter<Json> io;
    fields(io, object);
    return io.take();
}
template <typename Struct, typename Json = nlohmann::json>
Struct read_fields(const Json& from) {
    FieldReader<Json> io(from);
    Struct object{};
    fields(io, object);
    return object;
}

}  // namespace a2h::wire
