#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"

namespace a2h::test {

/// Keeps every progress report, as "what done/total".
class ToldProgress : public Progress {
  public:
    void show(std::string_view what, std::uint64_t done, std::uint64_t total) override {
        told.push_back(std::string(what) + " " + std::to_string(done) + "/" +
                       std::to_string(total));
    }
    void end() override { told.push_back("end"); }

    std::vector<std::string> told;
};

}  // namespace a2h::test
