#include "daemon/collab/understanding_answer.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "daemon/collab/model_words.h"
#include "daemon/reading/reading.h"

namespace a2h::collab {
namespace {

using nlohmann::json;

bool names_number(std::string_view text, int number) {
    const auto reading = reading::read_text(text, reading::built_in_vocabulary());
    return std::any_of(reading.numbers.begin(), reading.numbers.end(),
                       [&](const reading::NumberMention& mention) {
                           return mention.kind != reading::NumberKind::Money &&
                                  mention.digits == std::to_string(number);
                       });
}

}  // namespace

wire::Understanding understood(const json& answer, const wire::Understanding& by_rules,
                               std::string_view raw_input) {
    wire::Understanding made = wire::read_understanding(answer);
    Amounts known;
    known.add(raw_input);
    made.surface_demand = words_or(made.surface_demand, known, by_rules.surface_demand);
    made.motivation = words_or(made.motivation, known, "");
    made.emotional_context = words_or(made.emotional_context, known, "");
    for (auto* list : {&made.likely_preferences, &made.uncertainties})
        keep_known(*list, known);
    made.capability_tags = distinct_tags(made.capability_tags);
    if (made.capability_tags.empty()) made.capability_tags = by_rules.capability_tags;
    if (!stands_in(raw_input, made.location)) made.location = by_rules.location;
    if (!stands_in(raw_input, made.date)) made.date = by_rules.date;
    if (!stands_in(raw_input, made.budget)) made.budget = by_rules.budget;
    if (!made.expected_attendees || !names_number(raw_input, *made.expected_attendees)) {
        made.expected_attendees = by_rules.expected_attendees;
    }
    return made;
}

}  // namespace a2h::collab
