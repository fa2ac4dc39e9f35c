#include "daemon/trade/offers_in_answer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/fence.h"
#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/i18n/normalize.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "daemon/trade/order_view.h"

namespace a2h::trade {
namespace {

using nlohmann::json;
using wire::member;
using wire::text_member;

/// Answers are at most this deep; deeper objects are what somebody wrote.
constexpr int kDepthMax = 8;
/// 128 bits, so that nobody finds two texts with the same digest.
constexpr std::size_t kDigestChars = 32;

using Names = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view name, Names names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_text(const json& row, std::string_view name) {
    return !text_member(row, name).empty();
}

bool has_any_text(const json& row, Names names) {
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view name) { return has_text(row, name); });
}

bool has_only(const json& row, Names names) {
    return std::all_of(row.items().begin(), row.items().end(),
                       [&](const auto& item) { return is_one_of(item.key(), names); });
}

/// Set by the market whenever anybody does something.
bool is_markets_own(std::string_view name) {
    return is_one_of(name, {"status", "createdAt", "created_at", "updatedAt", "updated_at",
                            "gmtCreate", "gmtModified", "public_key", "key_id"});
}

std::string digest_of(const json& value) {
    return wire::sha256_hex(value.dump(-1, ' ', false, json::error_handler_t::replace))
        .substr(0, kDigestChars);
}

/// `extendInfo` is sent as an object or as its text.
json opened(const json& value) {
    json parsed = value.is_string()
                      ? json::parse(value.get_ref<const std::string&>(), nullptr, false)
                      : json();
    return parsed.is_object() ? parsed : value;
}

/// The digests of all members of `row` that somebody has written.
std::map<std::string, std::string> words_of(const json& row) {
    std::map<std::string, std::string> words;
    for (const auto& [name, value] : row.items()) {
        if (is_markets_own(name) || !(value.is_string() || value.is_structured())) continue;
        const json whole = opened(value);
        words[name] = whole.empty() || whole == "" ? std::string() : digest_of(whole);
    }
    return words;
}

/// Calls `visit` for every text in `value`, including names of members.
template <typename Visit>
void each_text(const json& value, const Visit& visit) {
    if (value.is_string()) visit(value.get_ref<const std::string&>());
    if (!value.is_structured()) return;
    for (const auto& [name, item] : value.items()) {
        if (value.is_object() && is_markets_own(name)) continue;
        if (value.is_object()) visit(name);
        each_text(item, visit);
    }
}

/// For comparing what people see: without invisible characters, letter case and line breaks.
std::string comparable(std::string_view text) {
    return i18n::fold(one_line(visible(text)));
}

bool is_ascii_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// Whether `word` stands in `text` by itself. Characters beyond ASCII may always end a word.
bool has_word(std::string_view text, std::string_view word) {
    if (word.empty()) return false;
    for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        const auto end = at + word.size();
        const bool begins = at == 0 || !is_ascii_word(text[at - 1]) || !is_ascii_word(word.front());
        const bool ends =
            end == text.size() || !is_ascii_word(text[end]) || !is_ascii_word(word.back());
        if (begins && ends) return true;
    }
    return false;
}

bool is_mark_beyond_ascii(std::string_view character) {
    return (character >= "\u2010" && character <= "\u206f") ||
           (character >= "\u3000" && character <= "\u303f") ||
           (character >= "\u00a0" && character <= "\u00bf");
}

/// Without marks, which differ from keyboard to keyboard: "Lin’s studio" and "Lin's studio". Blanks
/// become one.
std::string without_marks(std::string_view text) {
    std::string words;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + 1;
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
            ++end;
        const std::string_view character = text.substr(at, end - at);
        const bool is_blank = character == " ";
        const bool is_word = character.size() == 1 ? is_ascii_word(character.front())
                                                   : !is_mark_beyond_ascii(character);
        if (is_word) words += character;
        if (is_blank && !words.empty() && words.back() != ' ') words += ' ';
        at = end;
    }
    if (words.ends_with(' ')) words.pop_back();
    return words;
}

/// Returns what a card shows of `row`: all members that are not the market's own.
std::string shown_of(const json& row) {
    constexpr std::size_t kShownBytesMax = 32 * 1024;
    json shown = json::object();
    for (const auto& [name, value] : row.items()) {
        if (!is_markets_own(name)) shown[name] = opened(value);
    }
    std::string text = wire::canonical_json(shown);
    if (text.size() <= kShownBytesMax) return text;
    return wire::canonical_json({{"text", std::string(truncate(text, kShownBytesMax / 4)) + "…"}});
}

/// Searches the words of others in one answer of the market.
class Search {
  public:
    explicit Search(const OurNames& ours) : ours_(ours) {
        for (const auto* list : {&ours.agent_ids, &ours.works_ids}) {
            for (const std::string& id : *list)
                ids_.push_back(comparable(id));
        }
        for (const std::string& word : ours.whole_words)
            words_.push_back(comparable(word));
    }

    void search(const json& value, int depth = 0) {
        if (depth > kDepthMax) return;
        if (value.is_array()) {
            for (const json& item : value)
                search(item, depth + 1);
        } else if (value.is_object() && !take(value)) {
            for (const json& item : value)
                search(item, depth + 1);
        }
    }

    std::vector<store::SeenOffer> take_found() && { return std::move(found_); }

  private:
    /// False if `row` is none of the things that the market shows; then it is searched itself.
    bool take(const json& row) {
        if (has_text(row, "message_id") && row.contains("sender_agent_id")) {
            add(text_member(row, "sender_agent_id"), "message_id", row);
        } else if (has_text(row, "orderId") &&
                   (row.contains("currentType") || has_any_text(row, {"title", "content"}))) {
            take_order(row);
        } else if (has_text(row, "deal_id") && has_text(row, "offered_by")) {
            search(member(row, "terms"), 1);  // prices, and ids that the market has chosen
        } else if (has_text(row, "proposal_id") && row.contains("supplier_agent_id")) {
            take_proposal(row);
        } else if (has_any_text(row, {"worksId", "replyId"}) &&
                   has_any_text(row, {"title", "content", "text"})) {
            take_post(row);
        } else if (has_text(row, "rfp_id") && row.contains("creator_agent_id")) {
            add_if_named(text_member(row, "creator_agent_id"), "rfp_id", row);
        } else if (is_card(row)) {
            take_card(row);
        } else {
            take_unknown(row);
            return false;
        }
        return true;
    }

    /// An order is answered by a yes of the human, unless it is withdrawn before.
    void take_order(const json& row) {
        const auto order = view_order(row);
        const bool is_undecided = !order || order->state == OrderState::PendingConfirm ||
                                  order->state == OrderState::Cancelled;
        const std::string seller = order ? order->peer_id : text_member(row, "providerId");
        if (is_undecided && (!order || order->role == OrderRole::Customer)) {
            add(seller, "orderId", row);
        } else if (const json& profile = member(row, "profile"); profile.is_object()) {
            take_card(profile);
        }
    }

    void take_proposal(const json& row) {
        if (is_one_of(text_member(row, "status"), {"accepted", "rejected"})) return;
        add(text_member(row, "supplier_agent_id"), "proposal_id", row);
    }

    void take_post(const json& row) {
        const std::string author = text_member(row, "agentId");
        const bool is_reply = has_text(row, "replyId");
        const char* name = is_reply ? "replyId" : "worksId";
        if (author.empty() && is_our_listing(text_member(row, name))) return;
        if (!is_reply && is_listing(row)) {
            add_if_named(author, name, row);
        } else {
            add_words(author, name, row);
        }
    }
    /// The public platform omits the type in search results.
    bool is_listing(const json& post) const {
        const json& type = member(post, "type");
        if (type.is_null()) return ours_.asked_type == 2 || ours_.asked_type == 3;
        return type == 2 || type == 3 || type == "2" || type == "3";
    }

    /// Whether the row is what an agent says about itself, and nothing else.
    static bool is_card(const json& row) {
        if (!has_any_text(row, {"agent_id", "userId"})) return false;
        return has_only(
            row, {"agent_id", "name", "key_id", "public_key", "capabilities", "userId", "nickname",
                  "avatarUrl", "user_name", "profile_summary", "location", "tags", "interests",
                  "availability", "source", "is_active", "created_at", "updated_at"});
    }
    void take_card(const json& row) {
        const std::string id = text_member(row, "agent_id");
        if (!is_agent_id(id) && !is_agent_id(text_member(row, "userId"))) return;
        add_if_named(is_agent_id(id) ? id : text_member(row, "userId"), "agent_id", row);
    }

    /// Any agent that an unknown kind of row names may be the author of its words.
    void take_unknown(const json& row) {
        std::vector<std::string> authors;
        for (const json& value : row) {
            if (value.is_string() && is_agent_id(value.get_ref<const std::string&>()) &&
                !is_ours(value.get_ref<const std::string&>())) {
                authors.push_back(value);
            }
        }
        if (authors.empty() || !has_words(row)) return;
        for (const std::string& author : authors)
            found_.push_back({author, "words", digest_of(row), words_of(row), shown_of(row)});
    }

    static bool has_words(const json& row) {
        bool found = false;
        for (const auto& [name, value] : row.items()) {
            if (is_markets_own(name)) continue;
            each_text(value, [&](const std::string& text) {
                found = found || !(text.empty() || is_agent_id(text) || is_wordless(text));
            });
        }
        return found;
    }
    /// Ids that the market gives: a prefix of letters and hexadecimal digits; and times.
    static bool is_wordless(std::string_view text) {
        if (is_wordless_id(text) || parse_time(text).has_value()) return true;
        const auto line = text.find('_');
        return line != text.npos && is_wordless_id(text.substr(line + 1));
    }

    void add(const std::string& author, const char* name, const json& row) {
        if (author == ours_.agent_id) return;
        found_.push_back({known(author), name, text_member(row, name), {}, shown_of(row)});
    }
    void add_words(const std::string& author, const char* name, const json& row) {
        if (is_ours(author)) return;
        std::string id = text_member(row, name);
        found_.push_back({known(author), name, std::move(id), words_of(row), shown_of(row)});
    }
    void add_if_named(const std::string& author, const char* name, const json& row) {
        if (!is_ours(author) && names_us(row)) add_words(author, name, row);
    }

    /// The public platform sometimes has an internal id here, or none.
    static std::string known(const std::string& author) {
        return is_agent_id(author) ? author : std::string();
    }
    bool is_ours(const std::string& agent_id) const {
        return agent_id == ours_.agent_id ||
               std::find(ours_.agent_ids.begin(), ours_.agent_ids.end(), agent_id) !=
                   ours_.agent_ids.end();
    }
    bool is_our_listing(const std::string& works_id) const {
        return std::find(ours_.works_ids.begin(), ours_.works_ids.end(), works_id) !=
               ours_.works_ids.end();
    }
    bool names_us(const json& row) const {
        bool found = false;
        for (const auto& [name, value] : row.items()) {
            if (is_markets_own(name)) continue;
            each_text(opened(value), [&](const std::string& text) {
                found = found || is_naming(comparable(text));
            });
        }
        return found;
    }
    bool is_naming(std::string_view text) const {
        const auto has = [&](const std::string& id) {
            return !id.empty() && text.find(id) != text.npos;
        };
        const std::string plain = without_marks(text);
        return std::any_of(ids_.begin(), ids_.end(), has) ||
               std::any_of(words_.begin(), words_.end(), [&](const std::string& word) {
                   return has_word(text, word) || has_word(plain, without_marks(word));
               });
    }

    const OurNames& ours_;
    std::vector<std::string> ids_;
    std::vector<std::string> words_;
    std::vector<store::SeenOffer> found_;
};

}  // namespace

std::vector<store::SeenOffer> offers_in(const json& data, const OurNames& ours) {
    Search search(ours);
    search.search(data);
    return std::move(search).take_found();
}

}  // namespace a2h::trade
