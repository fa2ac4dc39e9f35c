#include "daemon/decide/free_forms.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "core/base/check.h"
#include "core/base/text.h"
#include "daemon/decide/playbook.h"
#include "daemon/reading/lexicon.h"
#include "embedded/playbooks.h"

namespace a2h::decide {
namespace {

/// A gap may contain gaps; deeper nesting is an error of the file.
constexpr int kGapsInGapsMax = 6;

using Places = std::set<std::size_t>;

/// Fixed words, or a gap for one of a list.
struct FormPiece {
    std::string words;
    std::string gap;  ///< name of the list; empty for fixed words
    bool is_optional = false;
};
using Form = std::vector<FormPiece>;

/// The words of one list, and what of it has gaps itself.
struct FormList {
    std::set<std::string, std::less<>> words;
    std::size_t bytes_max = 0;
    std::vector<Form> forms;
};

std::string comparable_words(std::string_view words) {
    return built_in_vocabulary().lexicon.comparable(words);
}

/// "is {the_thing} {very?} old": pieces; a gap with a question mark may stay empty.
Form read_form(std::string_view text) {
    Form form;
    while (!text.empty()) {
        const std::size_t open = std::min(text.find('{'), text.size());
        const std::string words = comparable_words(trim(text.substr(0, open)));
        if (!words.empty()) form.push_back({words, {}, false});
        text.remove_prefix(open);
        if (text.empty()) break;
        const std::size_t close = text.find('}');
        A2H_CHECK(close != std::string_view::npos);
        std::string_view name = text.substr(1, close - 1);
        const bool is_optional = name.ends_with('?');
        if (is_optional) name.remove_suffix(1);
        form.push_back({{}, std::string(name), is_optional});
        text.remove_prefix(close + 1);
    }
    return form;
}

/// The lists of one language by their names.
class FormLanguage {
  public:
    void add(const std::string& list, std::string_view text) {
        FormList& words = lists_[list];
        if (text.find('{') != std::string_view::npos) {
            words.forms.push_back(read_form(text));
            return;
        }
        const std::string word = comparable_words(text);
        words.bytes_max = std::max(words.bytes_max, word.size());
        words.words.insert(word);
    }
    /// An error in the file is our bug; a test reads it.
    void check() const {
        for (const auto& [name, list] : lists_)
            for (const Form& form : list.forms)
                for (const FormPiece& piece : form)
                    A2H_CHECK(piece.gap.empty() || lists_.contains(piece.gap));
    }
    bool is_form(std::string_view clause, FreeForm form) const {
        Places begins = {0};
        if (form == FreeForm::Question) begins.merge(ends("opening", clause, 0, 0));
        return std::any_of(begins.begin(), begins.end(), [&](std::size_t begin) {
            const auto found = ends(form == FreeForm::Question ? "question" : "courtesy", clause,
                                    without_spaces(clause, begin), 0);
            return std::any_of(found.begin(), found.end(), [&](std::size_t end) {
                return without_spaces(clause, end) == clause.size();
            });
        });
    }

  private:
    static std::size_t without_spaces(std::string_view text, std::size_t at) {
        return std::min(text.find_first_not_of(" \n", at), text.size());
    }

    /// Where words of `name` end that begin at `begin`.
    Places ends(std::string_view name, std::string_view text, std::size_t begin, int depth) const {
        A2H_CHECK(depth <= kGapsInGapsMax);
        Places found;
        const auto list = lists_.find(name);
        if (list == lists_.end()) return found;
        const std::size_t last = std::min(begin + list->second.bytes_max, text.size());
        for (std::size_t end = begin + 1; end <= last; ++end) {
            const std::string_view word = text.substr(begin, end - begin);
            if (reading::is_word_boundary(text, end) && list->second.words.contains(word))
                found.insert(end);
        }
        for (const Form& form : list->second.forms)
            found.merge(ends_of_form(form, text, begin, depth));
        return found;
    }

    Places ends_of_form(const Form& form, std::string_view text, std::size_t begin,
                        int depth) const {
        Places at = {begin};
        for (const FormPiece& piece : form) {
            Places next;
            for (const std::size_t place : at) {
                const std::size_t first = without_spaces(text, place);
                if (!reading::is_word_boundary(text, first)) continue;
                if (piece.is_optional) next.insert(place);
                if (!piece.gap.empty()) {
                    next.merge(ends(piece.gap, text, first, depth + 1));
                } else if (const std::size_t end = end_of_fixed(piece.words, text, first);
                           end > first) {
                    next.insert(end);
                }
            }
            at = std::move(next);
            if (at.empty()) break;
        }
        return at;
    }

    /// The end of fixed words; `begin` if they are not there.
    static std::size_t end_of_fixed(std::string_view words, std::string_view text,
                                    std::size_t begin) {
        if (!text.substr(begin).starts_with(words)) return begin;
        const std::size_t end = begin + words.size();
        return reading::is_word_boundary(text, end) ? end : begin;
    }

    std::map<std::string, FormList, std::less<>> lists_;
};

toml::table read_embedded(std::string_view name) {
    const auto file = embedded::playbooks(name);
    A2H_CHECK(file.has_value());
    return toml::parse(*file);
}

void add_words(const toml::node& words, const std::string& list, FormLanguage& language) {
    A2H_CHECK(words.is_array());
    for (const auto& word : *words.as_array()) {
        const auto text = word.value_exact<std::string>();
        A2H_CHECK(text.has_value());
        language.add(list, *text);
    }
}

/// Every language may also use the subjects of free_words.toml as "subject".
std::vector<FormLanguage> read_form_languages() {
    const toml::table subjects = read_embedded("free_words.toml");
    std::vector<FormLanguage> languages;
    const toml::table forms = read_embedded("free_forms.toml");
    for (const auto& [name, lists] : forms) {
        A2H_CHECK(lists.is_table());
        FormLanguage& language = languages.emplace_back();
        for (const auto& [list, words] : *lists.as_table())
            add_words(words, std::string(list.str()), language);
        if (const auto* own = subjects["subject"][name.str()].node(); own != nullptr)
            add_words(*own, "subject", language);
        language.check();
    }
    return languages;
}

}  // namespace

bool is_free_form(std::string_view clause, FreeForm form) {
    static const std::vector<FormLanguage> languages = read_form_languages();
    return std::any_of(languages.begin(), languages.end(), [&](const FormLanguage& language) {
        return language.is_form(clause, form);
    });
}

}  // namespace a2h::decide
