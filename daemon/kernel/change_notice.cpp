#include "daemon/kernel/change_notice.h"

#include <chrono>
#include <utility>

#include "core/base/log.h"

namespace a2h {
namespace {

std::unique_ptr<control::ChangePage> make_page(const std::filesystem::path& file) {
    auto page = control::ChangePage::create(file);
    if (page) return std::move(*page);
    log::warning("The file that tells programs of changes could not be created",
                 {{"error", page.error().message}});
    return nullptr;
}

}  // namespace

ChangeNotice::ChangeNotice(const std::filesystem::path& file) : page_(make_page(file)) {}

void ChangeNotice::note() const {
    if (page_) page_->note_change();
}

void ChangeNotice::start_beating(Loop& loop) const {
    if (!page_) return;
    page_->beat();
    loop.call_after(std::chrono::milliseconds(control::ChangePage::kBeatMs),
                    [this, &loop] { start_beating(loop); });
}

}  // namespace a2h
