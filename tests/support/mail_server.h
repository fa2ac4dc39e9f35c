#pragma once

#include <string>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

/// A real mail server on a free loopback port that keeps its mail. It accepts connections from
/// the moment the object exists.
class MailServer {
  public:
    MailServer();

    /// The address for the configuration of an e-mail channel.
    std::string url() const { return "smtp://127.0.0.1:" + port_; }
    /// All mail with its headers, in no particular order.
    std::vector<std::string> mails() const;

  private:
    TempDir dir_;
    std::string port_;
    Process server_;
};

}  // namespace a2h::test
