#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "daemon/reading/vocabulary.h"

namespace a2h::reading {

/// Whose words are read beside the grammar. A trade is a file of words of its own, ours in
/// playbooks/trades or an owner's in the home.
struct Trades {
    /// Names of ours, "all" of them, or "-name" without one. Those of the owner are always read
    /// unless "-name" leaves them out.
    std::vector<std::string> chosen = {"all"};
    std::filesystem::path owners_folder;  ///< its *.toml; one that is not there holds none
};

constexpr std::size_t kOwnersTradesMax = 64;
constexpr std::size_t kTradeFileBytesMax = 1024 * 1024;

/// Ours, sorted.
std::vector<std::string> trade_names();

/// A trade that could be read, and whether it is.
struct TradeInUse {
    std::string name;
    bool is_read = false;
    bool is_owners = false;  ///< a file of the owner; one of ours of that name has its own row
};
/// Ours, then the owner's. Errors: those of `words_of` about names and files.
Result<std::vector<TradeInUse>> trades_in_use(const Trades& trades);

/// The grammar with the words of `trades`; shared with everybody when these are all of ours and the
/// owner has none.
/// Errors: those of `read_vocabulary`; InvalidArgument for a trade that nobody has, with "did you
/// mean"; ResourceExhausted over the limits above; Unavailable for a file that cannot be read.
Result<std::shared_ptr<const Vocabulary>> words_of(const Trades& trades);

}  // namespace a2h::reading
