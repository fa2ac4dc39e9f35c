#pragma once

#include <filesystem>
#include <memory>

#include "core/control/change_page.h"
#include "daemon/kernel/loop.h"

namespace a2h {

/// Tells the processes that watch this home that something has changed, and that a2hd is alive.
/// Where the shared page cannot be made, watchers ask more often and everything else works.
class ChangeNotice {
  public:
    explicit ChangeNotice(const std::filesystem::path& file);

    /// Thread: any.
    void note() const;
    /// Shows from now on, several times a second, that the loop turns. Thread: the loop.
    void start_beating(Loop& loop) const;

  private:
    const std::unique_ptr<control::ChangePage> page_;  ///< null where none can be made
};

}  // namespace a2h
