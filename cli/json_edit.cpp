#include "cli/json_edit.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/text.h"

namespace a2h::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kJsonSpaces = " \t\r\n";

struct JsonMember {
    std::string name;
    std::size_t name_begin = 0;
    std::size_t value_begin = 0;
    std::size_t value_end = 0;
};

struct JsonObject {
    std::size_t begin = 0;  ///< position of "{"
    std::size_t end = 0;    ///< position of "}"
    std::vector<JsonMember> members;
};

/// The position after the string whose opening quote is at `at`.
std::size_t behind_string(std::string_view text, std::size_t at) {
    for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\') ++at;
    }
    return std::min(at + 1, text.size());
}

/// The position after the comment that begins at `at`; `at` if there is none.
std::size_t behind_comment(std::string_view text, std::size_t at) {
    if (text.substr(at, 2) == "//") return std::min(text.find('\n', at), text.size());
    if (text.substr(at, 2) != "/*") return at;
    const std::size_t end = text.find("*/", at + 2);
    return end == std::string_view::npos ? text.size() : end + 2;
}

/// The same bytes at the same positions, with comments and trailing commas replaced by blanks.
std::string without_comments(std::string_view text) {
    std::string plain(text);
    std::optional<std::size_t> comma;
    char last = '\0';  // ignoring white space and comments
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = behind_comment(text, at);
        if (end > at) {
            for (; at < end; ++at)
                plain[at] = text[at] == '\n' ? '\n' : ' ';
            continue;
        }
        const char c = text[at];
        if (kJsonSpaces.find(c) == std::string_view::npos) {
            if (comma && (c == '}' || c == ']')) plain[*comma] = ' ';
            comma.reset();
            if (c == ',' && last != '{' && last != '[' && last != ',') comma = at;
            last = c;
        }
        at = c == '"' ? behind_string(text, at) : at + 1;
    }
    return plain;
}

std::size_t behind_spaces(std::string_view plain, std::size_t at) {
    return std::min(plain.find_first_not_of(kJsonSpaces, at), plain.size());
}

/// The position after the value that begins at `at` of valid JSON.
std::size_t behind_value(std::string_view plain, std::size_t at) {
    if (plain[at] == '"') return behind_string(plain, at);
    if (plain[at] != '{' && plain[at] != '[') {
        return std::min(plain.find_first_of(",}] \t\r\n", at), plain.size());
    }
    int depth = 0;
    while (at < plain.size()) {
        const char c = plain[at];
        at = c == '"' ? behind_string(plain, at) : at + 1;
        if (c == '{' || c == '[') ++depth;
        if ((c == '}' || c == ']') && --depth == 0) break;
    }
    return at;
}

/// The object whose "{" is at `begin` of valid JSON.
JsonObject read_object(std::string_view plain, std::size_t begin) {
    JsonObject object{.begin = begin, .end = behind_value(plain, begin) - 1, .members = {}};
    std::size_t at = behind_spaces(plain, begin + 1);
    while (at < object.end) {
        JsonMember member;
        member.name_begin = at;
        const std::size_t name_end = behind_string(plain, at);
        member.name = ordered_json::parse(plain.substr(at, name_end - at));
        member.value_begin = behind_spaces(plain, behind_spaces(plain, name_end) + 1);
        member.value_end = behind_value(plain, member.value_begin);
        at = behind_spaces(plain, member.value_end);
        if (at < object.end) at = behind_spaces(plain, at + 1);
        object.members.push_back(std::move(member));
    }
    return object;
}

Unexpected no_json(const std::string& why) {
    return fail(ErrorCode::InvalidArgument, why);
}

/// One file while it is edited.
class JsonText {
  public:
    static Result<JsonText> read(std::string_view text, JsonDialect dialect) {
        JsonText file;
        file.text_ = trim(text).empty() ? "{}\n" : std::string(text);
        if (!is_utf8(file.text_)) return no_json("it is not UTF-8");
        file.plain_ = dialect == JsonDialect::Strict ? file.text_ : without_comments(file.text_);
        try {
            file.value_ = ordered_json::parse(file.plain_);
        } catch (const ordered_json::parse_error& error) {
            const auto end = file.text_.begin() +
                             static_cast<std::ptrdiff_t>(std::min(error.byte, file.text_.size()));
            return no_json("line " + std::to_string(1 + std::count(file.text_.begin(), end, '\n')) +
                           " is not valid JSON");
        } catch (const ordered_json::out_of_range&) {
            return no_json("it contains a number that is too large");
        }
        if (!file.value_.is_object()) return no_json("it does not contain a JSON object");
        file.detect_style();
        return file;
    }

    const ordered_json& value() const { return value_; }

    Result<std::string> set(const std::vector<std::string>& path, const ordered_json& entry) {
        JsonObject object = read_object(plain_, behind_spaces(plain_, 0));
        const ordered_json* value = &value_;
        for (std::size_t depth = 0; depth < path.size(); ++depth) {
            const std::string& name = path[depth];
            const auto same = [&](const JsonMember& member) { return member.name == name; };
            const auto count = std::count_if(object.members.begin(), object.members.end(), same);
            if (count > 1) return no_json("\"" + name + "\" occurs more than once");
            if (count == 0) return inserted(object, path, depth, entry);
            const auto member = std::find_if(object.members.begin(), object.members.end(), same);
            value = &value->at(name);
            if (depth + 1 == path.size()) return replaced(*member, *value, depth + 1, entry);
            if (!value->is_object()) return no_json("\"" + name + "\" is not an object");
            object = read_object(plain_, member->value_begin);
        }
        return text_;
    }

  private:
    void detect_style() {
        if (text_.find("\r\n") != std::string::npos) line_end_ = "\r\n";
        const JsonObject root = read_object(plain_, behind_spaces(plain_, 0));
        if (root.members.empty()) return;
        const std::string indent = indent_before(root.members.front().name_begin);
        if (!indent.empty()) indent_ = indent;
    }
    /// White space from the beginning of the line to `at`; empty if there is anything else.
    std::string indent_before(std::size_t at) const {
        const std::size_t begin = text_.find_last_of('\n', at) + 1;  // npos + 1 is 0
        const std::string indent = text_.substr(begin, at - begin);
        return indent.find_first_not_of(" \t") == std::string::npos ? indent : std::string();
    }
    std::string indent_of(std::size_t depth) const {
        std::string all;
        for (std::size_t i = 0; i < depth; ++i)
            all += indent_;
        return all;
    }
    /// The text of a member's value at `depth`, beginning after its name.
    std::string written(const ordered_json& value, std::size_t depth) const {
        const int width = indent_[0] == '\t' ? 1 : static_cast<int>(indent_.size());
        const std::string dumped = value.dump(width, indent_[0]);
        std::string out;
        for (const char c : dumped) {
            out += c == '\n' ? line_end_ : std::string(1, c);
            if (c == '\n') out += indent_of(depth);
        }
        return out;
    }

    Result<std::string> replaced(const JsonMember& member, const ordered_json& old,
                                 std::size_t depth, const ordered_json& entry) const {
        ordered_json merged = old.is_object() ? old : ordered_json::object();
        for (const auto& [name, value] : entry.items())
            merged[name] = value;
        if (merged == old) return text_;
        std::string out = text_;
        out.replace(member.value_begin, member.value_end - member.value_begin,
                    written(merged, depth));
        return out;
    }

    Result<std::string> inserted(const JsonObject& object, const std::vector<std::string>& path,
                                 std::size_t depth, const ordered_json& entry) const {
        ordered_json value = entry;
        for (std::size_t i = path.size() - 1; i > depth; --i)
            value = ordered_json{{path[i], value}};
        const std::string line = line_end_ + indent_of(depth + 1) +
                                 ordered_json(path[depth]).dump() + ": " +
                                 written(value, depth + 1);
        std::string out = text_;
        if (object.members.empty()) {
            std::size_t at = object.end;
            while (kJsonSpaces.find(out[at - 1]) != std::string_view::npos)
                --at;
            return out.replace(at, object.end - at, line + line_end_ + indent_of(depth));
        }
        const std::size_t value_end = object.members.back().value_end;
        // A comma before the closing bracket can be used.
        const std::size_t comma = trailing_comma(value_end, object.end);
        const std::size_t behind = comma < object.end ? comma + 1 : value_end;
        out.insert(behind_rest_of_line(behind, object.end), line);
        if (comma == object.end) out.insert(value_end, ",");
        return out;
    }
    /// The position after the comments on the line of what ends at `at`.
    std::size_t behind_rest_of_line(std::size_t at, std::size_t end) const {
        std::size_t last = at;
        while (at < end && text_[at] != '\n') {
            const std::size_t comment_end = behind_comment(text_, at);
            if (comment_end > at) last = comment_end;
            at = std::max(comment_end, at + 1);
        }
        return text_[last - 1] == '\r' ? last - 1 : last;
    }
    /// The position of a comma between the last value, which ends at `at`, and the bracket at
    /// `end`; `end` if there is none.
    std::size_t trailing_comma(std::size_t at, std::size_t end) const {
        while (at < end && text_[at] != ',')
            at = std::max(behind_comment(text_, at), at + 1);
        return std::min(at, end);
    }

    std::string text_;
    std::string plain_;  ///< valid JSON with the same positions as `text_`
    ordered_json value_;
    std::string indent_ = "  ";
    std::string line_end_ = "\n";
};

}  // namespace

Result<std::string> set_json_entry(std::string_view text, const std::vector<std::string>& path,
                                   const ordered_json& entry, JsonDialect dialect) {
    const bool marked = text.starts_with(kByteOrderMark);
    if (marked) text.remove_prefix(kByteOrderMark.size());
    A2H_ASSIGN_OR_RETURN(auto file, JsonText::read(text, dialect));
    A2H_ASSIGN_OR_RETURN(auto out, file.set(path, entry));
    nlohmann::json expected = file.value();
    nlohmann::json* place = &expected;
    for (const std::string& name : path)
        place = &(*place)[name];
    if (!place->is_object()) *place = nlohmann::json::object();
    place->update(nlohmann::json(entry));
    // A result that differs from the intended one is never written.
    const auto again = JsonText::read(out, dialect);
    if (!again || nlohmann::json(again->value()) != expected) {
        return fail(ErrorCode::Internal, "the edited text would have another meaning");
    }
    return (marked ? std::string(kByteOrderMark) : std::string()) + out;
}

}  // namespace a2h::cli
