#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/fd.h"
#include "mcp/input.h"

namespace a2h::test {

struct Pipe {
    Fd read_end;
    Fd write_end;

    Pipe() {
        int ends[2] = {-1, -1};
        REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
        read_end.reset(ends[0]);
        write_end.reset(ends[1]);
    }
    void put(std::string_view text) const {
        REQUIRE(::write(write_end.get(), text.data(), text.size()) ==
                static_cast<ssize_t>(text.size()));
    }
};

/// `on_line` for each line, however they come; with an empty text for one that is too long.
inline mcp::LineInput::OnLines each(std::function<void(const std::string& line)> on_line) {
    return [on_line = std::move(on_line)](const std::vector<mcp::InputLine>& lines) {
        for (const mcp::InputLine& line : lines)
            on_line(line.text);
    };
}

}  // namespace a2h::test
