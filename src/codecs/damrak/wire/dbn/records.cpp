#include <damrak/wire/dbn/records.hpp>

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace damrak::wire::dbn {

namespace {

constexpr std::array<std::string_view, 20> k_schemas{
    "mbo",      "mbp-1",    "mbp-10",     "tbbo",       "trades", "ohlcv-1s",  "ohlcv-1m",
    "ohlcv-1h", "ohlcv-1d", "definition", "statistics", "status", "imbalance", "ohlcv-eod",
    "cmbp-1",   "cbbo-1s",  "cbbo-1m",    "tcbbo",      "bbo-1s", "bbo-1m"};
constexpr std::uint16_t k_mixed = 0xFFFF;

struct RecordName {
    std::uint8_t first;
    std::uint8_t last;
    std::string_view name;
};
constexpr std::array k_records{
    RecordName{0x00, 0x00, "trade"},
    RecordName{0x01, 0x0F, "level"},
    RecordName{0x11, 0x11, "bar"},
    RecordName{0x12, 0x12, "status"},
    RecordName{0x13, 0x13, "definition"},
    RecordName{0x14, 0x14, "imbalance"},
    RecordName{0x15, 0x15, "error"},
    RecordName{0x16, 0x16, "symbol mapping"},
    RecordName{0x17, 0x17, "system"},
    RecordName{0x18, 0x18, "statistics"},
    RecordName{0x20, 0x24, "bar"},
    RecordName{0xA0, 0xA0, "order"},
    RecordName{0xB1, 0xB1, "consolidated level"},
    RecordName{0xC0, 0xC2, "consolidated level"},
    RecordName{0xC3, 0xC4, "best prices"},
};

}  // namespace

std::string name_of(Schema schema) {
    const auto number = std::to_underlying(schema);
    if (number < k_schemas.size()) return std::string{k_schemas[number]};
    return number == k_mixed ? "mixed" : fmt::format("schema {}", number);
}

std::string name_of_record(std::uint8_t type) {
    for (const RecordName& one : k_records)
        if (type >= one.first && type <= one.last) return std::string{one.name};
    return fmt::format("type {:#04x}", type);
}

}  // namespace damrak::wire::dbn
