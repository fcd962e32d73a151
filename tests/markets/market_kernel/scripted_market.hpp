// A market of scripted participants, for tests.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <damrak/market_kernel/market.hpp>

namespace damrak::market_tests {

using market_kernel::Connection;
using market_kernel::Market;
using market_kernel::MarketAccess;
using market_kernel::MarketNews;
using market_kernel::MarketSetup;
using market_kernel::OrderHandle;
using market_kernel::Participant;
using market_kernel::Report;

inline constexpr InstrumentId k_first{1};
inline constexpr std::int64_t k_us = 1'000;
inline constexpr Timestamp k_begin{1'000'000'000};

inline InstrumentDefinition instrument(std::uint32_t id = 1) {
    InstrumentDefinition definition{};
    definition.id = {id};
    definition.symbol = Symbol::of("AAA");
    definition.tick_bands[0] = {Price{0}, Price{100}};
    return definition;
}

/// Does what it is given, and writes down what it hears with the time.
class Scripted final : public Participant {
  public:
    struct Heard {
        Report::Kind kind;
        std::int64_t at_ns;  ///< since the beginning
        std::int64_t price;
        std::int64_t quantity;
        friend bool operator==(const Heard&, const Heard&) = default;
    };

    void at(std::int64_t ns, std::function<void(MarketAccess&)> what) {
        script_.emplace_back(ns, std::move(what));
    }
    void on_start(MarketAccess& access) override {
        if (start) start(access);
        for (std::size_t i = 0; i < script_.size(); ++i)
            access.wake_at(k_begin + Timestamp{script_[i].first}, i);
    }
    void on_timer(MarketAccess& access, std::uint64_t key) override { script_[key].second(access); }
    void on_report(MarketAccess& access, const Report& report) override {
        reports.push_back({report.kind, (access.now() - k_begin).value, report.price.value,
                           report.quantity.value});
        last = report;
        if (answer) answer(access, report);
    }
    void on_market(MarketAccess& access, InstrumentId id) override {
        news_ns.push_back((access.now() - k_begin).value);
        seen.push_back(access.view(id));
    }

    std::function<void(MarketAccess&)> start;
    std::function<void(MarketAccess&, const Report&)> answer;
    std::vector<Heard> reports;
    std::vector<std::int64_t> news_ns;
    std::vector<views::PublicChange> seen;
    Report last{};

  private:
    std::vector<std::pair<std::int64_t, std::function<void(MarketAccess&)>>> script_;
};

/// A market of one instrument whose participants are scripted.
class World {
  public:
    Scripted& add(const Connection& connection = {}) {
        auto participant = std::make_unique<Scripted>();
        Scripted& added = *participant;
        setup.seats.push_back({.participant = std::move(participant),
                               .group = "group" + std::to_string(setup.seats.size()),
                               .connection = connection});
        return added;
    }
    Market& run(std::int64_t ns, std::vector<market_kernel::MarketWatcher*> watchers = {}) {
        if (!market) {
            setup.begin = k_begin;
            if (setup.instruments.empty()) setup.instruments.push_back(instrument());
            setup.fundamentals.resize(setup.instruments.size(), {.start = 1'000'000});
            market = std::make_unique<Market>(std::move(setup), std::move(watchers));
        }
        ran = market->run_until(k_begin + Timestamp{ns});
        return *market;
    }

    MarketSetup setup;
    std::unique_ptr<Market> market;
    bool ran = false;
};

inline market_kernel::NewOrder limit(Side side, std::int64_t price, std::int64_t quantity) {
    return {.instrument = k_first, .side = side, .price = {price}, .quantity = {quantity}};
}

inline Connection constant(std::int64_t orders_ns, std::int64_t reports_ns, std::int64_t data_ns) {
    Connection connection;
    connection.orders.base_ns = orders_ns;
    connection.reports.base_ns = reports_ns;
    connection.data.base_ns = data_ns;
    return connection;
}

}  // namespace damrak::market_tests
