#include <doctest/doctest.h>

#include <map>

#include "daemon/reading/read_vocabulary.h"
#include "embedded/grammar.h"

using namespace a2h;
using namespace a2h::reading;

namespace {

/// Our files of words, one of them changed.
class Grammar {
  public:
    Grammar() {
        for (const std::string_view name : embedded::grammar_names())
            texts_[std::string(name)] = embedded::grammar(name).value();
    }

    Grammar& replace(const std::string& file, const std::string& what, const std::string& with) {
        std::string& text = texts_[file];
        const std::size_t at = text.find(what);
        REQUIRE_MESSAGE(at != std::string::npos, what);
        text.replace(at, what.size(), with);
        return *this;
    }

    Grammar& add(const std::string& file, std::string text) {
        texts_[file] = std::move(text);
        return *this;
    }

    /// The error that they give; `trade` is read after them.
    std::string error(const std::string& trade = "version = 1\n",
                      WordFile::Kind kind = WordFile::Kind::OwnersTrade) const {
        std::vector<WordFile> files;
        for (const auto& [name, text] : texts_)
            files.push_back({WordFile::Kind::Grammar, name, text});
        files.push_back({kind, "mine.toml", trade});
        const auto words = read_vocabulary(files);
        return words ? std::string("no error") : words.error().message;
    }

  private:
    std::map<std::string, std::string> texts_;
};

void check_contains(const std::string& message, const std::string& part) {
    CHECK_MESSAGE(message.find(part) != std::string::npos, message);
}

}  // namespace

TEST_CASE("an unknown name in a file of words is refused with the nearest known one") {
    const auto changed = [](const char* file, const char* what, const char* with) {
        return Grammar().replace(file, what, with).error();
    };
    check_contains(changed("questions.toml", "fact = \"price\"", "fact = \"prize\""),
                   "did you mean price?");
    check_contains(changed("deals.toml", "role = \"haggle\"", "role = \"hagle\""),
                   "did you mean haggle?");
    check_contains(changed("speakers.toml", "role = \"plan\"", "role = \"plann\""),
                   "did you mean plan?");
    check_contains(changed("numbers.toml", "role = \"years\"", "role = \"yeers\""),
                   "did you mean years?");
    check_contains(changed("questions.toml", "stated_by = [", "stated_bye = ["),
                   "did you mean stated_by?");
    check_contains(changed("meanings.toml", "same = [", "some = ["), "did you mean same?");
}

TEST_CASE("lists of words that the code uses must exist") {
    CHECK(Grammar().error() == "no error");
    check_contains(Grammar().replace("deals.toml", "role = \"haggle\"\n", "").error(),
                   "no list has the role haggle");
    check_contains(Grammar().replace("speakers.toml", "role = \"plan\"", "role = \"past\"").error(),
                   "no cue has the role plan");
    check_contains(Grammar().replace("deals.toml", "version = 1", "version = 2").error(),
                   "version must be 1");
}

TEST_CASE("a list is identified by its purpose, not its name") {
    CHECK(Grammar().replace("deals.toml", "[words.haggle]", "[words.bargaining]").error() ==
          "no error");
    CHECK(Grammar()
              .add("z.toml",
                   "version = 1\n[words.mine]\nrole = [\"haggle\", \"terms\"]\n"
                   "en = [\"knock something off\"]\n")
              .error() == "no error");
}

TEST_CASE("spellings, money, units, numerals and words of the same meaning are checked") {
    const auto changed = [](const char* file, const char* what, const char* with) {
        return Grammar().replace(file, what, with).error();
    };
    check_contains(changed("numbers.toml", "CNY = [", "YUAN = ["), "must be three capital letters");
    check_contains(changed("characters.toml", "from = \"", "from = \"x"), "differ in length");
    check_contains(changed("numbers.toml", "two = 2", "two = 0"),
                   "numerals.two must be a whole number from 1 to 1000000");
    check_contains(changed("numbers.toml", "[units.hour]", "[unit.hour]"), "did you mean units?");
    check_contains(changed("meanings.toml", "same = [\n", "same = [\n[\"fax\", \"firm\"],\n"),
                   "same has firm twice");
}

TEST_CASE("an owner's trade holds words, units and groups, and no word for money as a unit") {
    CHECK(Grammar().error("version = 1\nmeasures = [\"bolts\"]\nsame = [[\"hem\", \"seam\"]]\n"
                          "[units.bolt]\nen = [\"bolt\", \"bolts\"]\n"
                          "[words.ask_cloth]\nfact = \"overview\"\nstated_by = [\"silk\"]\n"
                          "en = [\"which cloth\"]\n") == "no error");
    check_contains(Grammar().error("version = 1\n[units.yuan]\nzh = [\"元\"]\n"),
                   "mine.toml:2: units.yuan has a word for money: 元");
    check_contains(Grammar().error("version = 1\n[cues.mine]\nrole = \"plain_offer\"\n"),
                   "unknown section cues");
    check_contains(Grammar().error("version = 1\n[currency]\nCNY = [\"points\"]\n"),
                   "unknown section currency");
    check_contains(Grammar().error("version = 1\n[words.ask_price]\nfact = \"method\"\n"),
                   "words.ask_price already exists; its fact cannot be changed");
    check_contains(Grammar().error("version = 1\n[words.ask_price]\nrole = \"plain\"\n"),
                   "words.ask_price already exists; its role cannot be changed");
}
