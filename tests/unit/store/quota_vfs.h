#pragma once

#include <atomic>
#include <cstdint>

namespace a2h::test {

/// SQLite's file system with a disk that can be filled: while one of these lives, every database
/// that is opened goes through it. Only one may live at a time.
class QuotaVfs {
  public:
    QuotaVfs();
    ~QuotaVfs();
    QuotaVfs(const QuotaVfs&) = delete;
    QuotaVfs& operator=(const QuotaVfs&) = delete;

    /// From now on no write may reach past `bytes` behind the present end of a file, all files
    /// together; negative: no limit.
    void set_free_bytes(std::int64_t bytes);
    /// From now on every flush fails as that of a broken device does.
    void set_flush_fails(bool fails);
    /// Flushes so far.
    std::int64_t flushes() const;
};

}  // namespace a2h::test
