#include "daemon/decide/rules_parts.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace a2h::decide {
namespace {

struct KnownListName {
    std::string_view name;
    ListSet KnownLists::*member;
};
constexpr std::array<KnownListName, 46> kKnownLists = {{
    {"filler", &KnownLists::filler},
    {"question", &KnownLists::question},
    {"claim", &KnownLists::claim},
    {"offer", &KnownLists::offer},
    {"haggle", &KnownLists::haggle},
    {"deal", &KnownLists::deal},
    {"assent", &KnownLists::assent},
    {"promise", &KnownLists::promise},
    {"payment", &KnownLists::payment},
    {"paid", &KnownLists::paid},
    {"delivered", &KnownLists::delivered},
    {"terms", &KnownLists::terms},
    {"approximate", &KnownLists::approximate},
    {"spelled_amount", &KnownLists::spelled_amount},
    {"link", &KnownLists::link},
    {"first_person", &KnownLists::first_person},
    {"counter_offer", &KnownLists::counter_offer},
    {"limit", &KnownLists::limit},
    {"particular", &KnownLists::particular},
    {"context", &KnownLists::context},
    {"outside", &KnownLists::outside},
    {"plain", &KnownLists::plain},
    {"request", &KnownLists::request},
    {"holding", &KnownLists::holding},
    {"closing", &KnownLists::closing},
    {"refusal", &KnownLists::refusal},
    {"leaving", &KnownLists::leaving},
    {"alternative", &KnownLists::alternative},
    {"waived", &KnownLists::waived},
    {"others", &KnownLists::others},
    {"reason", &KnownLists::reason},
    {"trouble", &KnownLists::trouble},
    {"steering", &KnownLists::steering},
    {"receipt", &KnownLists::receipt},
    {"calendar", &KnownLists::calendar},
    {"pondering", &KnownLists::pondering},
    {"correction", &KnownLists::correction},
    {"confirm", &KnownLists::confirm},
    {"aside", &KnownLists::aside},
    {"fact_noun", &KnownLists::fact_noun},
    {"greeting", &KnownLists::greeting},
    {"thanks", &KnownLists::thanks},
    {"acknowledgement", &KnownLists::acknowledgement},
    {"farewell", &KnownLists::farewell},
    {"noted", &KnownLists::noted},
    {"small_talk", &KnownLists::small_talk},
}};

class VocabularyReader {
  public:
    VocabularyReader(const TomlFile& file, RuleSet::Impl& out) : file_(file), out_(out) {}

    Result<void> read(const TomlNode& root) {
        A2H_TRY(check_sections(root));
        A2H_TRY(read_variants(root));
        A2H_TRY(read_money(root));
        A2H_TRY(read_units(root));
        A2H_TRY(read_same(root));
        A2H_TRY(read_words(root));
        return find_known_lists(*root.table("words"));
    }

    Result<void> extend(const TomlNode& root) {
        is_extension_ = true;
        A2H_TRY(check_sections(root));
        A2H_TRY(read_same(root));
        return root.table("words") == nullptr ? Result<void>() : read_words(root);
    }

  private:
    Result<void> check_sections(const TomlNode& root) const {
        for (const std::string_view key : {"variants", "currency", "units", "numerals", "words"}) {
            const TomlNode* node = root.find(key);
            if (node != nullptr && node->kind != TomlNode::Kind::Table) {
                return file_.error(*node, std::string(key) + " must be a section");
            }
        }
        return {};
    }

    Result<void> read_variants(const TomlNode& root) {
        const TomlNode* table = root.table("variants");
        if (table == nullptr) return {};
        constexpr std::array<std::string_view, 2> kKeys = {"from", "to"};
        A2H_TRY(file_.check_keys(*table, kKeys, "field of variants"));
        const auto from = file_.text(*table, "from");
        const auto to = file_.text(*table, "to");
        if (!from) return fail(from.error());
        if (!to) return fail(to.error());
        if (code_point_count(*from) != code_point_count(*to)) {
            return file_.error(*table, "variants.from and variants.to differ in length");
        }
        std::size_t k = 0;
        for (std::size_t i = 0; i < from->size(); i += code_point_length(*from, i)) {
            const std::size_t length = code_point_length(*to, k);
            out_.lexicon.add_variant(code_point_at(*from, i), to->substr(k, length));
            k += length;
        }
        return {};
    }

    Result<void> read_money(const TomlNode& root) {
        if (const TomlNode* currencies = root.table("currency")) {
            if (currencies->members.size() > kWordListsMax)
                return file_.error(*currencies, "too many currencies");
            for (const auto& [code, node] : currencies->members) {
                if (!is_currency_code(code)) {
                    return file_.error(node, "currency." + code + " must be three capital letters");
                }
                A2H_ASSIGN_OR_RETURN(auto words, file_.texts(node, code));
                for (const std::string& word : words) {
                    out_.money.add_currency(out_.lexicon.comparable(word), code);
                }
            }
        }
        if (const TomlNode* node = root.find("measures")) {
            A2H_ASSIGN_OR_RETURN(auto words, file_.texts(*node, "measures"));
            for (const std::string& word : words) {
                out_.money.add_measure(out_.lexicon.comparable(word));
            }
        }
        A2H_TRY(read_texts(root, "plain_offer", out_.plain_offer));
        A2H_TRY(read_texts(root, "plain_deal", out_.plain_deal));
        return read_texts(root, "withdrawal", out_.withdrawal);
    }

    Result<void> read_texts(const TomlNode& root, const char* key, Lexicon& lexicon) {
        const TomlNode* node = root.find(key);
        if (node == nullptr) return {};
        A2H_ASSIGN_OR_RETURN(auto words, file_.texts(*node, key));
        for (const std::string& word : words)
            lexicon.add(out_.lexicon.comparable(word), 1);
        return {};
    }

    Result<void> read_units(const TomlNode& root) {
        static const std::vector<TomlMember> kNone;
        constexpr std::size_t kUnitsMax = 63;  // bit 0 means any measure
        const TomlNode* units = root.table("units");
        if (units != nullptr && units->members.size() > kUnitsMax)
            return file_.error(*units, "too many units");
        ListSet unit = 1;
        for (const auto& [name, node] : units == nullptr ? kNone : units->members) {
            unit <<= 1;
            if (name == "year") out_.years = unit;
            if (name == "hour") out_.hours = unit;
            if (name == "minute") out_.minutes = unit;
            A2H_ASSIGN_OR_RETURN(auto words, file_.texts(node, "units." + name));
            for (const std::string& word : words) {
                out_.money.add_unit(out_.lexicon.comparable(word), unit);
            }
        }
        const TomlNode* numerals = root.table("numerals");
        for (const auto& [word, node] : numerals == nullptr ? kNone : numerals->members) {
            const bool is_number = node.kind == TomlNode::Kind::Integer;
            if (!is_number || node.integer < 1 || node.integer > 1'000'000) {
                return file_.error(
                    node, "numerals." + word + " must be a whole number from 1 to 1000000");
            }
            out_.money.add_numeral(word, static_cast<unsigned>(node.integer));
        }
        return {};
    }

    Result<void> read_same(const TomlNode& root) {
        const TomlNode* node = root.find("same");
        if (node == nullptr) return {};
        if (node->kind != TomlNode::Kind::List)
            return file_.error(*node, "same must be a list of lists of texts");
        for (const TomlNode& group : node->items)
            A2H_TRY(read_group(group));
        return {};
    }

    /// Words that mean the same. A group with words of an earlier one joins it, but not two.
    Result<void> read_group(const TomlNode& group) {
        A2H_ASSIGN_OR_RETURN(auto words, file_.texts(group, "same"));
        ListSet number = 0;
        for (std::string& word : words) {
            word = out_.lexicon.comparable(word);
            const WordMatch earlier = out_.topics.longest_at(word, 0);
            if (earlier.lists == 0 || earlier.end != word.size()) continue;
            const bool joins = is_extension_ && (number == 0 || number == earlier.lists);
            if (!joins) return file_.error(group, "same has " + word + " twice");
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

    Result<void> read_words(const TomlNode& root) {
        const TomlNode* lists = root.table("words");
        if (lists == nullptr) return file_.error(root, "section words is missing");
        for (const auto& [name, node] : lists->members) {
            if (node.kind != TomlNode::Kind::Table) {
                return file_.error(node, "words." + name + " must be a section");
            }
            A2H_TRY(read_word_list(name, node));
        }
        return {};
    }

    Result<void> find_known_lists(const TomlNode& lists) {
        for (const KnownListName& known : kKnownLists) {
            const std::size_t place = place_of(known.name);
            if (place == out_.list_names.size())
                return file_.error(lists, "words." + std::string(known.name) + " is missing");
            out_.known.*known.member = ListSet{1} << place;
        }
        return {};
    }

    Result<void> read_word_list(const std::string& name, const TomlNode& list) {
        constexpr std::array<std::string_view, 4> kKeys = {"en", "zh", "fact", "stated_by"};
        A2H_TRY(file_.check_keys(list, kKeys, "field of words." + name));
        std::size_t place = place_of(name);
        if (place == out_.list_names.size()) {
            if (place == kWordListsMax) return file_.error(list, "more than 64 lists of words");
            out_.list_names.push_back(name);
            out_.list_facts.push_back(0);
        } else if (const TomlNode* fact = list.find("fact")) {
            return file_.error(*fact, "words." + name + " is there already; its fact stays");
        }
        const ListSet set = ListSet{1} << place;
        if (const TomlNode* fact = list.find("fact")) {
            const std::string& value = fact->text;
            const auto found = std::find(kFactNames.begin(), kFactNames.end(), value);
            if (found == kFactNames.end()) {
                return file_.error(*fact,
                                   "unknown fact " + value + did_you_mean(value, kFactNames));
            }
            out_.list_facts[place] = 1U << (found - kFactNames.begin());
            out_.fact_lists |= set;
        }
        if (const TomlNode* node = list.find("stated_by")) {
            A2H_ASSIGN_OR_RETURN(auto words, file_.texts(*node, "words." + name + ".stated_by"));
            for (const std::string& word : words) {
                out_.evidence.add(out_.lexicon.comparable(word), set);
            }
            out_.needs_evidence |= set;
        }
        for (const std::string_view language : kLanguageNames)
            A2H_TRY(read_language(name, list, language, place));
        return {};
    }

    Result<void> read_language(const std::string& name, const TomlNode& list,
                               std::string_view language, std::size_t place) {
        const TomlNode* node = list.find(language);
        if (node == nullptr) return {};
        A2H_ASSIGN_OR_RETURN(auto words,
                             file_.texts(*node, "words." + name + "." + std::string(language)));
        for (const std::string& word : words) {
            const std::string comparable = out_.lexicon.comparable(word);
            out_.lexicon.add(comparable, ListSet{1} << place);
            if (out_.list_facts[place] != 0) out_.spelling.add(comparable);
        }
        return {};
    }

    /// The number of lists when there is none of this name.
    std::size_t place_of(std::string_view name) const {
        const auto& names = out_.list_names;
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) -
                                        names.begin());
    }

    const TomlFile& file_;
    RuleSet::Impl& out_;
    bool is_extension_ = false;
};

}  // namespace

Result<void> read_vocabulary(const TomlFile& file, const TomlNode& root, RuleSet::Impl& out) {
    return VocabularyReader(file, out).read(root);
}

Result<void> extend_vocabulary(const TomlFile& file, const TomlNode& root, RuleSet::Impl& out) {
    return VocabularyReader(file, out).extend(root);
}

}  // namespace a2h::decide
