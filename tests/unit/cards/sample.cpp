#include "tests/unit/cards/sample.h"

#include <iterator>
#include <utility>

namespace a2h::test {

std::string long_text(const Words& words) {
    return words(
        "Portrait session in Shanghai, outdoors or in the studio.\n\n"
        "Two hours and 30 edited pictures, delivered as files within 7 days. A second photographer "
        "costs 80.00 CNY more.\n"
        "Cancelling is free of charge until 24 hours before the session; after that half of the "
        "price is due.",
        "上海人像拍摄，外景或影棚均可。\n\n"
        "拍摄两小时，精修三十张，七天内交付电子文件。如需第二位摄影师，另加 80.00 "
        "元，须提前三天预约。\n"
        "拍摄前二十四小时以上取消不收费用，此后取消须支付一半价款，改期只限一次，以双方书面确认为准"
        "。");
}

Sample sample_of(std::string name, const consent::Ask& ask, i18n::Language language) {
    consent::Policy policy;
    policy.language = language;
    auto approval = consent::new_approval(ask, policy, kAskedAt);
    approval.id = "apr_0123456789abcdef";
    return {std::move(name), std::move(approval)};
}

std::vector<Sample> all_samples(i18n::Language language) {
    std::vector<Sample> all = market_samples(language);
    for (auto more : {mail_samples(language), demand_samples(language)})
        all.insert(all.end(), std::make_move_iterator(more.begin()),
                   std::make_move_iterator(more.end()));
    return all;
}

}  // namespace a2h::test
