#pragma once

#include <string_view>

namespace a2h::kernel {

/// Ends the process like SIGKILL at the pass that the environment variable A2H_FAULT_POINT names:
/// "receive.3:2" is the second time that a thread reaches that point. Names are `<step>.<number>`;
/// the numbers of one step are spread over the files of that step.
///
/// Thread:  any.
void pass_fault_point(std::string_view name);

}  // namespace a2h::kernel

/// A numbered point between two steps of which either both or neither must happen. Compiled only
/// into builds for tests (presets dev, asan, tsan).
#ifdef A2H_FAULT_POINTS
#define A2H_FAULT_POINT(name) ::a2h::kernel::pass_fault_point(name)
#else
#define A2H_FAULT_POINT(name) static_cast<void>(0)
#endif
