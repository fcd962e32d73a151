// Participant messages a second through a populated market in virtual time: order entry, latency,
// sequencing, real matching, reports and views, on one core. Beside it the same commands applied by
// the engine alone.
#include <damrak/market_kernel/market.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "support/cpu_clock.hpp"

namespace damrak::bench {
namespace {

using namespace market_kernel;

/// Rests within ten ticks of the best prices, takes now and then, and cancels what is oldest.
class Trader final : public market_kernel::Participant {
  public:
    void on_start(MarketAccess& access) override {
        arrivals_ = access.draws("arrival");
        terms_ = access.draws("terms");
        sleep(access);
    }
    void on_timer(MarketAccess& access, std::uint64_t /*key*/) override {
        if (open_.size() >= 10 && terms_.chance(0.5)) {
            access.cancel(open_.front());
            open_.erase(open_.begin());
        } else {
            enter(access);
        }
        sleep(access);
    }
    void on_report(MarketAccess& /*access*/, const Report& report) override {
        if (report.order.state == OwnOrder::State::done) std::erase(open_, report.order.handle);
    }

  private:
    void enter(MarketAccess& access) {
        const views::PublicChange& view = access.view({1});
        const Side side = terms_.chance(0.5) ? Side::buy : Side::sell;
        const std::int64_t mid = view.has_both() ? view.twice_mid() / 200 * 100 : 1'000'000;
        const std::int64_t away = 100 * static_cast<std::int64_t>(terms_.below(12)) - 100;
        NewOrder order{.instrument = {1}, .side = side, .quantity = {100}};
        order.price = Price{side == Side::buy ? mid - away : mid + away};
        open_.push_back(access.enter(order));
    }
    void sleep(MarketAccess& access) {
        access.wake_at(
            {access.now().value + static_cast<std::int64_t>(arrivals_.exponential(10) * 1e9)});
    }

    Draws arrivals_;
    Draws terms_;
    std::vector<OrderHandle> open_;
};

class Commands final : public MarketWatcher {
  public:
    void on_command(const Command& command, const CommandStamp& /*stamp*/) override {
        all.push_back(command);
    }
    std::vector<Command> all;
};

MarketSetup setup_of(std::uint32_t participants) {
    MarketSetup setup;
    InstrumentDefinition definition{};
    definition.id = {1};
    definition.symbol = Symbol::of("AAA");
    setup.instruments.push_back(definition);
    setup.fundamentals.push_back({.start = 1'000'000});
    setup.exchange.maximum_orders = 20 * participants;
    for (std::uint32_t i = 0; i < participants; ++i) {
        Connection connection;
        connection.orders = {.kind = Latency::Kind::log_normal, .base_ns = 200'000, .sigma = 0.5};
        connection.reports.base_ns = 200'000;
        connection.data.base_ns = 150'000;
        setup.seats.push_back({.participant = std::make_unique<Trader>(),
                               .group = "traders",
                               .member = i,
                               .members = participants,
                               .connection = connection});
    }
    return setup;
}

struct Options {
    std::uint32_t participants = 1'000;
    double seconds = 200;
    bool json = false;
};

int run(const Options& options) {
    const auto end = [&](const Market& market) {
        return Timestamp{market.now().value + static_cast<std::int64_t>(options.seconds * 1e9)};
    };
    Market market{setup_of(options.participants)};
    const std::int64_t began_ns = cpu_time_ns();
    market.run_until(end(market));
    const auto spent = static_cast<double>(cpu_time_ns() - began_ns) * 1e-9;
    const auto messages = static_cast<double>(market.counts().messages);

    Commands commands;
    Market recorded{setup_of(options.participants), {&commands}};
    recorded.run_until(end(recorded));
    Engine engine{recorded.engine().config()};
    const std::int64_t engine_began_ns = cpu_time_ns();
    std::uint64_t events = 0;
    for (const Command& command : commands.all)
        engine.apply(command, [&](const Event&) { ++events; });
    const auto engine_spent = static_cast<double>(cpu_time_ns() - engine_began_ns) * 1e-9;

    const nlohmann::ordered_json result{
        {"participants", options.participants},
        {"messages", market.counts().messages},
        {"trades", market.counts().trades},
        {"steps", market.counts().steps},
        {"messages_per_s", messages / spent},
        {"ns_per_message", spent / messages * 1e9},
        {"engine_ns_per_message", engine_spent / messages * 1e9},
        {"ratio_to_engine", spent / engine_spent},
        {"equal", engine.state_hash() == market.engine().state_hash()},
    };
    if (options.json) {
        fmt::print("{}\n", result.dump());
    } else {
        fmt::print(
            "{} participants, {} messages: {:.0f} ns a message ({:.2f} million/s), engine "
            "alone {:.0f} ns\n",
            options.participants, market.counts().messages, spent / messages * 1e9,
            messages / spent * 1e-6, engine_spent / messages * 1e9);
    }
    return engine.state_hash() == market.engine().state_hash() ? 0 : 1;
}

}  // namespace
}  // namespace damrak::bench

int main(int argc, char** argv) {
    damrak::bench::Options options;
    CLI::App app{"Participant messages a second through a market in virtual time"};
    app.add_option("--participants", options.participants)->capture_default_str();
    app.add_option("--seconds", options.seconds, "Virtual time")->capture_default_str();
    app.add_flag("--json", options.json);
    CLI11_PARSE(app, argc, argv);
    return damrak::bench::run(options);
}
