#include "tests/bench/machine.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>
#include <vector>

#include "tests/bench/subjects.h"
#include "tests/support/process.h"

namespace a2h::bench {
namespace {

std::string first_line(std::vector<std::string> argv) {
    const auto ran = a2h::test::run(std::move(argv));
    const std::string& text = ran.out.empty() ? ran.err : ran.out;
    return text.substr(0, text.find('\n'));
}

std::string file_system(const std::filesystem::path& dir) {
    struct statfs info {};
    if (::statfs(dir.c_str(), &info) != 0) give_up("cannot look at " + dir.string());
    switch (static_cast<unsigned long>(info.f_type)) {
        case TMPFS_MAGIC:
            give_up(dir.string() + " is on a tmpfs, where fsync does nothing; use another folder");
        case EXT4_SUPER_MAGIC:
            return "ext4";
        case XFS_SUPER_MAGIC:
            return "xfs";
        case BTRFS_SUPER_MAGIC:
            return "btrfs";
        case OVERLAYFS_SUPER_MAGIC:
            return "overlayfs";
        default:
            return "type " + std::to_string(info.f_type);
    }
}

std::string processor() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    }
    return "unknown processor";
}

}  // namespace

double fsync_microseconds(const std::filesystem::path& dir) {
    const auto file = dir / "fsync-probe";
    const int fd = ::open(file.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    const std::vector<char> page(4096, 'x');
    std::vector<double> times;
    for (int i = 0; i < 200; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        if (::write(fd, page.data(), page.size()) < 0 || ::fsync(fd) != 0) give_up("cannot fsync");
        times.push_back(
            std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
                .count());
    }
    ::close(fd);
    std::filesystem::remove(file);
    std::nth_element(times.begin(), times.begin() + 100, times.end());
    return times[100];
}

void print_machine(const std::filesystem::path& dir, const std::filesystem::path& bin) {
    utsname system{};
    ::uname(&system);
    std::printf("%s, %u cores, Linux %s\n", processor().c_str(),
                std::thread::hardware_concurrency(), system.release);
    std::printf("%s on %s, write + fsync of 4 KiB: %.0f us (median), SQLite synchronous=FULL\n",
                dir.c_str(), file_system(dir).c_str(), fsync_microseconds(dir));
    std::printf("%s; %s; node %s; SQLite %s\n\n",
                first_line({(bin / "a2hd").string(), "--version"}).c_str(),
                first_line({"mosquitto", "-h"}).c_str(), first_line({"node", "--version"}).c_str(),
                first_line({"sqlite3", "--version"}).substr(0, 6).c_str());
    std::fflush(stdout);
}

}  // namespace a2h::bench
