#pragma once

namespace a2h {

/// Prints the failed condition with its file and line, and aborts. systemd restarts the daemon.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace a2h

/// Ends the process if `condition` is false, in release builds too. Only for our own bugs: no
/// outside input may make it false.
#define A2H_CHECK(condition)                                     \
    do {                                                         \
        if (!(condition)) {                                      \
            ::a2h::check_failed(#condition, __FILE__, __LINE__); \
        }                                                        \
    } while (false)
