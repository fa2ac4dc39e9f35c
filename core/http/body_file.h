#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "core/base/fd.h"
#include "core/http/byte_range.h"

namespace a2h::http {

/// A file, or part of one, that is sent as a body.
///
/// Thread:  one at a time.
class OutgoingFile {
  public:
    /// Opens the whole file with its present size. Returns 0 or errno.
    int open(const std::filesystem::path& path);
    void narrow(const ByteRange& range);
    /// The number of bytes still to be read.
    std::uint64_t size() const { return left_; }
    /// The number of bytes read into `buffer`; 0 at the end, negative after an error or if the file
    /// was shortened.
    std::ptrdiff_t read(std::span<char> buffer);

  private:
    Fd file_;
    std::uint64_t at_ = 0;
    std::uint64_t left_ = 0;
};

/// The file that a body is written to. Removed by the destructor unless it was moved away.
///
/// Thread:  one at a time.
class IncomingFile {
  public:
    IncomingFile() = default;
    ~IncomingFile();
    IncomingFile(const IncomingFile&) = delete;
    IncomingFile& operator=(const IncomingFile&) = delete;

    /// Creates the file, which must not exist. Returns 0 or errno.
    int create(const std::filesystem::path& path);
    /// Returns 0 or errno.
    int write(std::string_view bytes);
    /// Returns 0 or errno, which may be that of an earlier write.
    int close();

  private:
    std::filesystem::path path_;
    int descriptor_ = -1;
};

}  // namespace a2h::http
