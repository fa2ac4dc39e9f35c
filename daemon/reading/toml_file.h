#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace a2h::reading {

struct TomlMember;

/// The content of a TOML file, independent of the parser library, which is slow to compile.
struct TomlNode {
    enum class Kind { Text, Integer, Flag, List, Table, Other };
    Kind kind = Kind::Other;
    unsigned line = 0;
    std::string text;                 ///< for Text
    std::int64_t integer = 0;         ///< for Integer
    bool flag = false;                ///< for Flag
    std::vector<TomlNode> items;      ///< for List
    std::vector<TomlMember> members;  ///< for Table, by key

    /// nullptr if this is not a table or has no such member.
    const TomlNode* find(std::string_view key) const;
    /// `find` for members that are tables.
    const TomlNode* table(std::string_view key) const;
};

struct TomlMember {
    std::string key;
    TomlNode value;
};

/// The entry of `known` that is similar to `name`, as a "did you mean" question; empty if there is
/// none.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> known);

/// One file of rules while it is read.
///
/// Errors:  InvalidArgument, naming file, line and field.
/// Thread:  any.
class TomlFile {
  public:
    explicit TomlFile(std::string_view name) : name_(name) {}

    Result<TomlNode> parse(std::string_view toml) const;

    Unexpected error(const TomlNode& node, const std::string& message) const;
    /// `what` is the word for an unknown member of `table` in the message.
    Result<void> check_keys(const TomlNode& table, std::span<const std::string_view> known,
                            const std::string& what) const;
    /// The text `key` of `table`, which must exist and not be empty.
    Result<std::string> text(const TomlNode& table, std::string_view key) const;
    /// A list of texts that are not empty. A single text needs no brackets.
    Result<std::vector<std::string>> texts(const TomlNode& node, std::string_view key) const;
    /// Reads the flag `key` of `table`; `flag` is unchanged if there is none.
    Result<void> read_flag(const TomlNode& table, std::string_view key, bool& flag) const;

  private:
    std::string_view name_;
};

}  // namespace a2h::reading
