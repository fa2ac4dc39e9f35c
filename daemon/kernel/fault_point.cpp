#include "daemon/kernel/fault_point.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string>

namespace a2h::kernel {
namespace {

struct FaultPoint {
    std::string name;  ///< empty: none
    int at_pass = 1;
};

FaultPoint chosen_fault_point() {
    const char* chosen = std::getenv("A2H_FAULT_POINT");
    if (chosen == nullptr) return {};
    const std::string text = chosen;
    const auto colon = text.find(':');
    if (colon == std::string::npos) return {text, 1};
    return {text.substr(0, colon), std::atoi(text.c_str() + colon + 1)};
}

}  // namespace

void pass_fault_point(std::string_view name) {
    static const FaultPoint chosen = chosen_fault_point();
    static std::atomic<int> passes = 0;
    if (chosen.name != name) return;
    if (++passes == chosen.at_pass) std::raise(SIGKILL);
}

}  // namespace a2h::kernel
