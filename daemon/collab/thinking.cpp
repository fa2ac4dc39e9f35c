#include "daemon/collab/thinking.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/fence.h"
#include "core/base/log.h"
#include "core/base/text.h"
#include "core/store/profile_store.h"
#include "core/wire/demand_json.h"
#include "core/wire/json_member.h"
#include "daemon/collab/filter_answer.h"
#include "daemon/collab/plan_answers.h"
#include "daemon/collab/plan_rules.h"
#include "embedded/playbooks.h"

namespace a2h::collab {
namespace {

using nlohmann::json;

constexpr std::size_t kShownSummaryMax = 300;  ///< of a profile, in code points, like the next one
constexpr std::size_t kShownCapabilitiesMax = 500;
constexpr std::size_t kShownWordsMax = 20;  ///< tags and interests
/// The specification's estimate for one more negotiation.
constexpr int kTokensOfNegotiation = 5'000;

struct Book {
    std::string words;   ///< the prompt without the section of the schema
    std::string schema;  ///< JSON
};

Book open_book(std::string_view name, i18n::Language language) {
    const bool is_chinese = language == i18n::Language::Chinese;
    const auto text =
        embedded::playbooks(std::string(name) + (is_chinese ? ".zh_CN.md" : ".en.md"));
    A2H_CHECK(text);
    constexpr std::string_view kBegin = "```json\n";
    constexpr std::string_view kEnd = "\n```\n";
    const std::size_t begin = text->find(kBegin);
    const std::size_t end = text->find(kEnd, begin);
    A2H_CHECK(begin != text->npos && end != text->npos);
    const std::size_t section = text->rfind("\n## ", begin);
    const std::size_t from = begin + kBegin.size();
    return {
        std::string(text->substr(0, section + 1)) + std::string(text->substr(end + kEnd.size())),
        json::parse(text->substr(from, end - from)).dump()};
}

std::vector<std::string> first_of(std::vector<std::string> texts) {
    texts.resize(std::min(texts.size(), kShownWordsMax));
    return texts;
}

json profile_json(const Profile& profile) {
    return {{"agent_id", profile.agent_id},
            {"user_name", profile.user_name},
            {"profile_summary", truncate(profile.profile_summary, kShownSummaryMax)},
            {"location", profile.location},
            {"tags", first_of(profile.tags)},
            {"capabilities", truncate(profile.capabilities_json, kShownCapabilitiesMax)},
            {"interests", first_of(profile.interests)},
            {"availability", profile.availability}};
}

json offers_json(const Run& run) {
    json offers = json::array();
    for (const Party& party : run.parties) {
        if (party.state != PartyState::Participating || !party.offer) continue;
        json offer = wire::to_json(*party.offer);
        offer["offer_id"] = "offer_" + party.agent_id;
        offer["agent_id"] = party.agent_id;
        offer["display_name"] = party.display_name;
        offers.push_back(std::move(offer));
    }
    return offers;
}

json feedbacks_json(const Run& run) {
    json feedbacks = json::array();
    for (const Feedback& each : run.feedback)
        feedbacks.push_back(wire::to_json(each));
    return feedbacks;
}

i18n::Language language_of(const Run& run) {
    return language_of_text(run.negotiation.raw_input);
}

}  // namespace

Result<std::vector<Profile>> profiles_to_show(store::Database& reader, const Run& run) {
    const auto is_shown = [&](const Profile& profile) {
        return profile.is_active && profile.agent_id != run.negotiation.agent_id;
    };
    A2H_ASSIGN_OR_RETURN(auto all,
                         store::list_profiles(reader, {.limit = static_cast<int>(kShownMax) + 1}));
    if (all.size() <= kShownMax) {
        std::erase_if(all, [&](const Profile& each) { return !is_shown(each); });
        return all;
    }
    A2H_ASSIGN_OR_RETURN(const auto best,
                         filter_by_rules(reader, run.demand, run.negotiation.agent_id, kShownMax));
    std::vector<Profile> shown;
    for (const auto* list : {&best.definitely_related, &best.possibly_related}) {
        for (const Candidate& each : *list) {
            A2H_ASSIGN_OR_RETURN(auto profile, store::get_profile(reader, each.agent_id));
            if (profile && is_shown(*profile)) shown.push_back(std::move(*profile));
        }
    }
    return shown;
}

void Thinking::ask(std::string_view book, const json& input, i18n::Language language,
                   Answered done) {
    Book opened = open_book(book, language);
    model::Prompt prompt;
    prompt.system = std::move(opened.words);
    prompt.task = "The input of this step:";
    // The words of others cannot end the quotation or the JSON string that contains them.
    prompt.context_data =
        fence(input.dump(-1, ' ', false, json::error_handler_t::replace), "input", "data");
    prompt.instruction = "Answer as the schema asks.";
    prompt.language = language;
    prompt.schema_json = std::move(opened.schema);
    drafter_.draft(std::move(prompt), [book = std::string(book),
                                       done = std::move(done)](const Result<model::Draft>& draft) {
        json answer = draft ? json::parse(draft->text, nullptr, false) : json();
        if (answer.is_object()) return done(std::move(answer));
        log::info("The model gave no usable result; rules decide this step of the negotiation",
                  {{"step", book}, {"error", draft ? "no object" : draft.error().message}});
        done(std::nullopt);
    });
}

void Thinking::understand(const std::string& raw_input, const std::string& user_id, Answered done) {
    ask("01-demand-understanding",
        {{"raw_input", raw_input}, {"user_id", user_id}, {"user_context", json::object()}},
        language_of_text(raw_input), std::move(done));
}

void Thinking::filter(const Run& run, std::vector<Profile> shown, Filtered by_rules,
                      std::function<void(Filtered)> done) {
    if (shown.empty()) return done(std::move(by_rules));
    const json input{{"demand", wire::to_json(run.demand)},
                     {"all_agent_profiles", wire::array_of(shown, profile_json)}};
    ask("02-smart-filter", input, language_of(run),
        [run, shown = std::move(shown), by_rules = std::move(by_rules),
         done = std::move(done)](const std::optional<json>& answer) {
            done(answer ? chosen_of(*answer, run, shown, by_rules) : by_rules);
        });
}

void Thinking::propose(const Run& run, UnixMs now_ms,
                       std::function<void(std::optional<Proposal>)> done) {
    const bool is_first = run.negotiation.round == 0;
    json input{{"demand", wire::to_json(run.demand)}};
    if (is_first) {
        input["offers"] = offers_json(run);
    } else {
        input["current_proposal"] = wire::to_json(run.proposal);
        input["feedbacks"] = feedbacks_json(run);
        input["round"] = run.negotiation.round + 1;
    }
    ask(is_first ? "04-proposal-aggregation" : "06-proposal-adjustment", input, language_of(run),
        [run, is_first, now_ms, done = std::move(done)](const std::optional<json>& answer) {
            if (!answer) return done(std::nullopt);
            const Proposal by_rules = next_proposal(run, now_ms);
            done(is_first ? aggregated(*answer, run, by_rules) : adjusted(*answer, run, by_rules));
        });
}

/// The pending decision about the end of one negotiation.
struct Thinking::Ending {
    Run run;
    Conclusion made;
    std::function<void(Conclusion)> done;
};

void Thinking::conclude(const Run& run, std::function<void(Conclusion)> done) {
    auto ending = std::make_shared<Ending>();
    ending->run = run;
    ending->made.gaps = gaps_of(run);
    ending->done = std::move(done);
    if (run.negotiation.round == 0) return find_compromise(ending);  // there is no plan to examine
    const json input{{"demand", wire::to_json(run.demand)},
                     {"final_proposal", wire::to_json(final_plan(run.proposal, run.feedback))},
                     {"agent_feedbacks", feedbacks_json(run)}};
    ask("07-gap-identification", input, language_of(run),
        [this, ending](const std::optional<json>& answer) {
            if (answer) {
                ending->made.gaps = gaps_with(*answer, ending->run, std::move(ending->made.gaps));
            }
            decide_recursion(ending);
        });
}

void Thinking::decide_recursion(const std::shared_ptr<Ending>& ending) {
    const Run& run = ending->run;
    if (!may_recurse(run, ending->made.gaps)) return find_compromise(ending);
    const int seconds =
        run.negotiation.response_seconds + kNegotiationRoundsMax * run.negotiation.feedback_seconds;
    const json input{
        {"demand", wire::to_json(run.demand)},
        {"gaps", wire::to_json(ending->made.gaps)},
        {"current_proposal", wire::to_json(final_plan(run.proposal, run.feedback))},
        {"estimated_cost", {{"tokens", kTokensOfNegotiation}, {"time_seconds", seconds}}}};
    ask("08-recursion-decision", input, language_of(run),
        [this, ending](const std::optional<json>& answer) {
            if (answer) {
                ending->made.sub_demands = sub_demands_of(*answer, ending->run, ending->made.gaps);
            }
            find_compromise(ending);
        });
}

void Thinking::find_compromise(const std::shared_ptr<Ending>& ending) {
    const Run& run = ending->run;
    if (run.negotiation.outcome == NegotiationOutcome::Agreed) return ending->done(ending->made);
    const json input{{"demand", wire::to_json(run.demand)},
                     {"available_resources",
                      wire::to_json(final_plan(run.proposal, run.feedback)).at("assignments")},
                     {"gaps", wire::to_json(ending->made.gaps)},
                     {"feedbacks", feedbacks_json(run)}};
    ask("09-compromise", input, language_of(run), [ending](const std::optional<json>& answer) {
        if (answer) {
            ending->made.compromise_json = compromise_with(*answer, ending->run, ending->made.gaps);
        }
        ending->done(ending->made);
    });
}

void Thinking::advise(const Invitation& invitation, Profile own, std::function<void(Advice)> done) {
    const wire::Understanding demand = wire::parse_understanding(invitation.demand_json);
    const i18n::Language language = language_of_text(demand.surface_demand);
    if (invitation.state == InvitationState::New) {
        const json input{{"agent_profile", profile_json(own)},
                         {"demand", wire::to_json(demand)},
                         {"filter_reason", invitation.filter_reason}};
        return ask("03-response-generation", input, language,
                   [own = std::move(own), done = std::move(done)](const std::optional<json>& said) {
                       Advice advice;
                       if (said) advice.offer = offer_advice(*said, own);
                       done(std::move(advice));
                   });
    }
    const json proposal = wire::to_json(wire::parse_proposal(invitation.proposal_json));
    json assignment = json::object();
    for (const json& each : wire::member(proposal, "assignments")) {
        if (wire::text_member(each, "agent_id") == invitation.agent_id) assignment = each;
    }
    const json input{{"agent_profile", profile_json(own)},
                     {"proposal", proposal},
                     {"my_assignment", std::move(assignment)}};
    ask("05-proposal-feedback", input, language,
        [invitation, own = std::move(own),
         done = std::move(done)](const std::optional<json>& said) {
            Advice advice;
            if (said) advice.feedback = feedback_advice(*said, own, invitation);
            done(std::move(advice));
        });
}

}  // namespace a2h::collab
