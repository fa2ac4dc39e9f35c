#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/approval.h"
#include "core/i18n/messages.h"
#include "daemon/card/reader.h"

namespace a2h::card {

/// One line of what a yes covers.
struct Line {
    enum class Kind {
        Since,
        Peer,
        Votes,  ///< how many people have to say yes, if one is not enough
        Amount,
        Action,
        Text,
        NothingSent,
        Member,
        RejectText,
        Options,
        Context
    };
    Kind kind = Kind::Member;
    std::string label;  ///< always one of our own texts
    std::string value;  ///< may contain line breaks
};
std::string_view to_string(Line::Kind value);

/// Everything that a yes to an approval covers, in the order in which it is read. Every surface
/// shows the whole card, or says that it cannot and offers no yes.
struct Card {
    std::string question;
    std::vector<Line> lines;
};

/// Adds the name of a member of requests that contains the text of a question, which the card shows
/// in a line of its own. `text` is known. Call before other threads start.
void register_text_member(std::string_view name);

/// The card of `approval` in the language of `reader`: each member of the stored action under the
/// name that people know, and the question's own context and options. Members that have no such
/// name, or are named like one of our lines, are together under one label that says so, with their
/// names in quotation marks. So no operation can hide a member, and nobody else can write a line
/// that looks like ours. Amounts are in major units. Control, direction and invisible characters
/// are removed.
///
/// Thread:  any.
Card card_of(const Approval& approval, const Reader& reader);

/// The members of what somebody has sent or will send, as a card shows them. `under` is a label
/// that precedes each of them.
std::vector<Line> lines_of(const nlohmann::json& payload, i18n::Language language,
                           std::string_view under = {});

/// The same as text, without known members that are empty: the whole of what was received.
std::string received_in_words(const nlohmann::json& payload, i18n::Language language,
                              std::string_view under = {});

/// Describes what `after` makes of `before`, side by side: "Price: 280.00 CNY → 250.00 CNY".
/// Members that `after` leaves out stay as they are, and the text says so. Of texts that are too
/// long for a line only the old one is shown, because the members of the request show the new one.
std::string changes_in_words(const nlohmann::json& before, const nlohmann::json& after,
                             i18n::Language language, std::string_view under = {});

/// All that a message says: a first line, and the details indented below it, so that nothing in it
/// looks like another message.
std::string message_in_words(std::string_view payload_json, i18n::Language language);

/// Why `approval` can no longer be answered, in words for people. Empty unless something newer
/// closed it.
std::string closed_in_words(const Approval& approval, i18n::Language language);

/// The lines as text, one `label: value` on each. Further lines of a value are indented, so that
/// none of them looks like a label.
std::string in_text(const std::vector<Line>& lines, i18n::Language language);

/// The lines as a list of `{kind, label, value}` objects.
nlohmann::json to_json(const std::vector<Line>& lines);

/// Whether a yes to `approval` sends and does nothing, so that it only closes the question.
bool closes_without_answer(const Approval& approval);

}  // namespace a2h::card
