#include "support/nw1_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <ios>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <damrak/generator/nw1_record.hpp>

namespace damrak::bench {
namespace {

using generator::Nw1Record;

// Empty when the record is well-formed, else what is wrong with it.
std::string record_fault(const Nw1Record& record) {
    const auto op = std::to_underlying(record.op);
    if (op > std::to_underlying(Nw1Op::replace)) {
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

Message message_of(const Nw1Record& record) {
    return {.op = record.op,
            .side = record.side,
            .ioc = record.ioc,
            .padding = 0,
            .quantity = record.quantity,
            .order_id = record.order_id,
            .price_ticks = record.price_ticks,
            .symbol = record.symbol,
            .more_padding = 0,
            .target_age = record.target_age};
}

// Appends the records; the error says which of them, counted on from those before, is malformed.
std::string append_records(MessageStream& stream, std::span<const Nw1Record> records,
                           bool& timing) {
    for (const Nw1Record& record : records) {
        if (const std::string fault = record_fault(record); !fault.empty()) {
            return fmt::format("record {} (byte offset {}): {}", stream.messages.size(),
                               stream.messages.size() * sizeof(Nw1Record), fault);
        }
        timing = timing || record.phase == 1;
        if (!timing) ++stream.prefill_count;
        stream.append(message_of(record));
    }
    return {};
}

}  // namespace

std::expected<MessageStream, std::string> load_nw1_file(const std::filesystem::path& path) {
    const auto error = [&](const std::string& text) {
        return std::unexpected(path.string() + ": " + text);
    };
    std::error_code failure;
    const std::uintmax_t size_bytes = std::filesystem::file_size(path, failure);
    if (failure) return error("cannot read: " + failure.message());
    const std::uintmax_t odd_bytes = size_bytes % sizeof(Nw1Record);
    const std::size_t count = size_bytes / sizeof(Nw1Record);
    if (odd_bytes != 0) {
        return error(
            fmt::format("{} bytes are not a whole number of 32-byte records: record {} at "
                        "byte offset {} has {} bytes",
                        size_bytes, count, size_bytes - odd_bytes, odd_bytes));
    }
    MessageStream stream;
    stream.messages.reserve(count);
    bool timing = false;
    std::ifstream file(path, std::ios::binary);
    std::array<Nw1Record, 4096> batch{};
    while (stream.messages.size() < count) {
        const std::size_t wanted = std::min(batch.size(), count - stream.messages.size());
        file.read(reinterpret_cast<char*>(batch.data()),
                  static_cast<std::streamsize>(wanted * sizeof(Nw1Record)));
        if (!file) {
            return error(fmt::format("cannot read on at byte offset {} of {}",
                                     stream.messages.size() * sizeof(Nw1Record), size_bytes));
        }
        const auto records = std::span{batch}.first(wanted);
        if (const std::string fault = append_records(stream, records, timing); !fault.empty()) {
            return error(fault);
        }
    }
    if (!timing) return error(fmt::format("{} records, none with phase 1 to be timed", count));
    return stream;
}

}  // namespace damrak::bench
