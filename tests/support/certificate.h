#pragma once

#include <filesystem>

#include "tests/support/temp_dir.h"

namespace a2h::test {

/// A certificate for 127.0.0.1 that signs itself, and its key, as PEM files.
class Certificate {
  public:
    /// Now: valid for one more day; Long: for a year.
    enum class Validity { Now, Expired, Long };
    explicit Certificate(Validity validity);

    std::filesystem::path file() const { return dir_.path() / "certificate.pem"; }
    std::filesystem::path key() const { return dir_.path() / "key.pem"; }

  private:
    TempDir dir_;
};

}  // namespace a2h::test
