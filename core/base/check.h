#pragma once

namespace a2h {

/// Prints the failed condition with its place and aborts; systemd starts the daemon again.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace a2h

/// Ends the process when `condition` is false, in release builds too. Only for our own bugs: no
/// input from outside may ever reach a false one.
#define A2H_CHECK(condition)                                     \
    do {                                                         \
        if (!(condition)) {                                      \
            ::a2h::check_failed(#condition, __FILE__, __LINE__); \
        }                                                        \
    } while (false)
