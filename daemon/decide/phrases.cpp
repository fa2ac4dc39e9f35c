#include <algorithm>

#include "daemon/decide/playbook.h"

namespace a2h::decide {

void Phrases::add(unsigned set, std::string_view text, unsigned languages) {
    const WordMatch known = words_.longest_at(text, 0);
    std::size_t place = known.end == text.size() ? known.lists : 0;
    if (place == 0) {
        uses_.emplace_back();
        place = uses_.size();
        words_.add(text, place);
    }
    uses_[place - 1].push_back({set, languages});
}

std::vector<unsigned> Phrases::found_in(std::string_view text, i18n::Language language) const {
    std::vector<unsigned> sets;
    if (uses_.empty()) return sets;
    const unsigned wanted = 1U << static_cast<unsigned>(language);
    for (std::size_t i = 0; i < text.size(); i += code_point_length(text, i)) {
        for (const ListSet place : words_.all_at(text, i)) {
            for (const Use& use : uses_[place - 1]) {
                if ((use.languages & wanted) != 0) sets.push_back(use.set);
            }
        }
    }
    std::sort(sets.begin(), sets.end());
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    return sets;
}

}  // namespace a2h::decide
