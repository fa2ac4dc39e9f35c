#include "daemon/kernel/metrics.h"

#include <algorithm>

namespace a2h::kernel {

void Histogram::add(std::chrono::microseconds took) {
    const auto bucket = std::lower_bound(kBounds.begin(), kBounds.end(), took) - kBounds.begin();
    buckets_[static_cast<std::size_t>(bucket)].add();
    sum_us_.add(static_cast<std::uint64_t>(std::max<std::int64_t>(took.count(), 0)));
}

Histogram::Reading Histogram::read() const {
    Reading reading;
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
        all += buckets_[i].value();
        reading.up_to[i] = all;
    }
    reading.sum = std::chrono::microseconds(sum_us_.value());
    return reading;
}

void LabelledCounter::add(std::string_view first, std::string_view second) {
    values_.with([&](auto& values) {
        Labels labels{first, second};
        if (values.size() >= kSeriesMax && !values.contains(labels))
            labels = Labels{kOther, kOther};
        ++values[labels];
    });
}

std::map<LabelledCounter::Labels, std::uint64_t> LabelledCounter::values() const {
    return values_.with([](const auto& values) { return values; });
}

void Metrics::count_opened(const Approval& approval) {
    (approval.surface == AnswerSurface::Mandate ? mandated : asked).add();
}

}  // namespace a2h::kernel
