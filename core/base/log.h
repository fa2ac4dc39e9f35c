#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/clock.h"

namespace a2h::log {

/// Values as in syslog and in the journal's `<N>` prefix.
enum class Level { Error = 3, Warning = 4, Notice = 5, Info = 6, Debug = 7 };
std::string_view to_string(Level level);
std::optional<Level> parse_level(std::string_view name);

/// One `key=value` after the sentence. Values with spaces or quotes are quoted.
struct Field {
    Field(std::string_view field_key, std::string_view field_value)
        : key(field_key), value(field_value) {}
    Field(std::string_view field_key, long long field_value)
        : key(field_key), value(std::to_string(field_value)) {}

    std::string_view key;
    std::string value;
};

/// One event while it is being written.
struct Event {
    UnixMs at_ms = 0;
    Level level = Level::Info;
    std::string_view sentence;
    std::span<const Field> fields;

    /// The sentence, then `key=value`; one line without a line end.
    std::string text() const;
};

/// A destination of events.
///
/// Thread:  any, and several at once.
class Sink {
  public:
    virtual ~Sink() = default;
    /// False if it cannot take the event now. Must not log.
    virtual bool take(const Event& event) = 0;
};

/// From now on, events less severe than `level` are not written; the default is `Info`.
void set_level(Level level);
/// Events that `output` takes are not written to stderr. Null, as at the start: all are.
void set_output(std::shared_ptr<Sink> output);
/// All written events also go to `listener`. Null: none.
void set_listener(std::shared_ptr<Sink> listener);

/// Writes one line, by default to stderr in the journal's form. Never log a payload, secret or
/// personal text; events that a peer can cause without limit are `Debug`.
///
/// Thread:  any; lines are never mixed.
void write(Level level, std::string_view sentence, std::initializer_list<Field> fields = {});

inline void error(std::string_view sentence, std::initializer_list<Field> fields = {}) {
    write(Level::Error, sentence, fields);
}
inline void warning(std::string_view sentence, std::initializer_list<Field> fields = {}) {
    write(Level::Warning, sentence, fields);
}
inline void info(std::string_view sentence, std::initializer_list<Field> fields = {}) {
    write(Level::Info, sentence, fields);
}
inline void debug(std::string_view sentence, std::initializer_list<Field> fields = {}) {
    write(Level::Debug, sentence, fields);
}

}  // namespace a2h::log
