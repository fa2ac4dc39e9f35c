#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "core/base/result.h"

namespace a2h::control {

/// Where a2hd tells others without being asked that something has changed: a page of shared
/// memory (home/run/changes, 0600). What was read while the count was n still holds while it is n,
/// so a program that asks often, as assistants do, need not ask again.
/// Thread: any.
class ChangePage {
  public:
    /// Replaces the page of an earlier a2hd, whose readers see it end.
    /// Errors: Unavailable when the file cannot be made.
    static Result<std::unique_ptr<ChangePage>> create(const std::filesystem::path& file);
    /// Readers see that nobody writes any more.
    ~ChangePage();
    ChangePage(const ChangePage&) = delete;
    ChangePage& operator=(const ChangePage&) = delete;

    /// Something that an operation tells is about to be seen by others, or may have changed.
    void note_change();
    /// To be called every `kBeatMs`, and is a change: what nobody noted is old for so long at most.
    void beat();

    static constexpr std::int64_t kBeatMs = 1'000;

  private:
    struct Page;
    explicit ChangePage(Page* page) : page_(page) {}
    Page* const page_;
    friend class ChangeWatch;
};

/// The other side of it. Thread: any.
class ChangeWatch {
  public:
    /// Errors: NotFound when there is no page; Unsupported when it is not one that we know.
    static Result<std::unique_ptr<ChangeWatch>> open(const std::filesystem::path& file);
    ~ChangeWatch();
    ChangeWatch(const ChangeWatch&) = delete;
    ChangeWatch& operator=(const ChangeWatch&) = delete;

    /// The count; absent when the last beat is older than two and a half: a2hd ended or hangs, and
    /// has to be asked.
    std::optional<std::uint64_t> count() const;

  private:
    explicit ChangeWatch(const ChangePage::Page* page) : page_(page) {}
    const ChangePage::Page* const page_;
};

}  // namespace a2h::control
