#include "core/control/home.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <optional>
#include <string>

using a2h::control::find_home;

namespace {

/// Sets or removes an environment variable for one test.
class Environment {
  public:
    Environment(const char* name, const char* value) : name_(name) {
        if (const char* old = std::getenv(name)) old_ = old;
        set(value);
    }
    ~Environment() { set(old_ ? old_->c_str() : nullptr); }

  private:
    void set(const char* value) {
        if (value == nullptr) {
            ::unsetenv(name_);
        } else {
            ::setenv(name_, value, 1);
        }
    }

    const char* name_;
    std::optional<std::string> old_;
};

}  // namespace

TEST_CASE("the home folder is the option's, else A2H_HOME, else ~/.a2h") {
    const Environment home("HOME", "/home/someone");
    const Environment variable("A2H_HOME", "/srv/agents");
    CHECK(find_home("/option")->root == "/option");
    CHECK(find_home("")->root == "/srv/agents");
    const Environment none("A2H_HOME", nullptr);
    CHECK(find_home("")->root == "/home/someone/.a2h");
}

TEST_CASE("the home folder is absolute") {
    const auto home = find_home("here/../there");
    CHECK(home->root == std::filesystem::current_path() / "there");
    CHECK(home->socket_file() == std::filesystem::current_path() / "there/run/a2hd.sock");
}

TEST_CASE("without option, A2H_HOME and HOME there is no home folder") {
    const Environment home("HOME", nullptr);
    const Environment variable("A2H_HOME", "");
    const auto found = find_home("");
    REQUIRE(!found);
    CHECK(found.error().code == a2h::ErrorCode::InvalidArgument);
}
