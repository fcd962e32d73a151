#include <damrak/files/content_guess.hpp>

#include <algorithm>
#include <array>

namespace damrak::files {

namespace {

using namespace std::string_view_literals;

struct Signature {
    std::string_view magic;
    std::string_view name;
};

// Signatures at the start of files that people mistake for market data.
constexpr std::array k_signatures{
    Signature{"\xd4\xc3\xb2\xa1"sv, "a pcap packet capture"},
    Signature{"\xa1\xb2\xc3\xd4"sv, "a pcap packet capture"},
    Signature{"\x4d\x3c\xb2\xa1"sv, "a pcap packet capture"},
    Signature{"\xa1\xb2\x3c\x4d"sv, "a pcap packet capture"},
    Signature{"\x0a\x0d\x0d\x0a"sv, "a pcapng packet capture"},
    Signature{"\x1f\x8b"sv, "gzip data"},
    Signature{"\x28\xb5\x2f\xfd"sv, "zstd data"},
    Signature{"BZh"sv, "bzip2 data"},
    Signature{"\xfd"
              "7zXZ\0"sv,
              "xz data"},
    Signature{"\x04\x22\x4d\x18"sv, "lz4 data"},
    Signature{"PK\x03\x04"sv, "a zip archive or an office document"},
    Signature{"7z\xbc\xaf\x27\x1c"sv, "a 7-zip archive"},
    Signature{"\x89PNG\r\n\x1a\n"sv, "a PNG image"},
    Signature{"\xff\xd8\xff"sv, "a JPEG image"},
    Signature{"%PDF-"sv, "a PDF document"},
    Signature{"\x7f"
              "ELF"sv,
              "an ELF program"},
    Signature{"PAR1"sv, "a Parquet table"},
    Signature{"ARROW1"sv, "an Arrow table"},
    Signature{"\x89HDF\r\n\x1a\n"sv, "an HDF5 file"},
    Signature{"SQLite format 3\0"sv, "a SQLite database"},
    Signature{"DBN"sv, "a Databento (DBN) file"},
    Signature{"\xff\xfe"sv, "UTF-16 text"},
    Signature{"\xfe\xff"sv, "UTF-16 text"},
    Signature{"<!DOCTYPE"sv, "an HTML page"},
    Signature{"<html"sv, "an HTML page"},
};

bool is_text(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == '\t' || byte == '\n' || byte == '\r' || (byte >= 0x20 && byte != 0x7f);
}

}  // namespace

std::string_view guess_content(std::span<const std::byte> first_bytes) {
    constexpr std::size_t k_looked_at = 512;
    const auto head = first_bytes.first(std::min(first_bytes.size(), k_looked_at));
    const std::string_view text{reinterpret_cast<const char*>(head.data()), head.size()};
    for (const auto& [magic, name] : k_signatures) {
        if (text.starts_with(magic)) return name;
    }
    if (text.empty()) return {};
    if (std::ranges::all_of(text, [](char c) { return c == '\0'; })) return "nothing but zeros";
    if (std::ranges::all_of(text, is_text)) return "plain text";
    return {};
}

bool looks_like_table(std::span<const std::byte> first_bytes) {
    const auto is_text = [](std::byte b) {
        return b >= std::byte{0x20} || b == std::byte{'\n'} || b == std::byte{'\r'} ||
               b == std::byte{'\t'};
    };
    return std::ranges::all_of(first_bytes, is_text) &&
           std::ranges::any_of(
               first_bytes, [](std::byte b) { return b == std::byte{','} || b == std::byte{';'}; });
}

}  // namespace damrak::files
