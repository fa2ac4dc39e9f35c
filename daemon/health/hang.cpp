#include "daemon/health/hang.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

namespace a2h::health {
namespace {

constexpr std::chrono::milliseconds kHangPoll{5};

std::filesystem::path hang_file() {
    const char* file = std::getenv("A2H_FAULT_HANG_FILE");
    return file == nullptr ? std::filesystem::path() : std::filesystem::path(file);
}

}  // namespace

HangFault::HangFault() : file_(hang_file()) {}

void HangFault::pass(std::string_view step) const {
    if (file_.empty()) return;
    while (names(step))
        std::this_thread::sleep_for(kHangPoll);
}

void install_commit_faults(store::Writer& writer, const HangFault& hang) {
    const char* file = std::getenv("A2H_FAULT_COMMIT_FILE");
    if (file == nullptr && !hang.is_installed()) return;
    const std::filesystem::path failing = file == nullptr ? "" : file;
    writer.set_commit_gate([failing, &hang]() -> Result<void> {
        hang.pass("writer");
        std::error_code ignored;
        if (failing.empty() || !std::filesystem::exists(failing, ignored)) return {};
        return fail(ErrorCode::ResourceExhausted, "commits fail because a test asks for it");
    });
}

bool HangFault::names(std::string_view step) const {
    std::ifstream in(file_);
    std::string word;
    return in >> word && word == step;
}

}  // namespace a2h::health
