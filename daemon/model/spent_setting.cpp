#include "daemon/model/spent_setting.h"

#include <string_view>
#include <utility>

#include "core/store/setting_store.h"

namespace a2h::model {
namespace {

constexpr std::string_view kSetting = "model.spent";

}  // namespace

Result<std::string> load_spent(store::Database& db) {
    A2H_ASSIGN_OR_RETURN(const auto spent, store::get_setting(db, {}, kSetting));
    return spent.value_or("");
}

std::function<void(std::string)> save_spent(store::Writer& writer) {
    return [&writer](std::string spent) {
        writer.submit(
            store::Writer::Priority::Background,
            [spent = std::move(spent)](store::Database& db) {
                return store::put_setting(db, {}, kSetting, spent);
            },
            [](const Result<void>&) {});  // the status shows failures of the writer
    };
}

}  // namespace a2h::model
