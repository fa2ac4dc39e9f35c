#include "mcp/result_part.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/text.h"
#include "core/catalogue/arguments.h"
#include "core/catalogue/schema.h"
#include "mcp/peer_text.h"
#include "mcp/tokens.h"

namespace a2h::mcp {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// Longer texts in a list are shortened in concise results.
constexpr std::size_t kConciseTextMax = 600;
/// The limits that are tried one after the other for a result that is too large.
struct Limits {
    std::size_t text_max;   ///< code points
    std::size_t items_max;  ///< of nested lists
};
constexpr std::array kLastLimits = {Limits{2000, 100}, Limits{500, 50}, Limits{150, 20},
                                    Limits{60, 5}};

/// How the catalogue's row allows reading a part of a list.
struct ListRow {
    std::string_view size;  ///< name of the argument with the limit; empty: not a list
    bool pages = false;     ///< in pages; otherwise from the newest before `before`
};

ListRow list_row(const json& properties) {
    const bool pages = properties.contains("page");
    if (!pages && !properties.contains("before")) return {};
    return {properties.contains("page_size") ? "page_size" : "limit", pages};
}

/// The form of a cursor: "12" items to skip, or "12.345", counted from 345.
std::string cursor_text(std::size_t skip, std::size_t before) {
    std::string text = "n" + std::to_string(skip);
    return before == 0 ? text : text + "." + std::to_string(before);
}

bool read_number(std::string_view text, std::size_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number <= 100'000'000;
}

bool read_cursor(std::string_view text, std::size_t& skip, std::size_t& before) {
    if (!text.starts_with('n')) return false;
    const std::size_t point = std::min(text.find('.'), text.size());
    if (point < text.size() && !read_number(text.substr(point + 1), before)) return false;
    return read_number(text.substr(1, point - 1), skip);
}

/// Requested so often that a model should not pay for unchanged members.
constexpr std::string_view kStatus = "status";
/// The members of its concise form; `problems` names what is wrong with the rest.
constexpr std::array<std::string_view, 6> kStatusMembers = {
    "agent_id", "backlog", "connection", "last_received_at", "last_self_test", "problems"};

/// Results from a2hd alone are small, unless they are lists.
bool has_detail(const catalogue::Operation& operation) {
    if (operation.action == kStatus) return true;
    const auto& hints = operation.hints;
    return hints.read_only &&
           (hints.open_world || catalogue::input_schema(operation)["properties"].contains("limit"));
}

template <typename Json>
void add_part_properties(Json& properties, const ListRow& row, bool has_detail) {
    if (!row.size.empty()) {
        Json limit = properties.at(std::string(row.size));
        properties["limit"] = std::move(limit);
        properties["cursor"] = {{"type", "string"},
                                {"description", "next_cursor of the previous result"}};
    }
    if (has_detail) {
        properties["detail"] = {{"type", "string"},
                                {"enum", {"concise", "full"}},
                                {"default", "concise"},
                                {"description", "full: not shortened"}};
    }
}

Unexpected no_cursor(std::string_view text) {
    return fail(ErrorCode::InvalidArgument,
                "cursor \"" + preview(text) +
                    "\" was not issued by this tool; use data.next_cursor of an earlier result "
                    "with the same other arguments, or leave it out for the first items");
}

/// Converts limit and cursor to the row's own arguments.
Result<void> turn_position(const ListRow& row, const json& properties, json& arguments,
                           ResultPart& part) {
    const std::string size(row.size);
    if (arguments.contains("limit")) {
        const json limit = arguments["limit"];
        arguments.erase("limit");
        if (!arguments.contains(size)) arguments[size] = limit;
    }
    if (!arguments.contains(size)) arguments[size] = properties.at(size).at("default");
    part.size = static_cast<std::size_t>(arguments.at(size).get<double>());
    if (row.pages) {
        part.page = static_cast<std::size_t>(arguments.value("page", 1.0));
    } else {
        part.before = static_cast<std::size_t>(arguments.value("before", 0.0));
    }
    const auto cursor = arguments.find("cursor");
    if (cursor == arguments.end()) return {};
    const std::string text = *cursor;
    arguments.erase(cursor);
    if (arguments.contains("page") || arguments.contains("before")) {
        return fail(ErrorCode::InvalidArgument,
                    "cursor already says where to continue: leave out page and before");
    }
    std::size_t skip = 0;
    std::size_t before = 0;
    if (!read_cursor(text, skip, before) || (row.pages && before != 0)) return no_cursor(text);
    if (row.pages) {
        part.page = skip / part.size + 1;
        part.skip = skip % part.size;
        arguments["page"] = part.page;
        return {};
    }
    part.skip = skip;
    part.before = before;
    if (before != 0) arguments["before"] = before;
    return {};
}

/// The list of a result; for a page of the market, under any name.
ordered_json* list_of(ordered_json& envelope, bool is_page) {
    const auto data = envelope.find("data");
    if (data == envelope.end() || !data->is_object()) return nullptr;
    for (auto member = data->begin(); member != data->end(); ++member) {
        if (!member->is_array()) continue;
        if (is_page || member.key() == "items" || member.key() == "changes") return &*member;
    }
    return nullptr;
}

std::size_t tokens_of(const ordered_json& value) {
    return estimated_tokens(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

bool is_empty_member(const ordered_json& value) {
    if (value.is_string()) return value.get_ref<const std::string&>().empty();
    return value.is_null() || (value.is_structured() && value.empty());
}

/// Removes members of a list's items that are empty or repeat another one.
void drop_empty_members(ordered_json& item) {
    if (!item.is_object()) return;
    const auto payload = item.find("payload");
    if (payload != item.end() && payload->is_object() && item.contains("text") &&
        payload->value("text", ordered_json()) == item["text"]) {
        payload->erase("text");
    }
    for (auto member = item.begin(); member != item.end();) {
        if (is_empty_member(*member)) {
            member = item.erase(member);
        } else {
            ++member;
        }
    }
}

void keep_of_status(ordered_json& envelope) {
    const auto data = envelope.find("data");
    if (data == envelope.end() || !data->is_object()) return;
    for (auto member = data->begin(); member != data->end();) {
        const bool kept = std::find(kStatusMembers.begin(), kStatusMembers.end(), member.key()) !=
                          kStatusMembers.end();
        if (!kept) {
            member = data->erase(member);
            continue;
        }
        drop_empty_members(*member);
        ++member;
    }
}

/// Shortens texts and lists at all levels. True if anything was shortened.
bool shorten_all(ordered_json& value, const Limits& limits) {
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        if (text.size() <= limits.text_max) return false;
        const std::size_t count = code_point_count(text);
        if (count <= limits.text_max) return false;
        // A fenced text keeps its fence.
        const std::string_view end = text.ends_with(kFenceEnd) ? kFenceEnd : std::string_view();
        value = std::string(truncate(text, limits.text_max)) + "… (+" +
                std::to_string(count - limits.text_max) + " characters)" + std::string(end);
        return true;
    }
    bool changed = false;
    if (value.is_array() && value.size() > limits.items_max) {
        const std::size_t more = value.size() - limits.items_max;
        value.erase(value.begin() + static_cast<std::ptrdiff_t>(limits.items_max), value.end());
        value.push_back("… (+" + std::to_string(more) + " items)");
        changed = true;
    }
    if (value.is_structured()) {
        for (auto& member : value)
            changed = shorten_all(member, limits) || changed;
    }
    return changed;
}

/// Removes items from the end until `budget` is sufficient, but keeps one. True if any was removed.
bool drop_last_items(const ordered_json& envelope, ordered_json& list, std::size_t budget) {
    const std::size_t received = list.size();
    // An item costs slightly fewer tokens inside the list than alone, so removing it saves less
    // than was subtracted; count again until it fits.
    for (std::size_t total = tokens_of(envelope); total > budget && list.size() > 1;
         total = tokens_of(envelope)) {
        while (total > budget && list.size() > 1) {
            total -= std::min(total, tokens_of(list.back()));
            list.erase(list.size() - 1);
        }
    }
    return list.size() < received;
}

/// The position for the next call; empty if there is nothing more.
std::string next_cursor(const ordered_json& data, const ResultPart& part, std::size_t received,
                        std::size_t kept) {
    if (part.skip + kept < received) {
        const std::size_t first = part.page == 0 ? 0 : (part.page - 1) * part.size;
        return cursor_text(first + part.skip + kept, part.before);
    }
    const auto more = data.find("more");
    const bool has_more =
        more != data.end() && more->is_boolean() ? more->get<bool>() : received >= part.size;
    if (!has_more) return {};
    if (part.page > 0) return cursor_text(part.page * part.size, 0);
    return cursor_text(0, data.value("next_before", std::size_t{0}));
}

struct Cut {
    bool shortened = false;
    bool dropped = false;
};

Cut cut_to(ordered_json& envelope, ordered_json* list, bool full, std::size_t budget) {
    Cut cut;
    if (tokens_of(envelope) <= budget) return cut;
    if (list != nullptr) {
        if (!full) cut.shortened = shorten_all(*list, {kConciseTextMax, SIZE_MAX});
        cut.dropped = drop_last_items(envelope, *list, budget);
    }
    for (const Limits& limits : kLastLimits) {
        if (tokens_of(envelope) <= budget) break;
        cut.shortened = shorten_all(envelope, limits) || cut.shortened;
    }
    return cut;
}

/// Writes the cursor for the next items into `data`, in place of the catalogue's own.
std::string next_page_note(ordered_json& data, const catalogue::Operation& operation,
                           const ResultPart& part, std::size_t received, std::size_t kept) {
    const std::string next = next_cursor(data, part, received, kept);
    for (const char* own : {"page", "limit", "next_before"})
        data.erase(own);
    if (data.contains("more")) data["more"] = !next.empty();
    if (next.empty()) return {};
    data["next_cursor"] = next;
    return "There is more: call " + std::string(operation.tool) + " again with cursor \"" + next +
           "\".";
}

/// Changes have their own cursors, and agents are listed after an id: the next call continues after
/// the last kept item. Empty if nothing leads to the rest.
std::string way_to_rest(ordered_json& data, const ordered_json& list,
                        const catalogue::Operation& operation) {
    if (list.empty() || !list.back().is_object()) return {};
    const ordered_json& last = list.back();
    if (last.contains("cursor")) {
        data["cursor"] = last["cursor"];
        data["more"] = true;
        return "go on from data.cursor";
    }
    const json& schema = catalogue::input_schema(operation);
    if (!schema["properties"].contains("after") || !last.contains("agent_id")) return {};
    data["more"] = true;
    return "call " + std::string(operation.tool) + " again with after \"" +
           last["agent_id"].get<std::string>() + "\"";
}

}  // namespace

ordered_json shown_input_schema(const catalogue::Operation& operation) {
    ordered_json schema = catalogue::ordered_input_schema(operation);
    ordered_json& properties = schema["properties"];
    const ListRow row = list_row(json(properties));
    add_part_properties(properties, row, has_detail(operation));
    if (!row.size.empty()) {
        for (const char* own : {"page", "page_size", "before"})
            properties.erase(own);
    }
    return schema;
}

Result<ResultPart> take_result_part(const catalogue::Operation& operation, json& arguments) {
    json schema = catalogue::input_schema(operation);
    json& properties = schema["properties"];
    const ListRow row = list_row(properties);
    add_part_properties(properties, row, has_detail(operation));
    catalogue::normalize_codes(operation, arguments);
    A2H_TRY(catalogue::validate(schema, arguments));
    ResultPart part;
    if (has_detail(operation)) {
        part.full = arguments.value("detail", "concise") == "full";
        arguments.erase("detail");
        part.picks = operation.action == kStatus && !part.full;
    }
    if (!row.size.empty()) A2H_TRY(turn_position(row, properties, arguments, part));
    return part;
}

std::string fit_result_part(ordered_json& envelope, const catalogue::Operation& operation,
                            const ResultPart& part) {
    const std::size_t budget = part.full ? kFullTokensMax : kConciseTokensMax;
    const bool is_page = part.size > 0;
    if (part.picks) keep_of_status(envelope);
    ordered_json* list = list_of(envelope, is_page);
    const std::size_t received = list == nullptr ? 0 : list->size();
    if (list != nullptr) {
        const auto skipped = static_cast<std::ptrdiff_t>(std::min(part.skip, received));
        list->erase(list->begin(), list->begin() + skipped);
        if (!part.full) {
            for (ordered_json& item : *list)
                drop_empty_members(item);
        }
    }
    const Cut cut = cut_to(envelope, list, part.full, budget);
    std::string note;
    if (list != nullptr && is_page) {
        note = next_page_note(envelope["data"], operation, part, received, list->size());
    } else if (cut.dropped) {
        const std::string way = way_to_rest(envelope["data"], *list, operation);
        note = std::to_string(received - list->size()) +
               " items at the end were left out: ask for less" +
               (way.empty() ? "" : ", or " + way) + ".";
    }
    if (cut.shortened) {
        note += note.empty() ? "" : " ";
        note +=
            part.full || !has_detail(operation)
                ? "What ends in \"… (+N …)\" is too long to be handed on whole. A person reads all "
                  "of a question on the page or with \"a2h approvals\"."
                : "What ends in \"… (+N …)\" was shortened: detail \"full\" gives more of it; a "
                  "person reads all of a question on its page or with \"a2h approvals\".";
    }
    return note;
}

}  // namespace a2h::mcp
