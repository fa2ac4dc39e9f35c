#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/outbox.h"
#include "core/platform/client.h"

namespace a2h::pipeline {

/// Actions whose approval holds a request that the executor carries out.
constexpr std::string_view kSendAction = "message.send";
constexpr std::string_view kPublishAction = "works.publish";

/// The request of a `message.send` approval as an outbox row with effect key `approval:<id>`.
/// Errors: Corrupt when the stored action lacks a member.
Result<OutboxMessage> message_of_request(const Approval& approval, UnixMs now_ms);

/// The request of a `works.publish` approval. Errors: as above.
Result<platform::ListingDraft> listing_of_request(const Approval& approval);

}  // namespace a2h::pipeline
