#include "mcp/peer_text.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/text.h"

namespace a2h::mcp {
namespace {

using nlohmann::ordered_json;

/// Who wrote a text, as the fence says it.
struct Author {
    std::string name;
    std::string provenance;
};

/// Longer ones are no identifiers of any protocol here.
constexpr std::size_t kTokenCharsMax = 64;
/// "confirm-service-completed" has three words; a sentence in disguise has more.
constexpr int kTokenWordsMax = 4;
constexpr int kIdWordsMax = 2;
constexpr std::size_t kWordLetters = 3;
constexpr std::string_view kSeparators = "_.:/+=@-";

bool is_ascii_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit_char(char c) {
    return c >= '0' && c <= '9';
}

bool is_hex_letter(char c) {
    return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// How many parts of `text` could be words; digits and random ids are none.
int count_words(std::string_view text) {
    int words = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(kSeparators), text.size());
        const std::string_view part = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (part.size() >= kWordLetters && std::all_of(part.begin(), part.end(), is_ascii_letter) &&
            !std::all_of(part.begin(), part.end(), is_hex_letter)) {
            ++words;
        }
    }
    return words;
}

/// An id, a number, a time, an enumeration: nothing that could be read as a sentence.
bool is_token(std::string_view text) {
    const auto may_be_in = [](char c) {
        return is_ascii_letter(c) || is_digit_char(c) || kSeparators.find(c) != kSeparators.npos;
    };
    return text.size() <= kTokenCharsMax && std::all_of(text.begin(), text.end(), may_be_in) &&
           count_words(text) <= kTokenWordsMax;
}

/// Members that people fill in; also a single word in them is theirs.
bool holds_free_text(std::string_view name) {
    constexpr std::array kNames = {"text",     "title",    "content",       "name",    "nickname",
                                   "summary",  "question", "description",   "context", "message",
                                   "reason",   "note",     "remark",        "comment", "bio",
                                   "subtitle", "label",    "outcome_detail"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// Code points that show nothing: models read them, people do not.
bool is_unseen(char32_t c) {
    constexpr std::pair<char32_t, char32_t> kUnseen[] = {
        {0xAD, 0xAD},     {0x34F, 0x34F},   {0x115F, 0x1160},   {0x17B4, 0x17B5},
        {0x180B, 0x180F}, {0x200B, 0x200F}, {0x2028, 0x202E},   {0x2060, 0x206F},
        {0x2800, 0x2800}, {0x3164, 0x3164}, {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
        {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};
    return std::any_of(std::begin(kUnseen), std::end(kUnseen),
                       [&](const auto& range) { return c >= range.first && c <= range.second; });
}

/// The fence's own marks and what looks like them; '\0' for everything else.
char bracket_instead_of(char32_t c) {
    if (c == 0x27E6 || c == 0x301A || c == 0x27EC || c == 0x2E28 || c == 0x2985) return '[';
    if (c == 0x27E7 || c == 0x301B || c == 0x27ED || c == 0x2E29 || c == 0x2986) return ']';
    return '\0';
}

/// Takes the first code point off `text`, which is UTF-8.
std::pair<char32_t, std::string_view> take_code_point(std::string_view& text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t c = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i)
        c = (c << 6) | (static_cast<unsigned char>(text[i]) & 0x3FU);
    const std::string_view bytes = text.substr(0, length);
    text.remove_prefix(length);
    return {c, bytes};
}

std::string text_of(const ordered_json& object, const char* name) {
    const auto found = object.is_object() ? object.find(name) : object.end();
    return object.is_object() && found != object.end() && found->is_string()
               ? found->get<std::string>()
               : std::string();
}

void fence_value(ordered_json& value, const Author& author, std::string_view member);

/// The object anew, because its names are foreign too.
void fence_object(ordered_json& object, const Author& author) {
    ordered_json fenced = ordered_json::object();
    for (auto& [name, value] : object.items()) {
        fence_value(value, author, name);
        fenced[is_token(name) ? name : fence(name, author.name, author.provenance)] =
            std::move(value);
    }
    object = std::move(fenced);
}

void fence_value(ordered_json& value, const Author& author, std::string_view member) {
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        if (text.empty() || (is_token(text) && !holds_free_text(member))) return;
        value = fence(text, author.name, author.provenance);
    } else if (value.is_object()) {
        fence_object(value, author);
    } else if (value.is_array()) {
        for (ordered_json& item : value)
            fence_value(item, author, member);
    }
}

void fence_history(ordered_json& data) {
    if (!data.contains("items") || !data["items"].is_array()) return;
    const std::string peer_id = text_of(data, "peer_id");
    for (ordered_json& item : data["items"]) {
        // What left is the owner's own, or was said with the owner's yes.
        if (text_of(item, "direction") == "out") continue;
        fence_value(item, {peer_id, text_of(item, "provenance")}, {});
    }
}

/// The words of a question often repeat what the peer said.
void fence_approval(ordered_json& approval) {
    if (!approval.is_object()) return;
    const std::string provenance = text_of(approval, "provenance");
    // Without one no message has led to it: an assistant has asked, perhaps with a peer's words.
    const Author author = provenance.empty() ? Author{"assistant", {}}
                                             : Author{text_of(approval, "peer_id"), provenance};
    for (const char* name : {"question", "context", "outcome_detail"}) {
        const auto member = approval.find(name);
        if (member != approval.end()) fence_value(*member, author, name);
    }
}

void fence_approvals(ordered_json& data) {
    if (data.contains("approval")) fence_approval(data["approval"]);
    for (const char* list : {"approvals", "changes"}) {
        if (!data.contains(list) || !data[list].is_array()) continue;
        for (ordered_json& row : data[list])
            fence_approval(row.contains("approval") ? row["approval"] : row);
    }
}

void fence_market(ordered_json& data) {
    fence_value(data, {"market", {}}, {});
}

/// Whose words an action brings. Prefixes; what is not here speaks of the owner alone.
struct ForeignWords {
    std::string_view actions;
    void (*fence_data)(ordered_json& data);
};
constexpr ForeignWords kForeignWords[] = {
    {"inbox.history", fence_history}, {"approval.", fence_approvals},
    {"works.search", fence_market},   {"works.get", fence_market},
    {"order.", fence_market},         {"discussion.", fence_market},
    {"rfp.", fence_market},           {"proposal.", fence_market},
    {"session.", fence_market},       {"deal.", fence_market},
    {"agent.", fence_market},
};

}  // namespace

std::string visible(std::string_view text) {
    const std::string shown = printable(text);
    std::string out;
    out.reserve(shown.size());
    for (std::string_view rest = shown; !rest.empty();) {
        const auto [c, bytes] = take_code_point(rest);
        if (const char bracket = bracket_instead_of(c); bracket != '\0') {
            out += bracket;
        } else if (!is_unseen(c)) {
            out += bytes;
        }
    }
    return out;
}

std::string fence(std::string_view text, std::string_view author, std::string_view provenance) {
    std::string fenced(kFenceBegin);
    fenced += author.empty() || !is_token(author) ? "unknown" : author;
    fenced += ", ";
    fenced += provenance.empty() || !is_token(provenance) ? "unverified" : provenance;
    return fenced.append(": ").append(visible(text)).append(kFenceEnd);
}

bool is_plain_id(std::string_view text) {
    const auto may_be_in = [](char c) {
        return is_ascii_letter(c) || is_digit_char(c) || c == '_' || c == '-';
    };
    return !text.empty() && text.size() <= kTokenCharsMax &&
           std::all_of(text.begin(), text.end(), may_be_in) && count_words(text) <= kIdWordsMax;
}

bool fence_peer_text(std::string_view action, ordered_json& data) {
    const auto* row =
        std::find_if(std::begin(kForeignWords), std::end(kForeignWords),
                     [&](const ForeignWords& each) { return action.starts_with(each.actions); });
    if (row == std::end(kForeignWords) || !data.is_object()) return false;
    row->fence_data(data);
    return true;
}

}  // namespace a2h::mcp
