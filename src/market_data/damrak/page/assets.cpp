#include <damrak/page/assets.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace damrak::page {

namespace {

constexpr unsigned char k_document[] = {
#include "index.html.inc"
};
constexpr unsigned char k_script[] = {
#include "page.js.inc"
};
constexpr unsigned char k_style[] = {
#include "page.css.inc"
};

// Only the page itself may show the page in a frame: two markets beside each other are two of it.
constexpr std::string_view k_content_security_policy =
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'";

// FNV-1a: tells versions of a file apart.
std::string tag_of(std::string_view bytes) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    return fmt::format("\"{:016x}\"", hash);
}

template <std::size_t size>
Asset asset(std::string_view path, std::string_view content_type,
            const unsigned char (&bytes)[size]) {
    const std::string_view text{reinterpret_cast<const char*>(bytes), size};
    return {.path = path, .content_type = content_type, .bytes = text, .etag = tag_of(text)};
}

}  // namespace

const Asset* find(std::string_view path) {
    static const std::array k_assets{
        asset("/", "text/html; charset=utf-8", k_document),
        asset("/page.js", "text/javascript; charset=utf-8", k_script),
        asset("/page.css", "text/css; charset=utf-8", k_style),
    };
    const auto found = std::ranges::find(k_assets, path, &Asset::path);
    return found == k_assets.end() ? nullptr : &*found;
}

http::Answer answer(const Asset& asset) {
    const bool is_document = asset.path == "/";
    return {.content_type = std::string{asset.content_type},
            .body = std::string{asset.bytes},
            .etag = asset.etag,
            .cache_control = "no-cache",
            .content_security_policy =
                is_document ? std::string{k_content_security_policy} : std::string{}};
}

}  // namespace damrak::page
