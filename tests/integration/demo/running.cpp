#include "tests/integration/demo/running.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace a2h::test {
namespace {

std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::vector<pid_t> children_of(pid_t pid) {
    std::istringstream list(
        content("/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children"));
    std::vector<pid_t> children;
    for (pid_t child = 0; list >> child;)
        children.push_back(child);
    return children;
}

bool is_gone(pid_t pid) {
    const std::string status = content("/proc/" + std::to_string(pid) + "/stat");
    return status.empty() || status.find(") Z ") != std::string::npos;
}

std::vector<std::string> command_line(std::vector<std::string> options) {
    options.insert(options.begin(), {kDemoProgram, "demo"});
    return options;
}

}  // namespace

std::map<std::string, std::string> demo_environment(const fs::path& temp,
                                                    const std::string& language) {
    return {{"TMPDIR", temp.string()}, {"LC_ALL", language}};
}

Running::Running(const std::vector<std::string>& options)
    : demo_{{.argv = command_line(options),
             .environment = demo_environment(temp_.path(), "en_US.UTF-8"),
             .stdout_file = output_.path() / "out",
             .stderr_file = output_.path() / "err"}} {}

std::string Running::told() const {
    return content(output_.path() / "out");
}

std::string Running::complaints() const {
    return content(output_.path() / "err");
}

void Running::wait_for(const std::string& words, std::chrono::seconds timeout) {
    const bool said = eventually(
        [&] { return told().find(words) != std::string::npos || !demo_.running(); }, timeout);
    CAPTURE(told());
    CAPTURE(complaints());
    REQUIRE(said);
    REQUIRE(demo_.running());
    children_ = children_of(demo_.pid());
}

void Running::check_nothing_is_left() const {
    CHECK(eventually([&] { return std::all_of(children_.begin(), children_.end(), is_gone); }));
}

}  // namespace a2h::test
