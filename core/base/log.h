#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/clock.h"

namespace a2h::log {

/// Values are those of syslog and of the journal's `<N>` prefix.
enum class Level { Error = 3, Warning = 4, Notice = 5, Info = 6, Debug = 7 };
std::string_view to_string(Level level);
std::optional<Level> parse_level(std::string_view name);

/// One `key=value` behind the sentence. Values with spaces or quotes are quoted.
struct Field {
    Field(std::string_view field_key, std::string_view field_value)
        : key(field_key), value(field_value) {}
    Field(std::string_view field_key, long long field_value)
        : key(field_key), value(std::to_string(field_value)) {}

    std::string_view key;
    std::string value;
};

/// One event, for as long as it is being written.
struct Event {
    UnixMs at_ms = 0;
    Level level = Level::Info;
    std::string_view sentence;
    std::span<const Field> fields;

    /// The sentence, then `key=value`; one line without its end.
    std::string text() const;
};

/// Where events go. Thread: any, and several at once.
class Sink {
  public:
    virtual ~Sink() = default;
    /// False when it cannot take it now. Must not log.
    virtual bool take(const Event& event) = 0;
};

/// Writes nothing above `level` from now on; the default is `Info`.
void set_level(Level level);
/// What `output` takes does not go to stderr. Null, as at the start: all does.
void set_output(std::shared_ptr<Sink> output);
/// Everything that is written goes to `listener`, too. Null: to nobody.
void set_listener(std::shared_ptr<Sink> listener);

/// Writes one line, by default to stderr in the journal's form. Never a payload, secret or personal
/// text; what a peer can cause without limit is `Debug`. Thread: any; lines are never mixed.
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
