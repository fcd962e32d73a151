// The files of the live page (web/), which are part of the program. Called by the HTTP service, on
// any thread; a look-up compares a few short paths.
#pragma once

#include <string>
#include <string_view>

#include <damrak/http/server.hpp>

namespace damrak::page {

/// A file of the page.
struct Asset {
    std::string_view path;  ///< in a URL
    std::string_view content_type;
    std::string bytes;
    std::string_view gzip;  ///< the same, compressed
    std::string etag;       ///< weak, with its quotes; changes with the bytes
};

/// The file that a path names, or null.
[[nodiscard]] const Asset* find(std::string_view path);

/// The answer with this file. The document tells the browser what it may load and do on behalf of
/// the page: nothing of another server, and no script or style within the document.
[[nodiscard]] http::Answer answer(const Asset& asset);

}  // namespace damrak::page
