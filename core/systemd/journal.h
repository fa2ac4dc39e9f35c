#pragma once

#include <memory>
#include <string>

#include "core/base/fd.h"
#include "core/base/log.h"

namespace a2h::systemd {

/// The socket on which the journal receives events as fields.
///
/// Source:  systemd, "Native Journal Protocol".
inline constexpr std::string_view kJournalSocket = "/run/systemd/journal/socket";

/// Sends each event to the journal with its parts as fields: MESSAGE is the line that stderr would
/// have, and each `key` is also sent as A2H_KEY. Events that the journal does not accept at once go
/// to stderr, which systemd reads as well.
///
/// Thread:  any.
class Journal final : public log::Sink {
  public:
    explicit Journal(std::string socket_path);

    bool take(const log::Event& event) override;

  private:
    const std::string socket_path_;
    const Fd socket_;
};

/// The datagram for one event.
///
/// Source:  as above.
std::string journal_datagram(const log::Event& event);

/// A journal if stderr is connected to one ($JOURNAL_STREAM names it), otherwise null.
/// $A2H_JOURNAL_SOCKET names another socket than the system's, for tests.
///
/// Source:  systemd.exec(5), "Environment".
std::shared_ptr<log::Sink> journal_of_stderr();

}  // namespace a2h::systemd
