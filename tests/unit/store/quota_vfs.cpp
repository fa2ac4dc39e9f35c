#include "tests/unit/store/quota_vfs.h"

#include <sqlite3.h>

#include <cstddef>

#include "core/base/check.h"

namespace a2h::test {
namespace {

struct Disk {
    std::atomic<std::int64_t> free_bytes = -1;
    std::atomic<bool> flush_fails = false;
    std::atomic<std::int64_t> flushes = 0;
    sqlite3_vfs* real = nullptr;
};
Disk disk;

/// Our file stands in front of the real one, which lies behind it in the same allocation.
constexpr std::size_t kHead = (sizeof(sqlite3_file) + 15) / 16 * 16;

sqlite3_file* behind(sqlite3_file* file) {
    return reinterpret_cast<sqlite3_file*>(reinterpret_cast<std::byte*>(file) + kHead);
}

/// Takes what the write adds to the file from what is free.
bool take_space(sqlite3_file* file, int amount, sqlite3_int64 offset) {
    if (disk.free_bytes < 0) return true;
    sqlite3_int64 size = 0;
    behind(file)->pMethods->xFileSize(behind(file), &size);
    const std::int64_t added = offset + amount - size;
    if (added <= 0) return true;
    if (added > disk.free_bytes) return false;
    disk.free_bytes -= added;
    return true;
}

int quota_write(sqlite3_file* file, const void* data, int amount, sqlite3_int64 offset) {
    if (!take_space(file, amount, offset)) return SQLITE_FULL;
    return behind(file)->pMethods->xWrite(behind(file), data, amount, offset);
}
int quota_sync(sqlite3_file* file, int flags) {
    ++disk.flushes;
    if (disk.flush_fails) return SQLITE_IOERR_FSYNC;
    return behind(file)->pMethods->xSync(behind(file), flags);
}
int quota_close(sqlite3_file* file) {
    const int code = behind(file)->pMethods->xClose(behind(file));
    file->pMethods = nullptr;
    return code;
}

// Everything else is passed on unchanged.
int read(sqlite3_file* f, void* data, int amount, sqlite3_int64 offset) {
    return behind(f)->pMethods->xRead(behind(f), data, amount, offset);
}
int truncate(sqlite3_file* f, sqlite3_int64 size) {
    return behind(f)->pMethods->xTruncate(behind(f), size);
}
int file_size(sqlite3_file* f, sqlite3_int64* size) {
    return behind(f)->pMethods->xFileSize(behind(f), size);
}
int lock(sqlite3_file* f, int level) {
    return behind(f)->pMethods->xLock(behind(f), level);
}
int unlock(sqlite3_file* f, int level) {
    return behind(f)->pMethods->xUnlock(behind(f), level);
}
int check_lock(sqlite3_file* f, int* out) {
    return behind(f)->pMethods->xCheckReservedLock(behind(f), out);
}
int control(sqlite3_file* f, int operation, void* argument) {
    return behind(f)->pMethods->xFileControl(behind(f), operation, argument);
}
int sector_size(sqlite3_file* f) {
    return behind(f)->pMethods->xSectorSize(behind(f));
}
int characteristics(sqlite3_file* f) {
    return behind(f)->pMethods->xDeviceCharacteristics(behind(f));
}
int shm_map(sqlite3_file* f, int region, int size, int extend, void volatile** out) {
    return behind(f)->pMethods->xShmMap(behind(f), region, size, extend, out);
}
int shm_lock(sqlite3_file* f, int offset, int count, int flags) {
    return behind(f)->pMethods->xShmLock(behind(f), offset, count, flags);
}
void shm_barrier(sqlite3_file* f) {
    behind(f)->pMethods->xShmBarrier(behind(f));
}
int shm_unmap(sqlite3_file* f, int remove) {
    return behind(f)->pMethods->xShmUnmap(behind(f), remove);
}

constexpr sqlite3_io_methods kMethods = {
    2,        quota_close, read,       quota_write, truncate,    quota_sync,      file_size,
    lock,     unlock,      check_lock, control,     sector_size, characteristics, shm_map,
    shm_lock, shm_barrier, shm_unmap,  nullptr,     nullptr};

int quota_open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
    file->pMethods = nullptr;
    const int code = disk.real->xOpen(disk.real, name, behind(file), flags, out_flags);
    if (behind(file)->pMethods != nullptr) file->pMethods = &kMethods;
    return code;
}

sqlite3_vfs quota_vfs;

}  // namespace

QuotaVfs::QuotaVfs() {
    disk.real = sqlite3_vfs_find(nullptr);
    disk.free_bytes = -1;
    disk.flush_fails = false;
    disk.flushes = 0;
    quota_vfs = *disk.real;
    quota_vfs.zName = "a2h-quota";
    quota_vfs.szOsFile = static_cast<int>(kHead) + disk.real->szOsFile;
    quota_vfs.pNext = nullptr;
    quota_vfs.xOpen = quota_open;
    A2H_CHECK(sqlite3_vfs_register(&quota_vfs, 1) == SQLITE_OK);
}

QuotaVfs::~QuotaVfs() {
    sqlite3_vfs_unregister(&quota_vfs);
    sqlite3_vfs_register(disk.real, 1);
}

void QuotaVfs::set_free_bytes(std::int64_t bytes) {
    disk.free_bytes = bytes;
}
void QuotaVfs::set_flush_fails(bool fails) {
    disk.flush_fails = fails;
}
std::int64_t QuotaVfs::flushes() const {
    return disk.flushes;
}

}  // namespace a2h::test
