#include "core/http/transfers.h"

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "core/http/curl_handles.h"

namespace a2h::http {

struct Transfers::Impl {
    std::atomic<bool> ended = false;
    std::mutex mutex;
    std::vector<CURLM*> under_way;
};

/// One transfer, for as long as it can be ended.
class UnderWay {
  public:
    UnderWay(Transfers* transfers, CURLM* multi)
        : all_(transfers == nullptr ? nullptr : transfers->impl_.get()), multi_(multi) {
        if (all_ == nullptr) return;
        const std::lock_guard lock(all_->mutex);
        all_->under_way.push_back(multi_);
    }
    ~UnderWay() {
        if (all_ == nullptr) return;
        const std::lock_guard lock(all_->mutex);
        std::erase(all_->under_way, multi_);
    }
    UnderWay(const UnderWay&) = delete;
    UnderWay& operator=(const UnderWay&) = delete;

    bool is_ended() const { return all_ != nullptr && all_->ended; }

  private:
    Transfers::Impl* all_;
    CURLM* multi_;
};

Transfers::Transfers() : impl_(std::make_unique<Impl>()) {}
Transfers::~Transfers() = default;

void Transfers::end() {
    impl_->ended = true;
    // Waking writes one byte and does not block; under the lock, because otherwise the handle could
    // be gone.
    const std::lock_guard lock(impl_->mutex);
    for (CURLM* multi : impl_->under_way)
        curl_multi_wakeup(multi);
}

bool Transfers::have_ended() const {
    return impl_->ended;
}

Line Line::open() {
    Line line{MultiHandle(curl_multi_init()), EasyHandle(curl_easy_init())};
    return line.multi && line.easy ? std::move(line) : Line{};
}

namespace {

/// Also the longest interval between calls of `keep_going`.
constexpr int kCheckEveryMs = 1000;

CURLcode outcome_of(CURLM* multi) {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi, &left)) {
        if (message->msg == CURLMSG_DONE) return message->data.result;
    }
    return CURLE_FAILED_INIT;
}

struct Watch {
    const UnderWay& under_way;
    const std::function<bool()>& keep_going;
};

/// curl calls this in each step. Only a transfer that ends by this answer ends at once: if a handle
/// is simply removed, curl still waits for a mail server.
int on_progress(void* user, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    const auto& watch = *static_cast<const Watch*>(user);
    if (watch.under_way.is_ended()) return 1;
    return watch.keep_going && !watch.keep_going() ? 1 : 0;
}

CURLcode run_to_end(const Line& line, const UnderWay& under_way) {
    CURLM* multi = line.multi.get();
    for (int running = 1;;) {
        const bool is_last = under_way.is_ended();
#if LIBCURL_VERSION_NUM >= 0x075700
        // Otherwise its end would wait for a name server that does not answer.
        if (is_last) curl_easy_setopt(line.easy.get(), CURLOPT_QUICK_EXIT, 1L);
#endif
        if (curl_multi_perform(multi, &running) != CURLM_OK) return CURLE_OUT_OF_MEMORY;
        if (running == 0) return outcome_of(multi);
        if (is_last) return CURLE_ABORTED_BY_CALLBACK;
        if (curl_multi_poll(multi, nullptr, 0, kCheckEveryMs, nullptr) != CURLM_OK) {
            return CURLE_OUT_OF_MEMORY;
        }
    }
}

}  // namespace

CURLcode perform(const Line& line, Transfers* transfers, const std::function<bool()>& keep_going) {
    const UnderWay under_way(transfers, line.multi.get());
    if (under_way.is_ended()) return CURLE_ABORTED_BY_CALLBACK;
    Watch watch{under_way, keep_going};
    curl_easy_setopt(line.easy.get(), CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(line.easy.get(), CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(line.easy.get(), CURLOPT_XFERINFODATA, &watch);
    if (curl_multi_add_handle(line.multi.get(), line.easy.get()) != CURLM_OK) {
        return CURLE_OUT_OF_MEMORY;
    }
    const CURLcode code = run_to_end(line, under_way);
    curl_multi_remove_handle(line.multi.get(), line.easy.get());
    curl_easy_setopt(line.easy.get(), CURLOPT_NOPROGRESS, 1L);  // the watch ends here
    return code;
}

}  // namespace a2h::http
