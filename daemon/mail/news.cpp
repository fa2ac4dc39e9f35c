#include "daemon/mail/news.h"

#include <nlohmann/json.hpp>

#include "core/wire/json_member.h"
#include "daemon/mail/dead_letter.h"
#include "daemon/notify/kinds.h"

namespace a2h::mail {
namespace {

using nlohmann::json;
using Form = notify::BodyArgument::Form;

notify::Words report_words(const notify::News& news) {
    const auto number = [&](const char* name) {
        const json& value = wire::member(news.body, name);
        return value.is_number_integer() ? value.dump() : std::string("0");
    };
    notify::Words words{
        i18n::text(news.language, "notify.report_title",
                   {{"received", number("received")}, {"replied", number("replied")}}),
        {}};
    for (const json& line : wire::member(news.body, "lines"))
        if (line.is_string()) words.text += line.get<std::string>() + "\n";
    words.text += i18n::text(news.language, "notify.report_command");
    return words;
}

constexpr notify::KindRow kNews[] = {
    {.kind = "report", .words = report_words, .has_pictures = true},
    {.kind = "key.changed", .key = "notify.key_changed", .arguments = {{{"peer", "peer_id"}}}},
    {.kind = "listening.session_lost",
     .key = "notify.session_lost",
     .arguments = {{{"count", "fetched", Form::Count}}}},
};

}  // namespace

void register_news() {
    notify::register_kinds(kNews);
    notify::register_kinds({&kDeadLetterRow, 1});
}

}  // namespace a2h::mail
