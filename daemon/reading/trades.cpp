#include "daemon/reading/trades.h"

#include <algorithm>
#include <fstream>
#include <set>

#include "core/base/check.h"
#include "core/wire/crypto.h"
#include "daemon/reading/read_vocabulary.h"
#include "embedded/grammar.h"
#include "embedded/trades.h"

namespace a2h::reading {
namespace {

constexpr std::string_view kEnding = ".toml";

/// A trade of the owner.
struct OwnersTrade {
    std::string name;
    std::string path;
    std::string text;
};

Result<std::string> text_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::string text(kTradeFileBytesMax + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    const auto size = static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0));
    if (size > kTradeFileBytesMax)
        return fail(ErrorCode::ResourceExhausted, path.string() + " is larger than 1 MiB");
    if (in.bad() || !in.eof())
        return fail(ErrorCode::Unavailable, path.string() + " cannot be read");
    text.resize(size);
    return text;
}

Result<std::vector<OwnersTrade>> owners_trades(const std::filesystem::path& folder) {
    std::vector<OwnersTrade> trades;
    std::error_code error;
    if (folder.empty() || !std::filesystem::is_directory(folder, error)) return trades;
    for (std::filesystem::directory_iterator file(folder, error), end; !error && file != end;
         file.increment(error)) {
        if (file->path().extension() != kEnding) continue;
        if (trades.size() == kOwnersTradesMax)
            return fail(ErrorCode::ResourceExhausted, folder.string() + " has more than 64 trades");
        A2H_ASSIGN_OR_RETURN(auto text, text_of(file->path()));
        trades.push_back({file->path().stem().string(), file->path().string(), std::move(text)});
    }
    if (error) return fail(ErrorCode::Unavailable, folder.string() + " cannot be read");
    std::sort(trades.begin(), trades.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    return trades;
}

/// Whether a name is selected and not excluded.
class Choice {
  public:
    /// `owners` are the names of the owner's trades.
    static Result<Choice> of(const std::vector<std::string>& chosen,
                             const std::vector<OwnersTrade>& owners) {
        Choice choice;
        const std::vector<std::string> ours = trade_names();
        std::set<std::string> known(ours.begin(), ours.end());
        for (const OwnersTrade& trade : owners)
            known.insert(trade.name);
        for (const std::string& entry : chosen) {
            if (entry == "all") {
                choice.names_.insert(ours.begin(), ours.end());
                continue;
            }
            const bool leaves_out = entry.starts_with('-');
            const std::string name = entry.substr(leaves_out ? 1 : 0);
            if (!known.contains(name)) {
                const std::vector<std::string_view> names(known.begin(), known.end());
                return fail(ErrorCode::InvalidArgument,
                            "there is no trade " + name + did_you_mean(name, names));
            }
            if (leaves_out) {
                choice.names_.erase(name);
                choice.left_out_.insert(name);
            } else {
                choice.names_.insert(name);
            }
        }
        return choice;
    }

    bool has(const std::string& name) const { return names_.contains(name); }
    bool leaves_out(const std::string& name) const { return left_out_.contains(name); }
    bool has_all() const { return names_.size() == trade_names().size(); }

  private:
    std::set<std::string> names_;
    std::set<std::string> left_out_;
};

std::vector<WordFile> grammar_files() {
    std::vector<WordFile> files;
    for (const std::string_view name : embedded::grammar_names()) {
        files.push_back({WordFile::Kind::Grammar, "reading/" + std::string(name),
                         embedded::grammar(name).value_or("")});
    }
    return files;
}

WordFile trade_file(const std::string& name) {
    const std::string file = name + std::string(kEnding);
    return {WordFile::Kind::Trade, "trades/" + file, embedded::trades(file).value_or("")};
}

Result<Vocabulary> read(const std::vector<WordFile>& files) {
    A2H_ASSIGN_OR_RETURN(auto vocabulary, read_vocabulary(files));
    constexpr std::size_t kDigits = 16;
    std::string all;
    for (const WordFile& file : files)
        all += file.name + "\n" + wire::sha256_hex(file.text) + "\n";
    vocabulary.version = wire::sha256_hex(all).substr(0, kDigits);
    return vocabulary;
}

}  // namespace

std::vector<std::string> trade_names() {
    std::vector<std::string> names;
    for (const std::string_view file : embedded::trades_names())
        names.emplace_back(file.substr(0, file.size() - kEnding.size()));
    return names;
}

Result<std::vector<TradeInUse>> trades_in_use(const Trades& trades) {
    A2H_ASSIGN_OR_RETURN(const auto owners, owners_trades(trades.owners_folder));
    A2H_ASSIGN_OR_RETURN(const auto choice, Choice::of(trades.chosen, owners));
    std::vector<TradeInUse> all;
    for (const std::string& name : trade_names())
        all.push_back({name, choice.has(name), false});
    for (const OwnersTrade& trade : owners)
        all.push_back({trade.name, !choice.leaves_out(trade.name), true});
    return all;
}

const Vocabulary& built_in_vocabulary() {
    static const Vocabulary words = [] {
        std::vector<WordFile> files = grammar_files();
        for (const std::string& name : trade_names())
            files.push_back(trade_file(name));
        auto read_words = read(files);
        A2H_CHECK(read_words.has_value());
        return std::move(read_words).value();
    }();
    return words;
}

Result<std::shared_ptr<const Vocabulary>> words_of(const Trades& trades) {
    A2H_ASSIGN_OR_RETURN(const auto owners, owners_trades(trades.owners_folder));
    A2H_ASSIGN_OR_RETURN(const auto choice, Choice::of(trades.chosen, owners));
    std::vector<WordFile> files = grammar_files();
    for (const std::string& name : trade_names()) {
        if (choice.has(name)) files.push_back(trade_file(name));
    }
    bool has_owners = false;
    for (const OwnersTrade& trade : owners) {
        if (choice.leaves_out(trade.name)) continue;
        has_owners = true;
        files.push_back({WordFile::Kind::OwnersTrade, trade.path, trade.text});
    }
    if (!has_owners && choice.has_all()) {
        // The object lives as long as the program.
        return std::shared_ptr<const Vocabulary>(std::shared_ptr<void>(), &built_in_vocabulary());
    }
    A2H_ASSIGN_OR_RETURN(auto words, read(files));
    return std::shared_ptr<const Vocabulary>(std::make_shared<Vocabulary>(std::move(words)));
}

}  // namespace a2h::reading
