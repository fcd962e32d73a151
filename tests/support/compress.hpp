// gzip and zstd in memory, with the libraries themselves instead of our own writer.
#pragma once

#include <span>
#include <stdexcept>

#include <zlib.h>
#include <zstd.h>

#include "support/bytes.hpp"

namespace damrak::testing {

inline Bytes gzip(std::span<const std::byte> content) {
    z_stream stream{};
    if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::runtime_error{"deflateInit2"};
    }
    Bytes packed(deflateBound(&stream, content.size()));
    Bytes input{content.begin(), content.end()};
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    const int status = deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    if (status != Z_STREAM_END) throw std::runtime_error{"deflate"};
    return packed;
}

// With a content checksum, so that any damage is detected.
inline Bytes zstd(std::span<const std::byte> content) {
    ZSTD_CCtx* context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    Bytes packed(ZSTD_compressBound(content.size()));
    const std::size_t size =
        ZSTD_compress2(context, packed.data(), packed.size(), content.data(), content.size());
    ZSTD_freeCCtx(context);
    if (ZSTD_isError(size) != 0) throw std::runtime_error{"zstd"};
    packed.resize(size);
    return packed;
}

}  // namespace damrak::testing
