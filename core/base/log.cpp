#include "core/base/log.h"

#include <unistd.h>

#include <atomic>

#include "core/base/guarded.h"

namespace a2h::log {
namespace {

std::atomic<Level> g_level{Level::Info};

struct Sinks {
    std::shared_ptr<Sink> output;
    std::shared_ptr<Sink> listener;
};

/// Never destroyed: threads may log until the process ends.
Guarded<Sinks>& sinks() {
    static auto* const kSinks = new Guarded<Sinks>();
    return *kSinks;
}

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

std::string_view to_string(Level level) {
    switch (level) {
        case Level::Error:
            return "error";
        case Level::Warning:
            return "warning";
        case Level::Notice:
            return "notice";
        case Level::Info:
            return "info";
        case Level::Debug:
            return "debug";
    }
    return "";
}

std::optional<Level> parse_level(std::string_view name) {
    for (const Level level :
         {Level::Error, Level::Warning, Level::Notice, Level::Info, Level::Debug}) {
        if (to_string(level) == name) return level;
    }
    return std::nullopt;
}

void set_level(Level level) {
    g_level = level;
}

void set_output(std::shared_ptr<Sink> output) {
    sinks().with([&](Sinks& present) { present.output.swap(output); });
}

void set_listener(std::shared_ptr<Sink> listener) {
    sinks().with([&](Sinks& present) { present.listener.swap(listener); });
}

std::string Event::text() const {
    std::string line(sentence);
    for (const Field& field : fields) {
        line += ' ';
        line += field.key;
        line += '=';
        append_value(line, field.value);
    }
    return line;
}

void write(Level level, std::string_view sentence, std::initializer_list<Field> fields) {
    if (level > g_level.load(std::memory_order_relaxed)) return;
    const Event event{SystemClock().now_ms(), level, sentence, {fields.begin(), fields.size()}};
    const Sinks present = sinks().with([](const Sinks& value) { return value; });
    if (present.listener) present.listener->take(event);
    if (present.output && present.output->take(event)) return;
    const std::string line =
        "<" + std::to_string(static_cast<int>(level)) + ">" + event.text() + "\n";
    // A single write(2) keeps the lines of several threads whole. A failure on a closed stderr is
    // ignored.
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace a2h::log
