// What the market itself promises: the queue at the gateway, latencies, that nobody knows what has
// not reached it, and that cash and shares only change hands.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include <damrak/market_runs/market_file.hpp>
#include <damrak/validation/default_market.hpp>
#include <damrak/validation/detail/arena.hpp>
#include <damrak/validation/detail/checks.hpp>

namespace damrak::validation::detail {
namespace {

/// Time from sending an order until its stamp. Orders of one participant keep their order.
class TimesToStamp final : public market_kernel::MarketWatcher {
  public:
    void on_sent(ParticipantId /*participant*/, const Command& command, Timestamp time) override {
        if (command.kind == CommandKind::new_order) sent_.push_back(time);
    }
    void on_event(const Event& event, const CommandStamp& stamp) override {
        if (event.command != CommandKind::new_order ||
            (event.kind != EventKind::accepted && event.kind != EventKind::rejected))
            return;
        batch.add(static_cast<double>((stamp.timestamp - sent_.front()).value));
        sent_.pop_front();
    }
    measures::Moments batch;

  private:
    std::deque<Timestamp> sent_;
};

// Pollaczek and Khinchine: Poisson arrivals at a rate of .7 a service time wait .7 / (2 · .3) of
// it, and are then served.
std::vector<Finding> gateway_queue(const Subjects& subjects) {
    constexpr double k_load = .7;
    constexpr std::int64_t k_service_ns = market_kernel::k_millisecond_ns;
    constexpr std::int64_t k_latency_ns = 20 * market_kernel::k_millisecond_ns;
    Arena arena{subjects, 41};
    arena.setup.exchange.service_ns = k_service_ns;
    market_kernel::Connection connection;
    connection.orders.base_ns = k_latency_ns;
    // Market orders only, which find an empty book: one message each.
    arena.add("noise",
              {{"orders_per_s", number(k_load * 1e9 / k_service_ns)}, {"market_share", number(1)}},
              connection);
    TimesToStamp times;
    measures::Moments means;
    constexpr int k_batches = 60;
    for (int batch = 0; batch <= k_batches; ++batch) {
        times.batch = {};
        arena.run_until((batch + 1) * 10., {&times});
        if (batch > 0) means.add(times.batch.mean() / k_service_ns);
    }
    const double theory =
        static_cast<double>(k_latency_ns) / k_service_ns + 1 + k_load / (2 * (1 - k_load));
    return {equals("latency_wait_and_service", theory, means.mean(), standard_error(means), 0,
                   k_batches, "batches of 7,000 messages")};
}

/// Records what one participant sends.
class SentBy final : public market_kernel::MarketWatcher {
  public:
    using Message = std::tuple<std::int64_t, CommandKind, Side, std::int64_t, std::int64_t>;
    explicit SentBy(ParticipantId who) : who_(who) {}
    void on_sent(ParticipantId participant, const Command& command, Timestamp time) override {
        if (participant == who_)
            messages.emplace_back(time.value, command.kind, command.side, command.price.value,
                                  command.quantity.value);
    }
    std::vector<Message> messages;

  private:
    ParticipantId who_;
};

/// Sweeps the asks at a time, or does not.
class Sweeper final : public market_kernel::Participant {
  public:
    Sweeper(std::int64_t after_ns, bool acts) : after_ns_(after_ns), acts_(acts) {}
    void on_start(market_kernel::MarketAccess& access) override {
        access.wake_at({access.now().value + after_ns_});
    }
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t /*key*/) override {
        if (!acts_) return;
        access.enter({.instrument = k_instrument,
                      .side = Side::buy,
                      .type = OrderType::market,
                      .time_in_force = TimeInForce::ioc,
                      .quantity = {2'000}});
    }

  private:
    std::int64_t after_ns_;
    bool acts_;
};

constexpr std::int64_t k_sweep_ns = 60 * market_kernel::k_second_ns;
constexpr std::int64_t k_sight_ns = market_kernel::k_second_ns;

std::vector<SentBy::Message> sent_of(const Subjects& subjects, std::string_view kind,
                                     bool is_swept) {
    Arena arena{subjects, 51};
    arena.setup.fundamentals[0].volatility = 0.0002;
    arena.add("zero-intelligence");
    arena.add(std::make_unique<Sweeper>(k_sweep_ns, is_swept));
    market_kernel::Connection late;
    late.data.base_ns = k_sight_ns;
    late.reports.base_ns = k_sight_ns;
    SentBy sent{arena.add(kind, {}, late)};
    arena.run_until(120, {&sent});
    return std::move(sent.messages);
}

// Two markets that differ in one order: until its news arrives, a participant with common random
// numbers sends the same in both.
std::vector<Finding> sight(const Subjects& subjects) {
    const Timestamp begin = market_kernel::MarketSetup{}.begin;
    std::vector<Finding> findings;
    std::uint64_t tried = 0;
    for (const participants::Kind& kind : participants::kinds()) {
        if (!kind.check({}).empty()) continue;  // has no meaning without parameters
        ++tried;
        const auto quiet = sent_of(subjects, kind.name, false);
        const auto swept = sent_of(subjects, kind.name, true);
        const auto [a, b] = std::ranges::mismatch(quiet, swept);
        if (a == quiet.end() && b == swept.end()) continue;  // does not react
        std::int64_t first_ns = INT64_MAX;
        if (a != quiet.end()) first_ns = std::get<0>(*a);
        if (b != swept.end()) first_ns = std::min(first_ns, std::get<0>(*b));
        const double after_s =
            static_cast<double>(first_ns - begin.value - k_sweep_ns) / market_kernel::k_second_ns;
        findings.push_back({fmt::format("{}_reacts_after", kind.name), 1, 60, after_s, 0, 0,
                            quiet.size(), "messages"});
    }
    const auto reacting = static_cast<double>(findings.size());
    findings.push_back({"kinds_that_react", static_cast<double>(tried) / 2,
                        static_cast<double>(tried), reacting, 0, 0, tried, "kinds"});
    return findings;
}

/// Rebuilds accounts from the events.
class Ledger final : public market_kernel::MarketWatcher {
  public:
    explicit Ledger(const market_kernel::ExchangeModel& exchange) : exchange_(exchange) {}
    void on_event(const Event& event, const CommandStamp& /*stamp*/) override {
        if (event.kind != EventKind::executed) return;
        const std::size_t who = event.participant.value;
        cash.resize(std::max(cash.size(), who + 1));
        shares.resize(cash.size());
        const std::int64_t sign = event.side == Side::buy ? 1 : -1;
        constexpr unsigned k_price_decimals = 4;
        const std::int64_t fee = fee_of(exchange_.fees.of(event.participant).of(event), event.price,
                                        event.quantity, k_price_decimals);
        cash[who] -= sign * event.price.value * event.quantity.value + fee;
        shares[who] += sign * event.quantity.value;
        fees += fee;
        volume += sign * event.quantity.value;
        ++fills;
    }
    std::vector<std::int64_t> cash;  ///< by participant
    std::vector<std::int64_t> shares;
    std::int64_t fees = 0;
    std::int64_t volume = 0;  ///< bought less sold
    std::uint64_t fills = 0;

  private:
    market_kernel::ExchangeModel exchange_;
};

std::vector<Finding> conservation(const Subjects& subjects) {
    const market_runs::MarketFile file = default_market();
    market_kernel::MarketSetup setup = market_runs::make_setup(file, 61);
    const InstrumentId instrument = setup.instruments.front().id;
    for (market_kernel::Seat& seat : setup.seats)
        seat.connection = subjects.connection(seat.connection);
    Ledger ledger{setup.exchange};
    const Timestamp end = setup.begin + Timestamp{3'600 * market_kernel::k_second_ns};
    market_kernel::Market market{std::move(setup), {&ledger}};
    if (!market.run_until(end)) throw std::runtime_error{"a fault ended the default market"};
    ledger.cash.resize(market.participants() + 1);
    ledger.shares.resize(ledger.cash.size());
    std::int64_t cash = 0;
    std::int64_t shares = 0;
    std::int64_t fees = 0;
    std::uint64_t differ = 0;
    for (std::uint32_t i = 1; i <= market.participants(); ++i) {
        const market_kernel::Account& account = market.account({i});
        const std::int64_t position = market.position({i}, instrument).value;
        cash += account.cash;
        fees += account.fees;
        shares += position;
        if (account.cash != ledger.cash[i] || position != ledger.shares[i]) ++differ;
    }
    const auto exact = [&](const char* name, std::int64_t sum) {
        return equals(name, 0, static_cast<double>(sum), 0, 0, ledger.fills, "fills");
    };
    std::vector<Finding> findings{exact("cash_and_fees", cash + fees), exact("shares", shares),
                                  exact("bought_less_sold", ledger.volume),
                                  exact("fees_of_accounts", fees - ledger.fees),
                                  exact("accounts_that_differ", static_cast<std::int64_t>(differ))};
    findings.push_back(
        {"fills", 10'000, 1e9, static_cast<double>(ledger.fills), 0, 0, ledger.fills, "fills"});
    return findings;
}

}  // namespace

std::vector<Check> mechanics_checks() {
    return {{"gateway-queue", "Pollaczek (1930), Khinchine (1932): M/D/1", Tested::kernel,
             gateway_queue},
            {"sight", "causality: no reaction before the news", Tested::kernel, sight},
            {"conservation", "double entry: sums to the unit", Tested::engine, conservation}};
}

}  // namespace damrak::validation::detail
