#include "daemon/model/ledger.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/local_time.h"
#include "core/wire/json_text.h"

namespace a2h::model {
namespace {

using nlohmann::json;

constexpr std::int64_t kMillion = 1'000'000;
/// A larger usage for one call or day is not plausible. The limit keeps all sums within 64 bits.
constexpr std::int64_t kTokensMax = 1'000'000'000;

std::int64_t sane(std::int64_t tokens) {
    return std::clamp<std::int64_t>(tokens, 0, kTokensMax);
}

std::int64_t number_of(const json& stored, const char* name) {
    const auto member = stored.find(name);
    return member != stored.end() && member->is_number_integer() ? member->get<std::int64_t>() : 0;
}

}  // namespace

Ledger::Ledger(const Settings& settings, std::string_view stored)
    : input_price_(settings.input_price_minor),
      output_price_(settings.output_price_minor),
      budget_(settings.budget_minor_per_day * kMillion),
      tokens_max_(settings.tokens_per_day) {
    const auto parsed = wire::parse_json(stored);
    if (!parsed || !parsed->is_object()) return;
    day_ms_ = number_of(*parsed, "day_ms");
    tokens_ = {sane(number_of(*parsed, "input_tokens")), sane(number_of(*parsed, "output_tokens"))};
}

std::int64_t Ledger::cost_of(Tokens tokens) const {
    return tokens.input * input_price_ + tokens.output * output_price_;
}

bool Ledger::is_today(UnixMs now_ms) const {
    return start_of_local_day(now_ms) <= day_ms_;
}

void Ledger::begin_day(UnixMs now_ms) {
    if (is_today(now_ms)) return;
    day_ms_ = start_of_local_day(now_ms);
    tokens_ = {};
}

Result<Ledger::Entry> Ledger::enter(Tokens at_most, UnixMs now_ms) {
    begin_day(now_ms);
    const Tokens after{sane(tokens_.input + sane(at_most.input)),
                       sane(tokens_.output + sane(at_most.output))};
    if (budget_ > 0 && cost_of(after) > budget_) {
        return fail(ErrorCode::ResourceExhausted, "today's budget for the model is spent");
    }
    if (after.input + after.output > tokens_max_) {
        return fail(ErrorCode::ResourceExhausted, "today's tokens for the model are used up");
    }
    const Entry entry{day_ms_, {after.input - tokens_.input, after.output - tokens_.output}};
    tokens_ = after;
    return entry;
}

void Ledger::settle(const Entry& entry, Tokens used, UnixMs now_ms) {
    begin_day(now_ms);
    if (entry.day_ms == day_ms_) {
        tokens_.input -= entry.tokens.input;
        tokens_.output -= entry.tokens.output;
    }
    tokens_ = {sane(tokens_.input + sane(used.input)), sane(tokens_.output + sane(used.output))};
}

Tokens Ledger::tokens_today(UnixMs now_ms) const {
    return is_today(now_ms) ? tokens_ : Tokens();
}

std::int64_t Ledger::spent_minor_today(UnixMs now_ms) const {
    return (cost_of(tokens_today(now_ms)) + kMillion - 1) / kMillion;
}

std::string Ledger::to_json() const {
    json stored = json::object();
    stored["day_ms"] = day_ms_;
    stored["input_tokens"] = tokens_.input;
    stored["output_tokens"] = tokens_.output;
    return stored.dump();
}

}  // namespace a2h::model
