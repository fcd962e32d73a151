#include "support/nw1_stream.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace damrak::bench {
namespace {

// Empty when the record is well-formed, else what is wrong with it.
std::string record_fault(const Nw1Record& record) {
    const auto op = std::to_underlying(record.op);
    if (op > 2) {
        return fmt::format("op is {}, expected 0 (add), 1 (cancel) or 2 (replace)", op);
    }
    if (record.side > 1) {
        return fmt::format("side is {}, expected 0 (buy) or 1 (sell)", record.side);
    }
    if (record.ioc > 1) {
        return fmt::format("ioc is {}, expected 0 or 1", record.ioc);
    }
    if (record.phase > 1) {
        return fmt::format("phase is {}, expected 0 (prefill) or 1 (timed)", record.phase);
    }
    return {};
}

StreamInfo derive_info(const std::vector<Nw1Record>& records) {
    StreamInfo info{.price_min_ticks = records.front().price_ticks,
                    .price_max_ticks = records.front().price_ticks};
    for (const Nw1Record& record : records) {
        info.symbols = std::max(info.symbols, record.symbol + 1U);
        info.price_min_ticks = std::min(info.price_min_ticks, record.price_ticks);
        info.price_max_ticks = std::max(info.price_max_ticks, record.price_ticks);
    }
    return info;
}

}  // namespace

std::expected<Nw1Stream, std::string> make_nw1_stream(std::vector<Nw1Record> records,
                                                      const std::string& name) {
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (const std::string fault = record_fault(records[i]); !fault.empty()) {
            return std::unexpected(fmt::format("{}: record {} (byte offset {}): {}", name, i,
                                               i * sizeof(Nw1Record), fault));
        }
    }
    const auto timed = std::ranges::find_if(records, [](const auto& r) { return r.phase == 1; });
    if (timed == records.end()) {
        return std::unexpected(fmt::format(
            "{}: {} records, none with phase 1: there is nothing to time", name, records.size()));
    }
    Nw1Stream stream;
    stream.prefill_count = static_cast<std::size_t>(timed - records.begin());
    stream.info = derive_info(records);
    stream.records = std::move(records);
    return stream;
}

std::expected<Nw1Stream, std::string> load_nw1_stream(const std::filesystem::path& path) {
    std::error_code failure;
    const std::uintmax_t size_bytes = std::filesystem::file_size(path, failure);
    if (failure) {
        return std::unexpected(
            fmt::format("{}: cannot read: {}", path.string(), failure.message()));
    }
    if (size_bytes % sizeof(Nw1Record) != 0) {
        return std::unexpected(fmt::format(
            "{}: {} bytes: not a whole number of 32-byte records; record {} at byte "
            "offset {} has only {} bytes",
            path.string(), size_bytes, size_bytes / sizeof(Nw1Record),
            size_bytes - size_bytes % sizeof(Nw1Record), size_bytes % sizeof(Nw1Record)));
    }
    std::vector<Nw1Record> records(size_bytes / sizeof(Nw1Record));
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(records.data()), static_cast<std::streamsize>(size_bytes));
    if (!file) {
        return std::unexpected(fmt::format("{}: read failed after {} of {} bytes", path.string(),
                                           std::max<std::streamsize>(file.gcount(), 0),
                                           size_bytes));
    }
    return make_nw1_stream(std::move(records), path.string());
}

}  // namespace damrak::bench
