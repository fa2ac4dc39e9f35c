#pragma once

#include <cstdlib>
#include <string>

namespace a2h::test {

/// An environment variable of this process, as long as it lives. No other thread may look then.
class Variable {
  public:
    Variable(const char* name, const std::string& value) : name_(name) {
        ::setenv(name, value.c_str(), 1);
    }
    ~Variable() { ::unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

  private:
    const char* name_;
};

}  // namespace a2h::test
