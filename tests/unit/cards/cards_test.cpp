// The card of every action that can be asked, as a person reads it on every surface:
// tests/golden/cards/<language>/<action>.txt, which A2H_ACCEPT=1 writes.
#include <doctest/doctest.h>

#include <time.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "cli/terminal.h"
#include "core/base/fence.h"
#include "core/base/money.h"
#include "core/base/time_text.h"
#include "core/catalogue/operations.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/app/features.h"
#include "daemon/card/card.h"
#include "daemon/consent/actions.h"
#include "tests/support/environment.h"
#include "tests/unit/cards/sample.h"
#include "tests/unit/cards/surfaces.h"

using namespace a2h;
using i18n::Language;
using nlohmann::json;
using test::Sample;
using test::Surface;

namespace {

constexpr std::size_t kColumns = 60;
constexpr Language kLanguages[] = {Language::English, Language::Chinese};

/// A clock on the wall of Greenwich, and the rows of all features.
struct Room {
    test::Variable zone{"TZ", "UTC"};
    Room() {
        ::tzset();
        register_features();
    }
};

std::string spaceless(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (std::isspace(static_cast<unsigned char>(c)) == 0) out += c;
    return out;
}

/// The parts of a request that must be read: for each member the texts of which one must be there.
class Wanted {
  public:
    explicit Wanted(Language language) : language_(language) {}

    void text(const std::string& value) {
        if (!value.empty()) all.push_back({spaceless(shown_whole(value))});
    }
    void members(const json& object) {
        const std::string currency = wire::text_member(object, "currency");
        for (const auto& [name, value] : object.items())
            member(name, value, currency);
    }

    std::vector<std::set<std::string>> all;

  private:
    void member(const std::string& name, const json& value, const std::string& currency) {
        if (value.is_object()) return members(value);
        if (value.is_array()) {
            for (const json& one : value)
                member(name, one, currency);
            return;
        }
        if (value.is_boolean() || value.is_null() || value == "") return;
        std::set<std::string> accepted{spaceless(word_of(name, value))};
        const std::string text =
            value.is_string() ? value.get<std::string>() : wire::canonical_json(value);
        const bool is_minor = name.ends_with("_minor") || name.ends_with("_cent") ||
                              name.starts_with("fixed_") || name == "price_min" ||
                              name == "price_max";
        if (name == "amount" || name == "max") {
            const auto money = parse_money(text, currency);
            if (money) accepted = {spaceless(to_text(*money))};
        } else if (value.is_number_integer() && is_minor && !currency.empty()) {
            accepted = {spaceless(to_text(Money{value.get<std::int64_t>(), currency}))};
        } else if (value.is_number_integer() && name.ends_with("_ms")) {
            accepted = {spaceless(to_local_time(value.get<std::int64_t>()))};
        } else {
            accepted.insert(spaceless(shown_whole(text)));
        }
        accepted.erase("");
        all.push_back(accepted);
    }
    /// The word for a value of a closed set; empty if there is none.
    std::string word_of(const std::string& name, const json& value) const {
        if (!value.is_string()) return {};
        const auto text = value.get<std::string>();
        const bool is_big = std::isupper(static_cast<unsigned char>(text[0])) != 0;
        std::string key = (is_big ? "card.big_" : "card.is_") + name + "_";
        for (const char c : text) {
            key += c == '-'   ? "__"
                   : c == '.' ? "___"
                              : std::string(1, static_cast<char>(std::tolower(c)));
        }
        return i18n::has_key(language_, key) ? i18n::text(language_, key) : std::string();
    }

    Language language_;
};

/// Everything that the yes covers, and who is on the other side.
std::vector<std::set<std::string>> wanted_of(const Approval& approval, Language language) {
    Wanted wanted(language);
    wanted.text(approval.question);
    for (const std::string& peer : peers_of(approval))
        wanted.text(peer);
    if (approval.amount_minor)
        wanted.text(to_text(Money{*approval.amount_minor, approval.currency}));
    const json action = json::parse(approval.action_json);
    if (!action.contains("request")) wanted.text(approval.reply_text);
    wanted.text(approval.reject_text);
    wanted.text(approval.context);
    wanted.text(approval.since_text);
    wanted.text(approval.also_text);
    for (const std::string& option : approval.options)
        wanted.text(option);
    if (action.contains("request")) wanted.members(action["request"]);
    return wanted.all;
}

/// Names of fields and values as programs write them: `fixed_price`, `orderType`, `IN_PROGRESS`.
/// Ids and addresses are words for people, too, because they name one thing.
std::set<std::string> raw_names_in(const std::string& text) {
    std::set<std::string> found;
    std::string word;
    for (const char c : text + " ") {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
            std::string_view("/.:-").find(c) != std::string_view::npos) {
            word += c;
            continue;
        }
        while (!word.empty() && std::ispunct(static_cast<unsigned char>(word.back())) != 0)
            word.pop_back();
        const bool is_address = word.find('/') != std::string::npos;
        const bool is_id =
            word.starts_with("ag_") || word.starts_with("apr_") || word.starts_with("prop_");
        bool has_hump = false;
        for (std::size_t i = 1; i < word.size(); ++i)
            has_hump = has_hump || (std::islower(static_cast<unsigned char>(word[i - 1])) != 0 &&
                                    std::isupper(static_cast<unsigned char>(word[i])) != 0);
        const bool is_raw = word.find('_') != std::string::npos || has_hump;
        if (is_raw && !is_address && !is_id) found.insert(word);
        word.clear();
    }
    return found;
}

bool has_chinese(std::string_view text) {
    for (std::size_t i = 0; i + 2 < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte >= 0xe3 && byte <= 0xe9) return true;  // U+3000 to U+9FFF
        if (byte == 0xef && static_cast<unsigned char>(text[i + 1]) >= 0xbc) return true;
    }
    return false;
}

/// Latin words that Chinese labels use as well.
bool has_english(std::string label) {
    for (const char* known : {"SHA-256", "A2H"}) {
        if (const auto at = label.find(known); at != std::string::npos)
            label.erase(at, std::string_view(known).size());
    }
    return std::any_of(label.begin(), label.end(),
                       [](unsigned char c) { return std::isalpha(c) != 0; });
}

bool offers_no(const Surface& surface, Language language) {
    const std::string no = i18n::text(language, "notify.button_reject");
    return std::any_of(surface.buttons.begin(), surface.buttons.end(),
                       [&](const std::string& label) { return label.ends_with(no); });
}

void check_shows(const Surface& surface, const Approval& approval, Language language) {
    CAPTURE(surface.name);
    if (offers_no(surface, language)) {
        CHECK(spaceless(surface.text).find(spaceless(approval.reject_text)) != std::string::npos);
    }
    if (!surface.offers_yes) {
        CHECK(surface.has_link);
        return;
    }
    const std::string shown = spaceless(surface.text);
    for (const auto& accepted : wanted_of(approval, language)) {
        const bool is_shown = std::any_of(
            accepted.begin(), accepted.end(),
            [&](const std::string& value) { return shown.find(value) != std::string::npos; });
        const std::string& missing = *accepted.rbegin();
        CAPTURE(missing);
        CHECK(is_shown);
    }
}

/// A rule is named as in the playbook, so that its owner finds it there; WeChat is a name.
void check_language(const Surface& surface, const Approval& approval, Language language) {
    CAPTURE(surface.name);
    for (const std::string& raw : raw_names_in(surface.text)) {
        if (raw == "WeChat" || approval.requested_by == "rule:" + raw) continue;
        CAPTURE(raw);
        CHECK(raw.empty());
    }
    if (language == Language::English && surface.name != "page behind the link") {
        CHECK_FALSE(has_chinese(surface.text));
    }
}

/// Surfaces with the same text share it.
std::string golden_text(const std::vector<Surface>& surfaces) {
    std::vector<std::pair<std::string, std::string>> parts;
    for (const Surface& surface : surfaces) {
        std::string name = surface.name;
        for (const std::string& button : surface.buttons)
            name += " [" + button + "]";
        const auto same = std::find_if(parts.begin(), parts.end(), [&](const auto& part) {
            return part.second == surface.text;
        });
        if (same == parts.end()) {
            parts.emplace_back(name, surface.text);
        } else {
            same->first += "\n=== " + name;
        }
    }
    std::string text;
    for (const auto& [names, shown] : parts)
        text += "=== " + names + "\n" + shown + "\n";
    return text;
}

void check_golden(const std::string& name, Language language, const std::string& text) {
    const std::filesystem::path folder = std::filesystem::path(
        A2H_SOURCE_DIR "/tests/golden/cards/" + std::string(i18n::language_tag(language)));
    const auto path = folder / (name + ".txt");
    CAPTURE(path);
    if (std::getenv("A2H_ACCEPT") != nullptr) {
        std::filesystem::create_directories(folder);
        std::ofstream(path) << text;
        return;
    }
    std::ostringstream golden;
    golden << std::ifstream(path).rdbuf();
    CHECK(text == golden.str());
}

}  // namespace

TEST_CASE("a surface shows all of a card in words, or it says so and takes no yes") {
    const Room room;
    for (const Language language : kLanguages) {
        for (const Sample& sample : test::all_samples(language)) {
            CAPTURE(sample.name);
            CAPTURE(i18n::language_tag(language));
            const auto surfaces = test::surfaces_of(sample.approval, language);
            for (const Surface& surface : surfaces) {
                check_shows(surface, sample.approval, language);
                check_language(surface, sample.approval, language);
            }
            check_golden(sample.name, language, golden_text(surfaces));
        }
    }
}

TEST_CASE("a card has labels in the reader's language only") {
    const Room room;
    for (const Language language : kLanguages) {
        for (const Sample& sample : test::all_samples(language)) {
            CAPTURE(sample.name);
            for (const card::Line& line : card::card_of(sample.approval, language).lines) {
                CAPTURE(line.label);
                if (language == Language::English) CHECK_FALSE(has_chinese(line.label));
                if (language == Language::Chinese) CHECK_FALSE(has_english(line.label));
            }
        }
    }
}

TEST_CASE("a card at the terminal fits into 60 columns") {
    const Room room;
    for (const Language language : kLanguages) {
        for (const Sample& sample : test::all_samples(language)) {
            CAPTURE(sample.name);
            std::istringstream lines(test::on_terminal(sample.approval, language).text);
            for (std::string line; std::getline(lines, line);) {
                CAPTURE(line);
                CHECK(cli::display_width(line) <= kColumns);
            }
        }
    }
}

TEST_CASE("every action that can be asked has a card here") {
    const Room room;
    /// Nobody is asked: the owner calls them, they say nothing to others, or only a mandate names
    /// them.
    const std::set<std::string_view> never{"address.create", "address.delete",
                                           "address.set_default", "profile.set", "bargain"};
    std::set<std::string> asked;
    for (const Sample& sample : test::all_samples(Language::English))
        asked.insert(sample.approval.action);
    for (const std::string_view action : consent::registered_actions()) {
        CAPTURE(action);
        CHECK(asked.contains(std::string(action)) != never.contains(action));
    }
    for (const catalogue::Operation& operation : catalogue::operations()) {
        std::string key = "card.act_" + std::string(operation.action);
        std::replace(key.begin() + 9, key.end(), '.', '_');
        CAPTURE(operation.action);
        if (i18n::has_key(Language::English, key))
            CHECK(asked.contains(std::string(operation.action)));
    }
}
