// Reads an ITCH 5.0 file (raw, gzip or zstd) and prints its executions: a visitor takes the message
// types that it cares about, and nothing else is decoded.
//
//   read_itch [FILE]      without FILE it first writes a small day of its own and reads that
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

#include <fmt/format.h>

#include <damrak/wire/itch/file_reader.hpp>
#include <damrak/wire/itch/file_writer.hpp>

namespace {

namespace itch = damrak::wire::itch;

constexpr std::int64_t k_open_ns = 34'200'000'000'000;  // 09:30

// Prints executions at the price of the order that they hit.
class Tape {
  public:
    void on(const itch::StockDirectory& stock) {
        symbols_[stock.stock_locate] = stock.stock.text();
    }
    void on(const itch::AddOrder& order) { prices_e4_[order.order_ref] = order.price_e4; }
    void on(const itch::AddOrderAttributed& order) { prices_e4_[order.order_ref] = order.price_e4; }
    void on(const itch::OrderReplace& order) { prices_e4_[order.new_order_ref] = order.price_e4; }
    void on(const itch::OrderExecuted& execution) {
        fmt::print("{:.6f} s  {:<8} {:>6} at {:.4f}\n",
                   static_cast<double>(execution.timestamp_ns) / 1e9,
                   symbols_[execution.stock_locate], execution.executed_shares,
                   prices_e4_[execution.order_ref] / 1e4);
    }

  private:
    std::map<std::uint16_t, std::string> symbols_;
    std::map<std::uint64_t, std::uint32_t> prices_e4_;
};

bool write_small_day(const std::filesystem::path& path) {
    auto writer = itch::FileWriter::create(path);
    if (!writer) return false;
    const auto stock = itch::Stock::from("TEST").value();
    writer->write(itch::StockDirectory{.stock_locate = 1, .stock = stock, .round_lot_size = 100});
    writer->write(itch::AddOrder{.stock_locate = 1,
                                 .timestamp_ns = k_open_ns,
                                 .order_ref = 1,
                                 .side = damrak::Side::sell,
                                 .shares = 300,
                                 .stock = stock,
                                 .price_e4 = 1'000'500});
    writer->write(itch::OrderExecuted{.stock_locate = 1,
                                      .timestamp_ns = k_open_ns + 1'500'000,
                                      .order_ref = 1,
                                      .executed_shares = 120,
                                      .match_number = 1});
    return writer->close().has_value();
}

}  // namespace

int main(int argc, char** argv) {
    const std::filesystem::path path = argc > 1 ? argv[1] : "small_day.itch.zst";
    if (argc == 1 && !write_small_day(path)) {
        fmt::print(stderr, "cannot write {}\n", path.string());
        return 1;
    }
    auto reader = itch::FileReader::open(path);
    if (!reader) {
        fmt::print(stderr, "{}\n", reader.error().text);
        return 1;
    }
    Tape tape;
    const auto end = reader->read_all(tape);
    fmt::print("{} messages\n", reader->messages());
    if (!end) {
        fmt::print(stderr, "{}\n", end.error().text);
        return 1;
    }
    return 0;
}
