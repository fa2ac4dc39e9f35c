#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "core/base/result.h"

namespace a2h::control {

/// A page of shared memory (home/run/changes, 0600) in which a2hd counts changes. What was read
/// while the count was n is valid as long as it is n, so a program that asks often, as assistants
/// do, need not ask again.
///
/// Thread:  any.
class ChangePage {
  public:
    /// Replaces the page of an earlier a2hd, whose readers see its end.
    ///
    /// Errors:  Unavailable if the file cannot be created.
    static Result<std::unique_ptr<ChangePage>> create(const std::filesystem::path& file);
    /// Readers see that the writer has ended.
    ~ChangePage();
    ChangePage(const ChangePage&) = delete;
    ChangePage& operator=(const ChangePage&) = delete;

    /// The result of an operation has changed or may have changed. Call before others can see the
    /// change.
    void note_change();
    /// Call every `kBeatMs`. It counts as a change, so a change that was not noted is missed for at
    /// most this long.
    void beat();

    static constexpr std::int64_t kBeatMs = 1'000;

  private:
    struct Page;
    explicit ChangePage(Page* page) : page_(page) {}
    Page* const page_;
    friend class ChangeWatch;
};

/// The reader's side.
///
/// Thread:  any.
class ChangeWatch {
  public:
    /// Errors:  NotFound if there is no page; Unsupported if its format is unknown.
    static Result<std::unique_ptr<ChangeWatch>> open(const std::filesystem::path& file);
    ~ChangeWatch();
    ChangeWatch(const ChangeWatch&) = delete;
    ChangeWatch& operator=(const ChangeWatch&) = delete;

    /// The count. Absent if the last beat is older than two and a half intervals: a2hd has ended or
    /// hangs, and has to be asked.
    std::optional<std::uint64_t> count() const;

  private:
    explicit ChangeWatch(const ChangePage::Page* page) : page_(page) {}
    const ChangePage::Page* const page_;
};

}  // namespace a2h::control
