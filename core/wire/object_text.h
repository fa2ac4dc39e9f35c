#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace a2h::wire {

/// Builds the text of one JSON object member by member, for frequent answers in which building the
/// object first would be the largest cost. Names must need no escapes and be unique.
class ObjectText {
  public:
    /// `value` must be UTF-8.
    ObjectText& text(std::string_view name, std::string_view value);
    ObjectText& number(std::string_view name, std::int64_t value);
    /// `json` must be JSON.
    ObjectText& raw(std::string_view name, std::string_view json);

    /// The complete object; this builder must not be used afterwards.
    std::string take();

  private:
    void begin(std::string_view name);

    std::string out_ = "{";
};

}  // namespace a2h::wire
