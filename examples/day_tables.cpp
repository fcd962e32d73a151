// Tables of a recorded day, two of them in one pass: the average spread of each instrument,
// weighted by time, and its volume. Rows come in chunks of columns, so that a day of any size fits
// in memory.
//
//   damrak archive import day.itch
//   build/release/examples/day_tables day.dar
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <damrak/archive/day.hpp>
#include <damrak/tables/table_reader.hpp>

using namespace damrak;

namespace {

struct Quoted {
    std::int64_t since_ns = 0;
    double spread = NAN;
    double spread_ns = 0;  ///< the sum of spread and time
    double quoted_ns = 0;
    std::uint64_t volume = 0;

    void quote(std::int64_t now_ns, double bid, double ask) {
        const auto lasted_ns = static_cast<double>(now_ns - since_ns);
        if (!std::isnan(spread)) {
            spread_ns += spread * lasted_ns;
            quoted_ns += lasted_ns;
        }
        since_ns = now_ns;
        spread = ask - bid;  // a side without orders has no price: NaN
    }
};

/// The place of a column among those of a table.
std::size_t place_of(const std::vector<tables::ColumnInfo>& columns, std::string_view name) {
    std::size_t i = 0;
    while (columns.at(i).name != name) ++i;
    return i;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "usage: day_tables DAY.dar\n");
        return 2;
    }
    const auto day = archive::Day::open(argv[1]);
    if (!day) {
        fmt::print(stderr, "{}\n", day.error());
        return 1;
    }
    auto reader = tables::TableReader::open(
        *day, {{.table = tables::Table::bbo}, {.table = tables::Table::trades}}, {});
    if (!reader) {
        fmt::print(stderr, "{}\n", reader.error());
        return 1;
    }
    const auto& bbo = reader->columns(0);
    const auto& trades = reader->columns(1);
    const std::size_t bbo_time = place_of(bbo, "ts_event"), bbo_symbol = place_of(bbo, "symbol");
    const std::size_t bid = place_of(bbo, "bid_px_00"), ask = place_of(bbo, "ask_px_00");
    const std::size_t trade_symbol = place_of(trades, "symbol");
    const std::size_t size = place_of(trades, "size"), printable = place_of(trades, "printable");

    std::vector<Quoted> quoted(reader->symbols().size());
    auto chunks = reader->new_chunks();
    while (reader->next(chunks)) {
        const tables::Chunk& quotes = chunks[0];
        for (std::size_t row = 0; row < quotes[bid].rows(); ++row)
            quoted[quotes[bbo_symbol].values<std::uint32_t>()[row]].quote(
                quotes[bbo_time].values<std::int64_t>()[row], quotes[bid].values<double>()[row],
                quotes[ask].values<double>()[row]);
        const tables::Chunk& traded = chunks[1];
        for (std::size_t row = 0; row < traded[size].rows(); ++row)
            if (traded[printable].values<std::uint8_t>()[row] != 0)
                quoted[traded[trade_symbol].values<std::uint32_t>()[row]].volume +=
                    traded[size].values<std::uint64_t>()[row];
    }
    for (std::size_t i = 0; i < quoted.size(); ++i)
        fmt::print("{:<8} spread {:.4f}, volume {}\n", reader->symbols()[i],
                   quoted[i].spread_ns / quoted[i].quoted_ns, quoted[i].volume);
    if (!reader->completeness().is_complete()) {
        fmt::print(stderr, "{}\n", reader->completeness().missing.front());
        return 1;
    }
    return 0;
}
