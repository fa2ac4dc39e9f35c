#include "daemon/consent/open_rows.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "daemon/card/card.h"

namespace a2h::consent {
namespace {

std::vector<OpenRow>& open_rows() {
    static std::vector<OpenRow> rows;
    return rows;
}

}  // namespace

void register_open_row(const OpenRow& row) {
    std::vector<OpenRow>& rows = open_rows();
    const bool is_known = std::any_of(rows.begin(), rows.end(), [&](const OpenRow& known) {
        return known.open_since == row.open_since;
    });
    if (!is_known) rows.push_back(row);
}

Result<bool> has_open_mail_or_row(store::Database& db, const store::Between& between) {
    std::optional<UnixMs> open_since;
    for (const OpenRow& row : open_rows()) {
        A2H_ASSIGN_OR_RETURN(const auto since, row.open_since(db, between));
        open_since = std::max(open_since, since);
    }
    return store::has_open_message(db, between, open_since);
}

Result<std::vector<store::Said>> all_said_after(store::Database& db, std::string_view agent_id,
                                                std::string_view peer_id,
                                                const store::SaidAfter& after, int max) {
    A2H_ASSIGN_OR_RETURN(auto all, store::said_after(db, agent_id, peer_id, after, max));
    for (const OpenRow& row : open_rows()) {
        A2H_ASSIGN_OR_RETURN(auto said, row.said_after(db, agent_id, peer_id, after, max));
        all.insert(all.end(), std::make_move_iterator(said.begin()),
                   std::make_move_iterator(said.end()));
    }
    return all;
}

std::string row_in_words(const store::Said& said, i18n::Language language) {
    for (const OpenRow& row : open_rows()) {
        if (auto words = row.in_words(said, language)) return std::move(*words);
    }
    const auto shown = nlohmann::json::parse(said.payload_json, nullptr, false);
    if (!shown.is_object()) return one_line(printable(said.payload_json));
    return card::message_in_words(said.payload_json, language);
}

}  // namespace a2h::consent
