#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "daemon/reading/vocabulary.h"

namespace a2h::reading {

/// The trades whose words are read in addition to the grammar. A trade is a file of words, built in
/// (playbooks/trades) or in the owner's home.
struct Trades {
    /// Names of built-in trades, "all", or "-name" to exclude one. Those of the owner are always
    /// read unless "-name" excludes them.
    std::vector<std::string> chosen = {"all"};
    std::filesystem::path owners_folder;  ///< its *.toml files; a missing folder has none
};

constexpr std::size_t kOwnersTradesMax = 64;
constexpr std::size_t kTradeFileBytesMax = 1024 * 1024;

/// The names of the built-in trades, sorted.
std::vector<std::string> trade_names();

/// A trade, and whether its words are read.
struct TradeInUse {
    std::string name;
    bool is_read = false;
    bool is_owners =
        false;  ///< a file of the owner; a built-in trade of the same name has its own row
};
/// The built-in trades, then the owner's.
///
/// Errors:  those of `words_of` about names and files.
Result<std::vector<TradeInUse>> trades_in_use(const Trades& trades);

/// The grammar with the words of `trades`. The result is shared if these are all built-in trades
/// and the owner has none.
///
/// Errors:  those of `read_vocabulary`; InvalidArgument for an unknown trade, with "did you mean";
///          ResourceExhausted above the limits above; Unavailable for a file that cannot be read.
Result<std::shared_ptr<const Vocabulary>> words_of(const Trades& trades);

}  // namespace a2h::reading
