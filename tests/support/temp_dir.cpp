#include "tests/support/temp_dir.h"

#include <cstdlib>
#include <string>

#include "core/base/check.h"

namespace a2h::test {

TempDir::TempDir() {
    std::string pattern = (std::filesystem::temp_directory_path() / "a2h-test-XXXXXX").string();
    A2H_CHECK(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
}

TempDir::~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace a2h::test
