#pragma once

#include <string>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

/// A real mail server on a free loopback port that keeps what it gets. It accepts connections from
/// the moment the object exists.
class MailServer {
  public:
    MailServer();

    /// As the configuration of an e-mail channel names it.
    std::string url() const { return "smtp://127.0.0.1:" + port_; }
    /// What it got, in no order; each with its header.
    std::vector<std::string> mails() const;

  private:
    TempDir dir_;
    std::string port_;
    Process server_;
};

}  // namespace a2h::test
