#include <damrak/page/assets.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ranges>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

namespace damrak::page {

namespace {

// Compressed by gzip.
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

// FNV-1a: tells versions of a file apart. Weak, as the plain and the compressed file share it.
std::string tag_of(std::string_view bytes) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    return fmt::format("W/\"{:016x}\"", hash);
}

// Of bytes that the build compressed.
std::string decompressed(std::span<const unsigned char> bytes) {
    constexpr int k_gzip = 15 + 16;
    // The last four bytes are the size.
    std::size_t size = 0;
    for (const std::size_t byte : bytes.last<4>() | std::views::reverse) size = size << 8U | byte;
    std::string text(size, '\0');
    z_stream stream{};
    stream.next_in = const_cast<unsigned char*>(bytes.data());  // zlib does not change it
    stream.avail_in = static_cast<unsigned>(bytes.size());
    stream.next_out = reinterpret_cast<unsigned char*>(text.data());
    stream.avail_out = static_cast<unsigned>(text.size());
    inflateInit2(&stream, k_gzip);
    inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return text;
}

Asset asset(std::string_view path, std::string_view content_type,
            std::span<const unsigned char> gzip) {
    std::string text = decompressed(gzip);
    std::string tag = tag_of(text);
    return {.path = path,
            .content_type = content_type,
            .bytes = std::move(text),
            .gzip = {reinterpret_cast<const char*>(gzip.data()), gzip.size()},
            .etag = std::move(tag)};
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
            .body = asset.bytes,
            .gzip_body = asset.gzip,
            .etag = asset.etag,
            .cache_control = "no-cache",
            .content_security_policy =
                is_document ? std::string{k_content_security_policy} : std::string{}};
}

}  // namespace damrak::page
