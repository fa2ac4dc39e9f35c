#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "core/i18n/messages.h"
#include "daemon/decide/decision.h"
#include "embedded/playbooks.h"

using namespace a2h;
using namespace a2h::decide;

namespace {

constexpr std::string_view kBooks[] = {"sell", "buy", "negotiate", "order"};

std::string book(std::string_view name, i18n::Language language) {
    const char* ending = language == i18n::Language::Chinese ? ".zh_CN.md" : ".en.md";
    const auto text = embedded::playbooks(std::string(name) + ending);
    REQUIRE_MESSAGE(text.has_value(), std::string(name), ending);
    return std::string(*text);
}

}  // namespace

TEST_CASE("the one holding reply that the playbooks allow is ours and leaves without asking") {
    for (const auto language : {i18n::Language::English, i18n::Language::Chinese}) {
        const std::string holding = i18n::text(language, "decide.reply.holding");
        CHECK_MESSAGE(review_text(holding, {}).free, holding);
        for (const std::string_view name : kBooks) {
            CAPTURE(name);
            CHECK(book(name, language).find("`" + holding + "`") != std::string::npos);
        }
    }
}

TEST_CASE("a buyer's text about a payment from a playbook does not leave without a yes") {
    const std::string english = "The payment of 280.00 CNY has been made.";
    const std::string chinese = "280.00 CNY 已支付。";
    CHECK(book("order", i18n::Language::English).find(english) != std::string::npos);
    CHECK(book("order", i18n::Language::Chinese).find(chinese) != std::string::npos);
    CHECK_FALSE(review_text(english, {}).free);
    CHECK_FALSE(review_text(chinese, {}).free);
}
