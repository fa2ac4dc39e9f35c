#include "core/base/log.h"

#include <unistd.h>

#include <atomic>

namespace a2h::log {
namespace {

std::atomic<Level> g_level{Level::Info};

void append_value(std::string& line, std::string_view value) {
    const bool plain =
        !value.empty() && value.find_first_of(" \"=\n\r\t") == std::string_view::npos;
    if (plain) {
        line += value;
        return;
    }
    line += '"';
    for (const char c : value) {
        if (c == '"' || c == '\\') line += '\\';
        line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    line += '"';
}

}  // namespace

void set_level(Level level) {
    g_level = level;
}

void write(Level level, std::string_view sentence, std::initializer_list<Field> fields) {
    if (level > g_level.load(std::memory_order_relaxed)) return;
    std::string line = "<" + std::to_string(static_cast<int>(level)) + ">";
    line += sentence;
    for (const Field& field : fields) {
        line += ' ';
        line += field.key;
        line += '=';
        append_value(line, field.value);
    }
    line += '\n';
    // One write(2) keeps lines of several threads whole; a closed stderr is nobody's loss.
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace a2h::log
