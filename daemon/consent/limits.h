#pragma once

#include <chrono>
#include <cstddef>

namespace a2h::consent {

/// This many wrong codes for one question void its code.
constexpr int kCodeFailuresMax = 3;
/// This many wrong codes, whatever questions they were for, lock all codes (code_lock.h).
constexpr int kWrongCodesMax = 10;
/// This many wrong PINs of a person lock that PIN for `kPinLock` (pin_lock.h).
constexpr int kPinFailuresMax = 5;
constexpr std::chrono::minutes kPinLock{15};
/// The most open questions of all assistants together, so that a person can keep an overview.
constexpr int kOpenOfAssistantMax = 20;
/// An offer that a mandate makes is valid for at most this long, and not longer than the mandate.
constexpr std::chrono::hours kMandatedOfferMax{72};
/// The maximum length of the words of an answer and of an edited reply, in code points.
constexpr std::size_t kAnswerTextMax = 4000;

}  // namespace a2h::consent
