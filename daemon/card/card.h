#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/approval.h"
#include "core/i18n/messages.h"

namespace a2h::card {

/// One thing that a yes covers.
struct Line {
    enum class Kind {
        Since,
        Peer,
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
    std::string label;  ///< always a text of ours
    std::string value;  ///< may have several lines
};
std::string_view to_string(Line::Kind value);

/// Everything that a yes to an approval covers, in the order in which it is read. Every surface
/// shows this card, whole, or says that it does not and offers no yes.
struct Card {
    std::string question;
    std::vector<Line> lines;
};

/// The card of `approval` in the reader's `language`: each member of the stored action, with the
/// name that people give it, and the question's own context and options. Members that no text
/// names, or that are called like a line of ours, stand together under one label that says so,
/// their names in quotation marks: no operation can hide one, and nobody can write a line of ours.
/// Amounts are in major units. Control, direction and invisible characters are removed. Thread:
/// any.
Card card_of(const Approval& approval, i18n::Language language);

/// The members of what somebody has sent or will send, as they stand on a card; `under` is a label
/// that stands before each.
std::vector<Line> lines_of(const nlohmann::json& payload, i18n::Language language,
                           std::string_view under = {});

/// The same as text, without the known members that are empty: all that was received, whole.
std::string received_in_words(const nlohmann::json& payload, i18n::Language language,
                              std::string_view under = {});

/// All that a message says, in one line and what belongs to it further in, so that nothing in it
/// looks like another message.
std::string message_in_words(std::string_view payload_json, i18n::Language language);

/// Why `approval` can no longer be answered, for people; empty unless something newer closed it.
std::string closed_in_words(const Approval& approval, i18n::Language language);

/// The lines as text, one `label: value` each. Further lines of a value are indented, so that none
/// of them looks like a label.
std::string in_text(const std::vector<Line>& lines, i18n::Language language);

/// The lines as a list of `{kind, label, value}`.
nlohmann::json to_json(const std::vector<Line>& lines);

/// Whether a yes to `approval` sends and does nothing: it only closes the question.
bool closes_without_answer(const Approval& approval);

}  // namespace a2h::card
