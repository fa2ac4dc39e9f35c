#pragma once

#include <curl/curl.h>

#include <functional>
#include <memory>

#include "core/http/transfers.h"

namespace a2h::http {

struct EasyDeleter {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
using EasyHandle = std::unique_ptr<CURL, EasyDeleter>;

struct MultiDeleter {
    void operator()(CURLM* handle) const { curl_multi_cleanup(handle); }
};
using MultiHandle = std::unique_ptr<CURLM, MultiDeleter>;

struct ListDeleter {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using CurlList = std::unique_ptr<curl_slist, ListDeleter>;

/// The handles of one transfer at a time. The multi handle keeps the connections.
struct Line {
    MultiHandle multi;
    EasyHandle easy;

    /// Both handles are null if there is no memory.
    static Line open();
    explicit operator bool() const { return easy != nullptr; }
};

/// Makes the transfer of `line` as `curl_easy_perform` does, but can be interrupted while it waits
/// for bytes: when `transfers` end it returns CURLE_ABORTED_BY_CALLBACK at once, and within a
/// second after `keep_going` returns false. `transfers` may be null, `keep_going` empty. It uses
/// the handle's progress callback.
CURLcode perform(const Line& line, Transfers* transfers,
                 const std::function<bool()>& keep_going = {});

}  // namespace a2h::http
