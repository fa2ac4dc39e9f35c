#pragma once

#include <string_view>

namespace a2h::kernel {

/// Ends the process as SIGKILL does at the pass that the environment variable A2H_FAULT_POINT
/// names: "receive.3:2" is the second time that a thread comes to that point. Thread: any.
void pass_fault_point(std::string_view name);

}  // namespace a2h::kernel

/// A numbered step between two things that must both happen or both not. Compiled into the builds
/// that tests use (presets dev, asan, tsan); nothing is left of it in what is installed.
#ifdef A2H_FAULT_POINTS
#define A2H_FAULT_POINT(name) ::a2h::kernel::pass_fault_point(name)
#else
#define A2H_FAULT_POINT(name) static_cast<void>(0)
#endif
