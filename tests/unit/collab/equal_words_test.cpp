#include "daemon/collab/equal_words.h"

#include <doctest/doctest.h>

using namespace a2h;
using collab::Meanings;
using collab::read_equal_words;

namespace {

/// Cuts the plural, as little as a test needs.
std::string without_s(std::string_view word) {
    return std::string(word.substr(0, word.size() - (word.ends_with('s') ? 1 : 0)));
}

}  // namespace

TEST_CASE("Equal words are read with the name of what they mean") {
    const auto read = read_equal_words(
        "# why\nvenue = [\"venues\", \"venue\", \"场地\"]\n"
        "cook = [\"chef\", \"厨师\"]\n",
        without_s);
    REQUIRE(read);
    CHECK(*read ==
          Meanings{{"venue", "venue"}, {"场地", "venue"}, {"chef", "cook"}, {"厨师", "cook"}});
}

TEST_CASE("A table of equal words with a mistake names the line and the word") {
    const auto refused = [](const char* toml, const char* what) {
        CAPTURE(toml);
        const auto read = read_equal_words(toml, without_s);
        REQUIRE_FALSE(read);
        CHECK(read.error().code == ErrorCode::InvalidArgument);
        CHECK(read.error().message.starts_with("equal_words.toml:"));
        CHECK_MESSAGE(read.error().message.find(what) != std::string::npos, read.error().message);
    };
    refused("a = [\"x\"", "");
    refused("\na = 7", ":2: ");
    refused("a = [\"two words\"]", "two words is neither");
    refused("a = [\"Venue\"]", "Venue is neither");
    refused("a = [\"摄影师\"]", "摄影师 is neither");
    refused("a = [\"茶\"]", "茶 is neither");
    refused("a = [\"AI讲\"]", "is neither");
    refused("a = [\"\"]", "empty");
    refused("a = [\"x\"]\nb = [\"xs\"]", "xs already means a");
}
