#include "support/itch_passes.hpp"

#include <algorithm>
#include <chrono>

#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/replay/market_statistics.hpp>
#include <damrak/replay/rematch.hpp>
#include <damrak/wire/itch/file_reader.hpp>
#include <damrak/wire/itch/messages.hpp>

#include "support/cpu_clock.hpp"

namespace damrak::bench {
namespace {

namespace itch = wire::itch;

PassResult failed(const std::string& text) {
    PassResult result;
    text.copy(result.error.data(), result.error.size() - 1);
    return result;
}

// Reads the file into the visitor and clocks it; the caller adds what the visitor knows.
template <class Visitor>
PassResult read_day(const std::string& path, Visitor& visitor) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const std::int64_t cpu_start_ns = cpu_time_ns();
    auto reader = itch::FileReader::open(path);
    if (!reader) return failed(reader.error().text);
    for (;;) {
        const auto step = reader->read_some(visitor);
        if (!step) return failed(step.error().text);
        if (*step == itch::ReadStep::end) break;
    }
    PassResult result;
    result.messages = reader->messages();
    result.cpu_ns = static_cast<std::uint64_t>(cpu_time_ns() - cpu_start_ns);
    result.wall_ns =
        static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - start).count());
    return result;
}

// Uses every field of the messages that make up a book, so that none may be left undecoded.
class FieldSum {
  public:
    void on(const itch::AddOrder& m) { add(m, m.order_ref, m.shares, m.price_e4); }
    void on(const itch::AddOrderAttributed& m) { add(m, m.order_ref, m.shares, m.price_e4); }
    void on(const itch::OrderExecuted& m) {
        add(m, m.order_ref, m.executed_shares, m.match_number);
    }
    void on(const itch::OrderExecutedWithPrice& m) {
        add(m, m.order_ref, m.executed_shares, m.match_number + m.execution_price_e4);
    }
    void on(const itch::OrderCancel& m) { add(m, m.order_ref, m.cancelled_shares, 0); }
    void on(const itch::OrderDelete& m) { add(m, m.order_ref, 0, 0); }
    void on(const itch::OrderReplace& m) {
        add(m, m.order_ref + m.new_order_ref, m.shares, m.price_e4);
    }

    // Makes the sum observable, so that no compiler may leave it out.
    void keep() const { asm volatile("" : : "r"(sum_) : "memory"); }

  private:
    template <class M>
    void add(const M& m, std::uint64_t reference, std::uint64_t shares, std::uint64_t rest) {
        sum_ +=
            m.stock_locate + static_cast<std::uint64_t>(m.timestamp_ns) + reference + shares + rest;
    }

    std::uint64_t sum_ = 0;
};

PassResult decode(const std::string& path) {
    FieldSum visitor;
    const PassResult result = read_day(path, visitor);
    visitor.keep();
    return result;
}

template <class Books>
void count_books(PassResult& result, const Books& books) {
    result.anomalies = books.anomalies().total();
    result.live_orders = books.store().order_pool.used();
}

PassResult build(const std::string& path) {
    order_flow::BookBuilder<> books;
    order_flow::ItchFlow flow(books, {});
    PassResult result = read_day(path, flow);
    count_books(result, books);
    return result;
}

PassResult report(const std::string& path) {
    order_flow::BookBuilder<replay::MarketStatistics> books(
        order_flow::BookBuilder<>::k_first_capacity, replay::MarketStatistics({}));
    order_flow::ItchFlow flow(books, {});
    PassResult result = read_day(path, flow);
    count_books(result, books);
    return result;
}

PassResult rematch(const std::string& path) {
    // Same size as in `damrak replay --mode rematch`.
    replay::Rematch engine({.instruments = 16'384, .orders = 4'000'000}, {});
    order_flow::ItchFlow flow(engine, {});
    PassResult result = read_day(path, flow);
    engine.finish();
    count_books(result, engine.books());
    result.compared = engine.report().recorded;
    result.equal = engine.report().equal_order;
    return result;
}

constexpr std::array k_passes{
    ItchPass{"decode", decode},
    ItchPass{"build", build},
    ItchPass{"report", report},
    ItchPass{"rematch", rematch},
};

}  // namespace

std::span<const ItchPass> itch_passes() { return k_passes; }

}  // namespace damrak::bench
