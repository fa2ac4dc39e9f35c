#include "daemon/notify/kinds.h"

#include <map>
#include <nlohmann/json.hpp>

#include "core/base/fence.h"
#include "core/base/text.h"
#include "core/base/time_text.h"

namespace a2h::notify {
namespace {

using nlohmann::json;

/// The kinds of notifications that this folder words itself.
constexpr KindRow kOwnRows[] = {{.kind = "test", .key = "notify.test"}};

std::map<std::string_view, KindRow>& registered() {
    static std::map<std::string_view, KindRow> rows = [] {
        std::map<std::string_view, KindRow> own;
        for (const KindRow& row : kOwnRows)
            own.emplace(row.kind, row);
        return own;
    }();
    return rows;
}

std::string text_in(const json& body, std::string_view name) {
    const auto found = body.find(name);
    if (found == body.end() || !found->is_string()) return {};
    return printable(found->get<std::string>());
}

std::string value_of(const json& body, const BodyArgument& argument) {
    if (argument.name.empty()) return {};
    if (argument.form == BodyArgument::Form::Count) {
        const auto found = body.find(argument.member);
        return found != body.end() && found->is_number_integer() ? found->dump() : "0";
    }
    std::string text = text_in(body, argument.member);
    if (argument.form == BodyArgument::Form::Text) return text;
    const auto time = parse_time(text);
    return time ? to_local_time(*time) : text;
}

std::string text_of(const News& news, const KindRow& kind, std::string_view key) {
    const Notification& row = news.row;
    const std::string about =
        news.approval != nullptr ? preview(printable(news.approval->question)) : std::string();
    const auto& [first, second, third] = kind.arguments;
    return i18n::text(news.language, key,
                      {{"agent", row.agent_id},
                       {"channel", row.channel},
                       {"person", row.person},
                       {"id", row.approval_id},
                       {"question", about},
                       {first.name, value_of(news.body, first)},
                       {second.name, value_of(news.body, second)},
                       {third.name, value_of(news.body, third)}});
}

}  // namespace

void register_kinds(std::span<const KindRow> rows) {
    for (const KindRow& row : rows)
        registered().emplace(row.kind, row);
}

const KindRow& kind_row(std::string_view kind) {
    static const KindRow kNews{};
    const auto found = registered().find(kind);
    return found == registered().end() ? kNews : found->second;
}

Words words_of(const News& news) {
    const KindRow& kind = kind_row(news.row.kind);
    if (kind.words != nullptr) return kind.words(news);
    if (kind.key.empty()) {
        return {i18n::text(news.language, "notify.news_title"), text_in(news.body, "text")};
    }
    const std::string_view key = kind.text_key != nullptr ? kind.text_key(news) : kind.key;
    return {text_of(news, kind, std::string(kind.key) + "_title"), text_of(news, kind, key)};
}

}  // namespace a2h::notify
