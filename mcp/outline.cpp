#include "mcp/outline.h"

#include <algorithm>
#include <utility>

#include "core/control/framing.h"
#include "mcp/framing.h"
#include "mcp/request_id.h"

namespace a2h::mcp {
namespace {

/// No id in a line that is parsed is longer.
constexpr std::size_t kKeptBytesMax = kLineBytesMax;

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Ends a text without quotes: a number, true, false, null.
bool ends_plain(char c) {
    return is_blank(c) || c == ',' || c == ':' || c == '"' || c == '{' || c == '}' || c == '[' ||
           c == ']';
}

}  // namespace

void OutlineReader::take(std::string_view part) {
    while (!part.empty() && !is_broken_) {
        if (text_ == Text::String && !is_kept_) {
            const std::size_t plain = std::min(part.find_first_of("\"\\"), part.size());
            position_ += plain;
            part.remove_prefix(plain);
            if (part.empty()) return;
        }
        take_char(part.front());
        ++position_;
        part.remove_prefix(1);
    }
}

void OutlineReader::take_char(char c) {
    switch (text_) {
        case Text::Escape:
            keep(c);
            text_ = Text::String;
            return;
        case Text::String:
            keep(c);
            if (c == '\\') text_ = Text::Escape;
            if (c == '"') end_text();
            return;
        case Text::Plain:
            if (!ends_plain(c)) return keep(c);
            end_text();
            break;
        case Text::None:
            break;
    }
    if (!is_blank(c)) take_structure(c);
}

void OutlineReader::take_structure(char c) {
    switch (c) {
        case '{':
        case '[':
            return open(c);
        case '}':
        case ']':
            return close(c);
        case ':':
            is_broken_ = expects_ != Expects::Colon;
            expects_ = Expects::Value;
            return;
        case ',':
            is_broken_ = expects_ != Expects::CommaOrEnd;
            expects_ = in_object() ? Expects::Name : Expects::Value;
            return;
        default:
            return begin_text(c == '"' ? Text::String : Text::Plain, c);
    }
}

void OutlineReader::begin_text(Text kind, char c) {
    is_name_ = expects_ == Expects::Name || expects_ == Expects::NameOrEnd;
    kept_.clear();
    if (is_name_) {
        is_broken_ = kind != Text::String;
        is_kept_ = at_member();
    } else {
        if (!begin_value(c)) return;
        is_kept_ = at_member() && member_ == Member::Id;
    }
    text_ = kind;
    keep(c);
}

void OutlineReader::end_text() {
    // A plain text ended before the present character, a string ends with it.
    const std::size_t end = text_ == Text::Plain ? position_ : position_ + 1;
    text_ = Text::None;
    const bool is_whole = is_kept_ && kept_.size() <= kKeptBytesMax;
    if (!is_name_) {
        if (is_whole) seen_.id = kept_;
        return end_value(end);
    }
    expects_ = Expects::Colon;
    member_ = Member::Other;
    if (!is_whole) return;
    const std::string_view name = std::string_view(kept_).substr(1, kept_.size() - 2);
    using control::is_name;
    if (is_name(name, "id")) member_ = Member::Id;
    if (is_name(name, "method")) member_ = Member::Method;
    if (is_name(name, "result") || is_name(name, "error")) member_ = Member::Answer;
}

/// False if no value may be here.
bool OutlineReader::begin_value(char c) {
    if (expects_ != Expects::Value && expects_ != Expects::ValueOrEnd) {
        is_broken_ = true;
        return false;
    }
    if (open_.size() == outer()) {
        in_message_ = true;
        begin_ = position_;
        seen_ = {};
    } else if (at_member()) {
        if (member_ == Member::Id) ++seen_.ids;
        // Some serializers write null for a member that is absent.
        if (member_ == Member::Method && c != 'n') {
            seen_.method = true;
            seen_.method_is_text = c == '"';
        }
        if (member_ == Member::Answer) seen_.answer = true;
    }
    return true;
}

void OutlineReader::end_value(std::size_t end) {
    expects_ = open_.empty() ? Expects::Nothing : Expects::CommaOrEnd;
    if (in_message_ && open_.size() == outer()) end_message(end);
}

void OutlineReader::open(char bracket) {
    if (bracket == '[' && open_.empty() && expects_ == Expects::Value) {
        outline_.is_batch = true;
    } else if (!begin_value(bracket)) {
        return;
    }
    open_.push_back(bracket == '{');
    expects_ = bracket == '{' ? Expects::NameOrEnd : Expects::ValueOrEnd;
}

void OutlineReader::close(char bracket) {
    const bool is_object = bracket == '}';
    const Expects empty = is_object ? Expects::NameOrEnd : Expects::ValueOrEnd;
    is_broken_ = open_.empty() || open_.back() != is_object ||
                 (expects_ != Expects::CommaOrEnd && expects_ != empty);
    if (is_broken_) return;
    open_.pop_back();
    end_value(position_ + 1);
}

void OutlineReader::end_message(std::size_t end) {
    using Kind = Outline::Item::Kind;
    in_message_ = false;
    const bool is_whole = !is_broken_ && open_.size() == outer();
    Outline::Item item{.kind = Kind::Unknown, .id = {}, .begin = begin_, .size = end - begin_};
    if (seen_.method && seen_.ids > 0) {
        item.kind = Kind::Request;
    } else if (seen_.method_is_text && is_whole) {
        item.kind = Kind::Notification;
    } else if (!seen_.method && seen_.answer) {
        item.kind = Kind::Response;
    }
    // Of a message that is cut off, the rest may say something else.
    const bool names_it = is_whole || item.kind != Kind::Unknown;
    if (names_it && seen_.ids == 1 && is_request_id(seen_.id)) item.id = std::move(seen_.id);
    ++outline_.count;
    outline_.items.push_back(std::move(item));
}

void OutlineReader::keep(char c) {
    if (is_kept_ && kept_.size() <= kKeptBytesMax) kept_ += c;
}

std::optional<Outline> OutlineReader::take_part() {
    if (!outline_.is_batch || outline_.count <= kBatchMax || outline_.items.empty()) {
        return std::nullopt;
    }
    Outline part;
    part.is_batch = true;
    part.is_part = true;
    part.count = outline_.count;
    part.items.swap(outline_.items);
    return part;
}

Outline OutlineReader::finish() {
    if (text_ == Text::Plain && !is_broken_) end_text();
    outline_.is_complete = !is_broken_ && expects_ == Expects::Nothing;
    if (in_message_) end_message(position_);
    outline_.is_blank =
        !is_broken_ && expects_ == Expects::Value && outline_.count == 0 && open_.empty();
    return std::move(outline_);
}

Outline outline_of(std::string_view line) {
    OutlineReader reader;
    reader.take(line);
    return reader.finish();
}

}  // namespace a2h::mcp
