#include "core/control/framing.h"

#include <charconv>
#include <system_error>

namespace a2h::control {
namespace {

constexpr std::string_view kWhiteSpace = " \t\r\n";

std::size_t skip_space(std::string_view text, std::size_t at) {
    const std::size_t next = text.find_first_not_of(kWhiteSpace, at);
    return next == std::string_view::npos ? text.size() : next;
}

/// `at` is the opening quote. Returns the position after the closing one.
std::size_t skip_string(std::string_view text, std::size_t at) {
    for (++at; at < text.size(); ++at) {
        if (text[at] == '\\') {
            ++at;
        } else if (text[at] == '"') {
            return at + 1;
        }
    }
    return text.size();
}

/// The position after the value that begins at `at`. Counting brackets is sufficient, because the
/// text is known to be JSON.
std::size_t skip_value(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '"') {
            at = skip_string(text, at);
            if (depth == 0) return at;
            continue;
        }
        if (c == '{' || c == '[') {
            ++depth;
        } else if (c == '}' || c == ']') {
            if (depth == 0) return at;
            if (--depth == 0) return at + 1;
        } else if (depth == 0 && (c == ',' || kWhiteSpace.find(c) != std::string_view::npos)) {
            return at;
        }
        ++at;
    }
    return text.size();
}

/// Removes the character that `text` begins with. Returns it, or -1 for an escape that is not valid
/// or stands for more than ASCII.
int take_char(std::string_view& text) {
    constexpr std::string_view kEscapes = R"("\/bfnrt)";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    constexpr std::size_t kHexDigits = 4;
    const char c = text.front();
    text.remove_prefix(1);
    if (c != '\\') return static_cast<unsigned char>(c);
    if (text.empty()) return -1;
    const char escape = text.front();
    text.remove_prefix(1);
    if (escape != 'u') {
        const std::size_t known = kEscapes.find(escape);
        return known == std::string_view::npos ? -1 : kMeanings[known];
    }
    if (text.size() < kHexDigits) return -1;
    int code = -1;
    const char* end = text.data() + kHexDigits;
    const auto [last, problem] = std::from_chars(text.data(), end, code, 16);
    if (problem != std::errc() || last != end || code < 0 || code >= 0x80) return -1;
    text.remove_prefix(kHexDigits);
    return code;
}

}  // namespace

bool is_name(std::string_view written, std::string_view name) {
    for (const char c : name) {
        if (written.empty() || take_char(written) != static_cast<unsigned char>(c)) return false;
    }
    return written.empty();
}

void LineSplitter::append(std::string_view bytes) {
    if (dropping_) {
        const std::size_t end = bytes.find('\n');
        if (end == std::string_view::npos) return;
        bytes.remove_prefix(end + 1);
        dropping_ = false;
    }
    // The rest is moved to the front only if it is the smaller part, which keeps the cost linear.
    if (begin_ > buffer_.size() / 2) {
        buffer_.erase(0, begin_);
        scanned_ -= begin_;
        begin_ = 0;
    }
    buffer_ += bytes;
}

std::optional<LineSplitter::Line> LineSplitter::next() {
    while (true) {
        const std::size_t end = buffer_.find('\n', scanned_);
        const bool complete = end != std::string::npos;
        const std::size_t size = (complete ? end : buffer_.size()) - begin_;
        if (size > line_bytes_max_) {
            dropping_ = !complete;
            begin_ = scanned_ = complete ? end + 1 : buffer_.size();
            return Line{.text = {}, .too_long = true};
        }
        if (!complete) {
            scanned_ = buffer_.size();
            return std::nullopt;
        }
        std::string text = buffer_.substr(begin_, size);
        begin_ = scanned_ = end + 1;
        if (text.ends_with('\r')) text.pop_back();
        if (!text.empty()) return Line{.text = std::move(text), .too_long = false};
    }
}

std::optional<std::string_view> raw_member(std::string_view object, std::string_view key) {
    std::size_t at = skip_space(object, 0);
    if (at == object.size() || object[at] != '{') return std::nullopt;
    ++at;
    while (true) {
        at = skip_space(object, at);
        if (at == object.size() || object[at] != '"') return std::nullopt;
        const std::size_t key_begin = at + 1;
        at = skip_string(object, at);
        if (at == object.size()) return std::nullopt;
        const std::string_view name = object.substr(key_begin, at - 1 - key_begin);
        at = skip_space(object, at);
        if (at == object.size() || object[at] != ':') return std::nullopt;
        const std::size_t begin = skip_space(object, at + 1);
        at = skip_value(object, begin);
        if (is_name(name, key)) return object.substr(begin, at - begin);
        at = skip_space(object, at);
        if (at == object.size() || object[at] != ',') return std::nullopt;
        ++at;
    }
}

}  // namespace a2h::control
