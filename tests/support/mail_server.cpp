#include "tests/support/mail_server.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/base/check.h"
#include "core/base/loopback.h"

namespace a2h::test {

MailServer::MailServer()
    : port_(std::to_string(free_port())),
      server_({.argv = {"/usr/bin/python3", "-m", "aiosmtpd", "-n", "-l", "127.0.0.1:" + port_,
                        "-c", "aiosmtpd.handlers.Mailbox", (dir_.path() / "mail").string()},
               .stderr_file = dir_.path() / "log"}) {
    const auto port = static_cast<std::uint16_t>(std::stoi(port_));
    A2H_CHECK(eventually([&] { return accepts_connections(port); }));
}

std::vector<std::string> MailServer::mails() const {
    std::vector<std::string> all;
    const auto folder = dir_.path() / "mail" / "new";
    if (!std::filesystem::exists(folder)) return all;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ifstream in(entry.path());
        all.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return all;
}

}  // namespace a2h::test
