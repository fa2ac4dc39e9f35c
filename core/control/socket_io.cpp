#include "core/control/socket_io.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace a2h::control {

Result<sockaddr_un> unix_address(const std::filesystem::path& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string& text = path.native();
    if (text.empty() || text.size() >= sizeof address.sun_path) {
        return fail(ErrorCode::InvalidArgument, "socket path " + text + " has " +
                                                    std::to_string(text.size()) + " bytes, 1 to " +
                                                    std::to_string(sizeof address.sun_path - 1) +
                                                    " are possible: choose a shorter home folder");
    }
    std::memcpy(address.sun_path, text.c_str(), text.size() + 1);
    return address;
}

Result<Fd> connect_unix(const std::filesystem::path& path) {
    A2H_ASSIGN_OR_RETURN(auto address, unix_address(path));
    Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!fd) return fail(ErrorCode::Unavailable, "socket: " + errno_text());
    int result = 0;
    do {
        result = ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    } while (result != 0 && errno == EINTR);
    if (result != 0) {
        return fail(ErrorCode::Unavailable, path.string() + ": " + errno_text());
    }
    return fd;
}

std::string errno_text() {
    return std::error_code(errno, std::generic_category()).message();
}

}  // namespace a2h::control
