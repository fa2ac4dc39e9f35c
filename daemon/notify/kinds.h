#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/approval.h"
#include "core/domain/notification.h"
#include "core/i18n/messages.h"

namespace a2h::notify {

/// The words of a notification.
struct Words {
    std::string title;
    std::string text;
};

/// A notification that is being worded.
struct News {
    const Notification& row;
    const Approval* approval;    ///< the one that the row is about; null for news
    const nlohmann::json& body;  ///< an object
    i18n::Language language;
};

/// A member of the body and its name in the messages. A missing or malformed member is left out.
struct BodyArgument {
    enum class Form { Text, Time, Count };
    std::string_view name{};  ///< in the message; empty: no argument
    std::string_view member{};
    Form form = Form::Text;
};

/// The row that a feature registers for one kind of notification. A kind without a row is news
/// whose body contains the text.
struct KindRow {
    std::string_view kind;
    /// The key of the text in `locales`; with "_title" appended it is the key of the title. Both
    /// may use the arguments below, and {agent}, {channel}, {person}, {id} and {question}.
    std::string_view key{};
    std::array<BodyArgument, 3> arguments{};
    std::string_view (*text_key)(const News& news) = nullptr;  ///< instead of `key`, for the text
    Words (*words)(const News& news) = nullptr;                ///< instead of both
    std::string_view code_key{};  ///< key of the line that shows a code for the PIN; empty: none
    bool has_pictures = false;    ///< images among the attachments in the body are shown
};

/// Adds `rows`, which must live until the process ends; known rows are not added again. Call before
/// other threads start.
void register_kinds(std::span<const KindRow> rows);

/// The row of a kind; one without members if no feature has registered it. Thread: any.
const KindRow& kind_row(std::string_view kind);

/// The words of a notification that is not a question. Thread: any.
Words words_of(const News& news);

}  // namespace a2h::notify
