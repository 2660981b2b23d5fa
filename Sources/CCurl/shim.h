// What Swift cannot call of libcurl by itself: one typed function for each kind of option value.
#pragma once
#include <curl/curl.h>

static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) { return curl_easy_setopt(handle, option, value); }

static inline CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value) { return curl_easy_setopt(handle, option, value); }

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) { return curl_easy_setopt(handle, option, value); }

static inline CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t value) { return curl_easy_setopt(handle, option, value); }

static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) { return curl_easy_setopt(handle, option, value); }

static inline CURLcode ccurl_set_receiver(CURL *handle, CURLoption option, curl_write_callback value) { return curl_easy_setopt(handle, option, value); }

static inline CURLcode ccurl_set_preparer(CURL *handle, CURLoption option, curl_sockopt_callback value) { return curl_easy_setopt(handle, option, value); }

static inline CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value) { return curl_easy_getinfo(handle, info, value); }

// What became of the one transfer of a multi handle: 1 and its result, or 0 while it still runs.
static inline int ccurl_multi_result(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)))
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return 1;
        }
    return 0;
}
