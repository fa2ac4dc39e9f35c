#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace a2h::log {

/// Values are those of syslog and of the journal's `<N>` prefix.
enum class Level { Error = 3, Warning = 4, Notice = 5, Info = 6, Debug = 7 };

/// One `key=value` behind the sentence. Values with spaces or quotes are quoted.
struct Field {
    Field(std::string_view field_key, std::string_view field_value)
        : key(field_key), value(field_value) {}
    Field(std::string_view field_key, long long field_value)
        : key(field_key), value(std::to_string(field_value)) {}

    std::string_view key;
    std::string value;
};

/// Writes nothing above `level` from now on; the default is `Info`.
void set_level(Level level);

/// Writes one line to stderr in the journal's form. Never a payload, secret or personal text; what
/// a peer can cause without limit is `Debug`. Thread: any; lines are never mixed.
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
