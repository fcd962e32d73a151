// A day put together by hand, for tests of measures.
#pragma once

#include <cstdint>
#include <string_view>

#include <gtest/gtest.h>

#include <damrak/measures/measures.hpp>

namespace damrak::measures_tests {

inline constexpr std::int64_t k_second = 1'000'000'000;
inline constexpr Timestamp k_morning{34'200 * k_second};

/// Times in seconds since the morning; prices in price units; 100 shares at each best price.
class DayByHand {
  public:
    explicit DayByHand(const measures::Settings& settings = {}) : measures(settings) {}

    /// The best prices from this time on; zero: that side is empty.
    bool quote(double at_s, std::int64_t bid, std::int64_t ask, std::int64_t bid_quantity = 100,
               std::int64_t ask_quantity = 100) {
        views::PublicChange change = now(at_s);
        change.kind = views::PublicChange::Kind::level;
        const auto level = [&](Side side, std::int64_t price, std::int64_t quantity) {
            change.side = side;
            change.price = {price};
            change.quantity = {quantity};
            return measures.on_change(change);
        };
        change.bid = {bid};
        change.ask = {ask};
        change.bid_quantity = {bid == 0 ? 0 : bid_quantity};
        change.ask_quantity = {ask == 0 ? 0 : ask_quantity};
        const views::PublicChange old = last;
        bool sound = true;
        if (old.has_bid() && old.bid != change.bid) sound &= level(Side::buy, old.bid.value, 0);
        if (old.has_ask() && old.ask != change.ask) sound &= level(Side::sell, old.ask.value, 0);
        if (bid != 0) sound &= level(Side::buy, bid, bid_quantity);
        if (ask != 0) sound &= level(Side::sell, ask, ask_quantity);
        last = change;
        return sound;
    }
    /// The best prices stay, unless a quote of the same time follows.
    bool trade(double at_s, Side aggressor, std::int64_t price, std::int64_t quantity = 100) {
        views::PublicChange change = now(at_s);
        change.kind = views::PublicChange::Kind::trade;
        change.side = aggressor;
        change.price = {price};
        change.quantity = {quantity};
        return measures.on_change(change);
    }
    measures::Results finish(double at_s) { return measures.finish(time(at_s)); }

    static Timestamp time(double at_s) {
        return k_morning + Timestamp{static_cast<std::int64_t>(at_s * 1e9)};
    }

    measures::Measures measures;
    views::PublicChange last{};

  private:
    views::PublicChange now(double at_s) const {
        views::PublicChange change = last;
        change.time = time(at_s);
        return change;
    }
};

/// Fails where the measure is absent.
inline double value_of(const measures::Results& results, std::string_view name) {
    const measures::Value* const value = results.find(name);
    EXPECT_NE(value, nullptr) << name;
    return value == nullptr ? 0 : value->value;
}

/// Observations of a measure; zero where it is absent.
inline std::uint64_t count_of(const measures::Results& results, std::string_view name) {
    const measures::Value* const value = results.find(name);
    return value == nullptr ? 0 : value->count;
}

}  // namespace damrak::measures_tests
