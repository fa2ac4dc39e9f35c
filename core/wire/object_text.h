#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace a2h::wire {

/// One JSON object as text, member by member, where building it first would cost more than all
/// else: in the answers that are asked for most. Names need no escapes and come once.
class ObjectText {
  public:
    /// `value` is UTF-8.
    ObjectText& text(std::string_view name, std::string_view value);
    ObjectText& number(std::string_view name, std::int64_t value);
    /// `json` is JSON already.
    ObjectText& raw(std::string_view name, std::string_view json);

    /// The whole object; ends the use of this one.
    std::string take();

  private:
    void begin(std::string_view name);

    std::string out_ = "{";
};

}  // namespace a2h::wire
