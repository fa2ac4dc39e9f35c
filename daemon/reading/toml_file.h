#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace a2h::reading {

struct TomlMember;

/// What a TOML file says, without the library that read it, which is slow to compile.
struct TomlNode {
    enum class Kind { Text, Integer, Flag, List, Table, Other };
    Kind kind = Kind::Other;
    unsigned line = 0;
    std::string text;                 ///< Text
    std::int64_t integer = 0;         ///< Integer
    bool flag = false;                ///< Flag
    std::vector<TomlNode> items;      ///< List
    std::vector<TomlMember> members;  ///< Table, by key

    /// nullptr when this is no table or has no such member.
    const TomlNode* find(std::string_view key) const;
    /// As `find`, for members that are tables.
    const TomlNode* table(std::string_view key) const;
};

struct TomlMember {
    std::string key;
    TomlNode value;
};

/// `known` and a question mark when one of them is near enough to be what `name` should have been.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> known);

/// One file of rules while it is read. What fails is InvalidArgument and names file, line, field.
class TomlFile {
  public:
    explicit TomlFile(std::string_view name) : name_(name) {}

    Result<TomlNode> parse(std::string_view toml) const;

    Unexpected error(const TomlNode& node, const std::string& message) const;
    /// `what` is what an unknown member of `table` is called.
    Result<void> check_keys(const TomlNode& table, std::span<const std::string_view> known,
                            const std::string& what) const;
    /// The text `key` of `table`, which must be there and not be empty.
    Result<std::string> text(const TomlNode& table, std::string_view key) const;
    /// A list of texts that are not empty; a single one may stand without brackets.
    Result<std::vector<std::string>> texts(const TomlNode& node, std::string_view key) const;
    /// The flag `key` of `table`; `flag` stays as it is when it is not there.
    Result<void> read_flag(const TomlNode& table, std::string_view key, bool& flag) const;

  private:
    std::string_view name_;
};

}  // namespace a2h::reading
