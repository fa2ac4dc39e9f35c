#include "market/sweep.h"

#include "core/base/log.h"
#include "market/store/file_store.h"
#include "market/store/login_store.h"
#include "market/store/message_store.h"

namespace a2h::market {
namespace {

constexpr int kBatch = 100;
/// A transaction with this many messages takes a few milliseconds, and others run in between.
constexpr std::int64_t kMessageBatch = 500;
/// 100 000 messages in each sweep; the rest is not shown and is removed by the next ones.
constexpr int kMessageBatchesMax = 200;

Result<void> forget_files(ApiParts& parts, const std::vector<std::string>& file_ids) {
    return parts.database.write([&](db::Transaction& transaction) -> Result<void> {
        for (const std::string& file_id : file_ids)
            A2H_TRY(store::delete_file(transaction, file_id));
        return {};
    });
}

Result<void> delete_old_messages(ApiParts& parts, UnixMs now_ms) {
    const UnixMs since_ms = kept_since(now_ms, parts.history_kept);
    for (int i = 0; since_ms > 0 && i < kMessageBatchesMax; ++i) {
        A2H_ASSIGN_OR_RETURN(
            const auto deleted,
            parts.database.write_with(store::delete_messages, since_ms, kMessageBatch));
        if (deleted < kMessageBatch) return {};
    }
    return {};
}

Result<void> delete_expired_files(ApiParts& parts, UnixMs now_ms) {
    for (;;) {
        A2H_ASSIGN_OR_RETURN(const auto expired,
                             parts.database.read_with(store::expired_files, now_ms, kBatch));
        if (expired.empty()) return {};
        // The file is removed first: a row without a file is found again, but a file without a row
        // is not.
        for (const std::string& file_id : expired)
            A2H_TRY(parts.files.remove(file_id));
        A2H_TRY(forget_files(parts, expired));
    }
}

}  // namespace

Result<void> sweep(ApiParts& parts) {
    const UnixMs now_ms = parts.clock.now_ms();
    A2H_TRY(parts.database.write_with(store::delete_expired_logins, now_ms));
    A2H_TRY(delete_expired_files(parts, now_ms));
    return delete_old_messages(parts, now_ms);
}

Result<void> remove_unknown_files(ApiParts& parts) {
    const auto removed =
        parts.files.remove_unknown([&parts](const std::string& file_id) -> Result<bool> {
            A2H_ASSIGN_OR_RETURN(const auto file,
                                 parts.database.read_with(store::find_file, file_id));
            return file.has_value();
        });
    if (!removed) return fail(removed.error());
    if (*removed > 0) {
        log::info("Files that nothing refers to were removed",
                  {{"count", static_cast<long long>(*removed)}});
    }
    return {};
}

Sweeper::Sweeper(ApiParts& parts)
    : thread_([this, &parts](const std::stop_token& stop) {
          std::unique_lock lock(mutex_);
          while (!stop.stop_requested()) {
              lock.unlock();
              const auto swept = sweep(parts);
              if (!swept)
                  log::error("Unused files could not be removed",
                             {{"reason", swept.error().message}});
              lock.lock();
              wake_.wait_for(lock, stop, kInterval, [] { return false; });
          }
      }) {}

}  // namespace a2h::market
