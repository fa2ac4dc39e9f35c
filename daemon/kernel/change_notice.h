#pragma once

#include <filesystem>
#include <memory>

#include "core/control/change_page.h"
#include "daemon/kernel/loop.h"

namespace a2h {

/// Tells the processes that watch this home that something has changed, and that a2hd is alive. If
/// the shared page cannot be created, watchers poll more often, and everything else works.
class ChangeNotice {
  public:
    explicit ChangeNotice(const std::filesystem::path& file);

    /// Thread: any.
    void note() const;
    /// From now on shows several times a second that the loop is running.
    ///
    /// Thread:  the loop.
    void start_beating(Loop& loop) const;

  private:
    const std::unique_ptr<control::ChangePage> page_;  ///< null if it could not be created
};

}  // namespace a2h
