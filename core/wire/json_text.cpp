#include "core/wire/json_text.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/fence.h"
#include "core/base/text.h"

namespace a2h::wire {
namespace {

using nlohmann::json;

constexpr std::string_view kOutOfRange = "a number is out of range at byte ";
constexpr std::string_view kIncomplete =
    "an incomplete character, such as half of an emoji, at byte ";

/// Considers only brackets outside strings, so it needs no valid JSON and one pass.
bool deeper_than(std::string_view text, int depth_max) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') {
                ++i;
            } else if (c == '"') {
                in_string = false;
            }
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > depth_max) return true;
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return false;
}

/// Builds the value from the parser's events. With the parser's own builder the last of several
/// equal names silently replaces the others; here the second one ends the parse. Open containers
/// are pointers into their parents, which do not move while a child is open, because only the
/// innermost one grows.
class Builder final : public json::json_sax_t {
  public:
    json take() { return std::move(root_); }
    const std::string& problem() const { return problem_; }

    bool null() override { return add(json(nullptr)); }
    bool boolean(bool value) override { return add(json(value)); }
    bool number_integer(std::int64_t value) override { return add(json(value)); }
    bool number_unsigned(std::uint64_t value) override { return add(json(value)); }
    bool number_float(double value, const std::string&) override { return add(json(value)); }
    bool string(std::string& value) override { return add(json(std::move(value))); }
    bool binary(json::binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(std::string& name) override {
        auto& members = open_.back()->get_ref<json::object_t&>();
        const auto [position, added] = members.try_emplace(std::move(name));
        if (!added) {
            problem_ = "a name appears twice in one object";
            return false;
        }
        member_ = &position->second;
        return true;
    }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) override {
        constexpr int kNumberOverflow = 406;
        const std::string what = error.what();
        if (error.id == kNumberOverflow) {
            problem_ = kOutOfRange;
        } else if (what.find("surrogate") != std::string::npos) {
            problem_ = kIncomplete;
        } else {
            problem_ = "error at byte ";
        }
        problem_ += std::to_string(position);
        return false;
    }

  private:
    json* place(json&& value) {
        if (open_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        if (open_.back()->is_array()) {
            return &open_.back()->get_ref<json::array_t&>().emplace_back(std::move(value));
        }
        *member_ = std::move(value);
        return member_;
    }
    bool add(json&& value) {
        place(std::move(value));
        return true;
    }
    bool open(json&& container) {
        open_.push_back(place(std::move(container)));
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    json root_;
    std::vector<json*> open_;
    json* member_ = nullptr;  ///< the place for the value of the name just read
    std::string problem_;
};

/// Walks a text and stops at the number it searches for. Whole numbers of up to 64 bits are
/// reported without their text, but lose nothing.
class NumberFinder final : public json::json_sax_t {
  public:
    explicit NumberFinder(std::vector<std::string> names) : wanted_(std::move(names)) {}

    std::optional<std::string> take() { return std::move(found_); }

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(std::int64_t value) override { return check_number(std::to_string(value)); }
    bool number_unsigned(std::uint64_t value) override {
        return check_number(std::to_string(value));
    }
    bool number_float(double, const std::string& text) override { return check_number(text); }
    bool string(std::string&) override { return true; }
    bool binary(json::binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(); }
    // Items of a list have an empty name, which is never searched.
    bool start_array(std::size_t) override { return open(); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(std::string& name) override {
        here_.back() = std::move(name);
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
        return false;
    }

  private:
    bool open() {
        here_.emplace_back();
        return true;
    }
    bool close() {
        here_.pop_back();
        return true;
    }
    bool check_number(std::string text) {
        if (here_ == wanted_) found_ = std::move(text);
        return !found_;
    }

    const std::vector<std::string> wanted_;
    std::vector<std::string> here_;
    std::optional<std::string> found_;
};

}  // namespace

bool is_beyond_limits(const Error& error) {
    const auto says = [&](std::string_view words) {
        return error.message.find(words) != std::string::npos;
    };
    return error.code == ErrorCode::ResourceExhausted || says(kOutOfRange) || says(kIncomplete);
}

std::optional<std::string> number_text(std::string_view text, std::vector<std::string> names) {
    NumberFinder finder(std::move(names));
    try {
        static_cast<void>(json::sax_parse(text.begin(), text.end(), &finder));
    } catch (const json::exception&) {
        return std::nullopt;
    }
    return finder.take();
}

Result<json> parse_json(std::string_view text, const JsonLimits& limits) {
    if (text.size() > limits.bytes_max) {
        return fail(ErrorCode::ResourceExhausted, "too large: " + std::to_string(text.size()) +
                                                      " bytes, at most " +
                                                      std::to_string(limits.bytes_max));
    }
    if (deeper_than(text, limits.depth_max)) {
        return fail(ErrorCode::ResourceExhausted,
                    "too deep: more than " + std::to_string(limits.depth_max) + " levels");
    }
    if (!is_utf8(text)) return fail(ErrorCode::InvalidArgument, "not UTF-8");
    // The parser treats a NUL as the end of its input and skips a byte order mark.
    if (text.find('\0') != std::string_view::npos || text.starts_with("\xef\xbb\xbf")) {
        return fail(ErrorCode::InvalidArgument, "not JSON: NUL or byte order mark");
    }
    Builder builder;
    try {
        if (json::sax_parse(text.begin(), text.end(), &builder)) return builder.take();
    } catch (const json::exception&) {
        // Numbers out of range and the like; reported below.
    }
    return fail(ErrorCode::InvalidArgument, "not JSON: " + builder.problem());
}

json shown_whole(const json& value) {
    if (value.is_string()) return a2h::shown_whole(value.get_ref<const std::string&>());
    if (!value.is_structured()) return value;
    json shown(value.type());
    for (auto item = value.begin(); item != value.end(); ++item) {
        if (value.is_array()) {
            shown.push_back(shown_whole(*item));
        } else {
            shown[a2h::shown_whole(item.key())] = shown_whole(*item);
        }
    }
    return shown;
}

}  // namespace a2h::wire
