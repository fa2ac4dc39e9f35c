#include "daemon/reading/read_vocabulary.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/base/text.h"

namespace a2h::reading {
namespace {

constexpr std::int64_t kFileVersion = 1;

/// One parsed file.
struct ParsedFile {
    TomlFile file;
    TomlNode root;
    WordFile::Kind kind;
};

/// A list or unit in one file. Entries with the same name in several files are one list.
struct Part {
    const ParsedFile* from;
    const TomlNode* node;
};
using PartsByName = std::map<std::string, std::vector<Part>>;

class VocabularyReader {
  public:
    explicit VocabularyReader(Vocabulary& out) : out_(out) {}

    Result<void> read(const std::vector<ParsedFile>& files) {
        for (const ParsedFile& file : files)
            A2H_TRY(check_sections(file));
        // Everything that follows is made comparable with these variants.
        for (const ParsedFile& file : files)
            A2H_TRY(read_variants(file));
        for (const ParsedFile& file : files)
            A2H_TRY(read_money(file));
        for (const ParsedFile& file : files)
            A2H_TRY(read_cues(file));
        A2H_TRY(read_units(files));
        for (const ParsedFile& file : files)
            A2H_TRY(read_same(file));
        A2H_ASSIGN_OR_RETURN(const auto lists, parts_of(files, "words"));
        for (const auto& [name, parts] : lists) {
            for (const Part& part : parts)
                A2H_TRY(read_word_list(name, part));
        }
        return check_complete(files.front());
    }

    Result<void> extend(const ParsedFile& file) {
        A2H_TRY(check_sections(file));
        A2H_TRY(read_same(file));
        A2H_ASSIGN_OR_RETURN(const auto lists, parts_of({&file, 1}, "words"));
        for (const auto& [name, parts] : lists) {
            for (const Part& part : parts)
                A2H_TRY(read_word_list(name, part));
        }
        return {};
    }

  private:
    Result<void> check_sections(const ParsedFile& parsed) const {
        for (const std::string_view key :
             {"variants", "currency", "units", "numerals", "words", "cues"}) {
            const TomlNode* node = parsed.root.find(key);
            if (node != nullptr && node->kind != TomlNode::Kind::Table) {
                return parsed.file.error(*node, std::string(key) + " must be a section");
            }
        }
        return {};
    }

    /// The tables in `section` of all files by name, in the order of the names.
    static Result<PartsByName> parts_of(std::span<const ParsedFile> files,
                                        const std::string& section) {
        PartsByName parts;
        for (const ParsedFile& parsed : files) {
            const TomlNode* table = parsed.root.table(section);
            if (table == nullptr) continue;
            for (const auto& [name, node] : table->members) {
                if (node.kind != TomlNode::Kind::Table) {
                    return parsed.file.error(node, section + "." + name + " must be a section");
                }
                parts[name].push_back({&parsed, &node});
            }
        }
        return parts;
    }

    /// Every role and cue must have words; otherwise code that uses them would never match.
    Result<void> check_complete(const ParsedFile& first) const {
        for (std::size_t k = 0; k < kRoleNames.size(); ++k) {
            if (out_.known[static_cast<Role>(k)] == 0)
                return first.file.error(first.root,
                                        "no list has the role " + std::string(kRoleNames[k]));
        }
        for (std::size_t k = 0; k < kCueNames.size(); ++k) {
            if (out_.cues[static_cast<Cue>(k)].all().empty())
                return first.file.error(first.root,
                                        "no cue has the role " + std::string(kCueNames[k]));
        }
        return {};
    }

    Result<void> read_variants(const ParsedFile& parsed) {
        const auto& [file, root, kind] = parsed;
        const TomlNode* table = root.table("variants");
        if (table == nullptr) return {};
        constexpr std::array<std::string_view, 2> kKeys = {"from", "to"};
        A2H_TRY(file.check_keys(*table, kKeys, "field of variants"));
        A2H_ASSIGN_OR_RETURN(const auto from, file.text(*table, "from"));
        A2H_ASSIGN_OR_RETURN(const auto to, file.text(*table, "to"));
        if (code_point_count(from) != code_point_count(to)) {
            return file.error(*table, "variants.from and variants.to differ in length");
        }
        std::size_t k = 0;
        for (std::size_t i = 0; i < from.size(); i += code_point_length(from, i)) {
            const std::size_t length = code_point_length(to, k);
            out_.lexicon.add_variant(code_point_at(from, i), to.substr(k, length));
            k += length;
        }
        return {};
    }

    Result<void> read_money(const ParsedFile& parsed) {
        const auto& [file, root, kind] = parsed;
        if (const TomlNode* currencies = root.table("currency")) {
            if (currencies->members.size() > kWordListsMax)
                return file.error(*currencies, "too many currencies");
            for (const auto& [code, node] : currencies->members) {
                if (!is_currency_code(code)) {
                    return file.error(node, "currency." + code + " must be three capital letters");
                }
                A2H_ASSIGN_OR_RETURN(auto words, file.texts(node, code));
                for (const std::string& word : words) {
                    out_.money.add_currency(out_.lexicon.comparable(word), code);
                }
            }
        }
        if (const TomlNode* node = root.find("measures")) {
            A2H_ASSIGN_OR_RETURN(auto words, file.texts(*node, "measures"));
            for (const std::string& word : words) {
                out_.money.add_measure(out_.lexicon.comparable(word));
            }
        }
        return read_numerals(parsed);
    }

    Result<void> read_numerals(const ParsedFile& parsed) {
        const TomlNode* numerals = parsed.root.table("numerals");
        if (numerals == nullptr) return {};
        for (const auto& [word, node] : numerals->members) {
            const bool is_number = node.kind == TomlNode::Kind::Integer;
            if (!is_number || node.integer < 1 || node.integer > 1'000'000) {
                return parsed.file.error(
                    node, "numerals." + word + " must be a whole number from 1 to 1000000");
            }
            out_.money.add_numeral(word, static_cast<unsigned>(node.integer));
        }
        return {};
    }

    Result<void> read_cues(const ParsedFile& parsed) {
        A2H_ASSIGN_OR_RETURN(const auto lists, parts_of({&parsed, 1}, "cues"));
        for (const auto& [name, parts] : lists) {
            const TomlNode& list = *parts.front().node;
            constexpr std::array<std::string_view, 3> kKeys = {"role", "en", "zh"};
            A2H_TRY(parsed.file.check_keys(list, kKeys, "field of cues." + name));
            A2H_ASSIGN_OR_RETURN(const auto role, parsed.file.text(list, "role"));
            const auto found = std::find(kCueNames.begin(), kCueNames.end(), role);
            if (found == kCueNames.end()) {
                return parsed.file.error(*list.find("role"),
                                         "unknown role " + role + did_you_mean(role, kCueNames));
            }
            const auto cue = static_cast<Cue>(found - kCueNames.begin());
            A2H_TRY(for_each_word(parsed.file, list, "cues." + name,
                                  [&](const std::string& word) { out_.cues[cue].add(word); }));
        }
        return {};
    }

    /// Calls `take` with each comparable word of `list`.
    template <typename Take>
    Result<void> for_each_word(const TomlFile& file, const TomlNode& list, const std::string& what,
                               Take take) const {
        for (const std::string_view language : kLanguageNames) {
            const TomlNode* node = list.find(language);
            if (node == nullptr) continue;
            A2H_ASSIGN_OR_RETURN(const auto words,
                                 file.texts(*node, what + "." + std::string(language)));
            for (const std::string& word : words)
                take(out_.lexicon.comparable(word));
        }
        return {};
    }

    Result<void> read_units(const std::vector<ParsedFile>& files) {
        constexpr std::size_t kUnitsMax = 63;  // bit 0 means any measure
        A2H_ASSIGN_OR_RETURN(const auto units, parts_of(files, "units"));
        if (units.size() > kUnitsMax)
            return files.back().file.error(files.back().root, "more than 63 units");
        ListSet unit = 1;
        for (const auto& [name, parts] : units) {
            unit <<= 1;
            for (const Part& part : parts)
                A2H_TRY(read_unit(name, part, unit));
        }
        return {};
    }

    /// Words that count something. Currency words are refused, because they would turn an amount
    /// into a quantity.
    Result<void> read_unit(const std::string& name, const Part& part, ListSet unit) {
        const TomlFile& file = part.from->file;
        constexpr std::array<std::string_view, 3> kKeys = {"role", "en", "zh"};
        constexpr std::array<std::string_view, 3> kRoles = {"years", "hours", "minutes"};
        A2H_TRY(file.check_keys(*part.node, kKeys, "field of units." + name));
        if (const TomlNode* role = part.node->find("role")) {
            const auto found = std::find(kRoles.begin(), kRoles.end(), role->text);
            if (found == kRoles.end()) {
                return file.error(*role,
                                  "unknown role " + role->text + did_you_mean(role->text, kRoles));
            }
            ListSet* const places[] = {&out_.years, &out_.hours, &out_.minutes};
            *places[found - kRoles.begin()] |= unit;
        }
        std::string currency;
        A2H_TRY(for_each_word(file, *part.node, "units." + name, [&](const std::string& word) {
            const bool is_ours = part.from->kind == WordFile::Kind::Grammar;
            if (!is_ours && out_.money.currency_at(word, 0).length == word.size()) currency = word;
            out_.money.add_unit(word, unit);
        }));
        if (currency.empty()) return {};
        return file.error(*part.node, "units." + name + " has a word for money: " + currency);
    }

    Result<void> read_same(const ParsedFile& parsed) {
        const TomlNode* node = parsed.root.find("same");
        if (node == nullptr) return {};
        if (node->kind != TomlNode::Kind::List)
            return parsed.file.error(*node, "same must be a list of lists of texts");
        for (const TomlNode& group : node->items)
            A2H_TRY(read_group(parsed, group));
        return {};
    }

    /// Words with the same meaning. A group that shares words with an earlier group is merged with
    /// it, but not with two; in the grammar each word appears once.
    Result<void> read_group(const ParsedFile& parsed, const TomlNode& group) {
        A2H_ASSIGN_OR_RETURN(auto words, parsed.file.texts(group, "same"));
        ListSet number = 0;
        for (std::string& word : words) {
            word = out_.lexicon.comparable(word);
            const WordMatch earlier = out_.topics.longest_at(word, 0);
            if (earlier.lists == 0 || earlier.end != word.size()) continue;
            const bool joins =
                parsed.kind != WordFile::Kind::Grammar && (number == 0 || number == earlier.lists);
            if (!joins) return parsed.file.error(group, "same has " + word + " twice");
            number = earlier.lists;
        }
        if (number == 0) number = ++out_.topic_count;
        for (const std::string& word : words)
            add_topic(word, number);
        return {};
    }

    void add_topic(const std::string& word, ListSet number) {
        const WordMatch earlier = out_.topics.longest_at(word, 0);
        if (earlier.lists == 0 || earlier.end != word.size()) out_.topics.add(word, number);
    }

    Result<void> read_word_list(const std::string& name, const Part& part) {
        const TomlFile& file = part.from->file;
        const TomlNode& list = *part.node;
        constexpr std::array<std::string_view, 5> kKeys = {"en", "zh", "fact", "role", "stated_by"};
        A2H_TRY(file.check_keys(list, kKeys, "field of words." + name));
        std::size_t place = place_of(name);
        const bool is_new = place == out_.list_names.size();
        if (is_new) {
            if (place == kWordListsMax) return file.error(list, "more than 64 lists of words");
            out_.list_names.push_back(name);
            out_.list_facts.push_back(0);
        }
        A2H_TRY(read_fact(name, part, place, is_new));
        A2H_TRY(read_roles(name, part, place, is_new));
        const ListSet set = ListSet{1} << place;
        if (const TomlNode* node = list.find("stated_by")) {
            A2H_ASSIGN_OR_RETURN(auto words, file.texts(*node, "words." + name + ".stated_by"));
            for (const std::string& word : words)
                out_.evidence.add(out_.lexicon.comparable(word), set);
            out_.needs_evidence |= set;
        }
        return for_each_word(file, list, "words." + name, [&](const std::string& word) {
            out_.lexicon.add(word, set);
            if (out_.list_facts[place] != 0) out_.spelling.add(word);
        });
    }

    /// Several trades may add words to a list if their settings of it are equal.
    Result<void> read_fact(const std::string& name, const Part& part, std::size_t place,
                           bool is_new) {
        const TomlNode* fact = part.node->find("fact");
        if (fact == nullptr) return {};
        const std::string& value = fact->text;
        const auto found = std::find(kFactNames.begin(), kFactNames.end(), value);
        if (found == kFactNames.end()) {
            return part.from->file.error(*fact,
                                         "unknown fact " + value + did_you_mean(value, kFactNames));
        }
        const FactSet facts = 1U << (found - kFactNames.begin());
        if (!is_new && out_.list_facts[place] != facts) {
            return part.from->file.error(
                *fact, "words." + name + " already exists; its fact cannot be changed");
        }
        out_.list_facts[place] = facts;
        out_.fact_lists |= ListSet{1} << place;
        return {};
    }

    Result<void> read_roles(const std::string& name, const Part& part, std::size_t place,
                            bool is_new) {
        const TomlNode* node = part.node->find("role");
        if (node == nullptr) return {};
        const TomlFile& file = part.from->file;
        if (!is_new)
            return file.error(*node,
                              "words." + name + " already exists; its role cannot be changed");
        A2H_ASSIGN_OR_RETURN(const auto roles, file.texts(*node, "words." + name + ".role"));
        for (const std::string& role : roles) {
            const auto found = std::find(kRoleNames.begin(), kRoleNames.end(), role);
            if (found == kRoleNames.end())
                return file.error(*node, "unknown role " + role + did_you_mean(role, kRoleNames));
            out_.known.add(static_cast<Role>(found - kRoleNames.begin()), ListSet{1} << place);
        }
        return {};
    }

    /// The number of lists if there is none with this name.
    std::size_t place_of(std::string_view name) const {
        const auto& names = out_.list_names;
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) -
                                        names.begin());
    }

    Vocabulary& out_;
};

Result<ParsedFile> parsed(const WordFile& file) {
    constexpr std::array<std::string_view, 9> kKeys = {"version",  "measures", "units",
                                                       "same",     "words",    "cues",
                                                       "variants", "currency", "numerals"};
    constexpr std::size_t kKeysOfTrade = 6;
    constexpr std::size_t kKeysOfOwnersTrade = 5;
    const std::size_t known = file.kind == WordFile::Kind::Grammar ? kKeys.size()
                              : file.kind == WordFile::Kind::Trade ? kKeysOfTrade
                                                                   : kKeysOfOwnersTrade;
    const TomlFile toml(file.name);
    A2H_ASSIGN_OR_RETURN(auto root, toml.parse(file.text));
    A2H_TRY(toml.check_keys(root, std::span(kKeys).first(known), "section"));
    A2H_TRY(check_version(toml, root));
    return ParsedFile{toml, std::move(root), file.kind};
}

}  // namespace

Result<void> check_version(const TomlFile& file, const TomlNode& root) {
    const TomlNode* version = root.find("version");
    const bool is_known = version != nullptr && version->kind == TomlNode::Kind::Integer &&
                          version->integer == kFileVersion;
    return is_known ? Result<void>()
                    : file.error(version == nullptr ? root : *version, "version must be 1");
}

Result<Vocabulary> read_vocabulary(std::span<const WordFile> files) {
    std::vector<ParsedFile> all;
    for (const WordFile& file : files) {
        A2H_ASSIGN_OR_RETURN(auto one, parsed(file));
        all.push_back(std::move(one));
    }
    Vocabulary out;
    A2H_TRY(VocabularyReader(out).read(all));
    return out;
}

Result<void> extend_vocabulary(const TomlFile& file, const TomlNode& root, Vocabulary& out) {
    return VocabularyReader(out).extend({file, root, WordFile::Kind::OwnersTrade});
}

}  // namespace a2h::reading
