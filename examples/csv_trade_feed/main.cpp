// An exchange with a feed of its own: trades while its process is killed time and again, and then
// checks that the feed's file has each trade once.
//
//   build/release/examples/csv_trade_feed
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <damrak/domain/make_command.hpp>
#include <damrak/exchange/exchange.hpp>

#include "csv_trade_feed.hpp"

namespace {

using namespace damrak;

constexpr int k_kills = 3;
constexpr int k_sweeps = 2'000;  // of a run
constexpr int k_fills = 3;       // of a sweep

Command order(Side side, std::int64_t quantity) {
    return limit_order({.instrument{1},
                        .participant{side == Side::buy ? 1U : 2U},
                        .side = side,
                        .price{187'2500},
                        .quantity{quantity}});
}

/// False: why was printed.
bool run(const std::filesystem::path& folder, bool is_killed) {
    const auto feed = CsvTradeFeed::open(folder / "trades.csv");
    if (!feed) return fmt::print(stderr, "{}\n", feed.error()), false;
    exchange::Settings settings;
    settings.ports = {{"binary", 0}};
    settings.data = folder / "data";
    settings.capacity = EngineConfig{};
    auto started = exchange::Exchange::start(settings, {feed->get()});
    if (!started) return fmt::print(stderr, "{}\n", started.error()), false;
    exchange::Exchange& box = **started;
    for (int sweep = 0; sweep < k_sweeps; ++sweep) {
        for (int i = 0; i < k_fills; ++i)
            if (!box.trading().submit(order(Side::sell, 10))) return false;
        if (!box.trading().submit(order(Side::buy, 10 * k_fills))) return false;
    }
    if (is_killed) ::raise(SIGKILL);
    box.stop();
    return true;
}

/// Trades that are in the file, each once and in order; zero: not so.
std::int64_t count_trades(const std::filesystem::path& file) {
    std::ifstream lines{file};
    std::string line;
    std::getline(lines, line);
    std::int64_t trades = 0;
    while (std::getline(lines, line)) {
        if (trades == 0) fmt::print("{}\n", line);
        if (line.substr(line.rfind(',') + 1) != std::to_string(++trades)) return 0;
    }
    return trades;
}

}  // namespace

int main() {
    const auto folder =
        std::filesystem::temp_directory_path() / fmt::format("csv-trade-feed-{}", ::getpid());
    std::filesystem::create_directories(folder);
    for (int i = 0; i < k_kills; ++i) {
        const pid_t child = ::fork();
        if (child == 0) ::_exit(run(folder, true) ? 0 : 1);
        int status = 0;
        if (::waitpid(child, &status, 0) != child || !WIFSIGNALED(status)) return 1;
    }
    if (!run(folder, false)) return 1;
    const std::int64_t expected = std::int64_t{k_kills + 1} * k_sweeps * k_fills;
    const std::int64_t trades = count_trades(folder / "trades.csv");
    std::filesystem::remove_all(folder);
    fmt::print("{} of {} trades, after {} kills\n", trades, expected, k_kills);
    return trades == expected ? 0 : 1;
}
