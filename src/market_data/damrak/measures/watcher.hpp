// What Measures sees pass, for code that needs each observation and not only the
// results.
#pragma once

#include <cstdint>

#include <damrak/measures/input.hpp>
#include <damrak/measures/traded.hpp>

namespace damrak::measures {

class Watcher {
  public:
    virtual ~Watcher() = default;
    Watcher() = default;
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;

    /// Each full second since midnight, with the best prices and what was traded so far.
    virtual void on_second(std::int64_t /*second*/, const Top& /*top*/, const Traded& /*traded*/) {}
    /// A message about an order that joins or improves the best price, or rests there, or about a
    /// hidden one; `before` as for trades.
    virtual void on_best_message(const OrderMessage& /*message*/, const Top& /*before*/) {}
    /// All of an order was cancelled that joined or improved the best price at `entered`.
    virtual void on_cancelled(Timestamp /*entered*/, Timestamp /*time*/) {}
    /// `before`: the best prices before the first change with this time stamp.
    virtual void on_trade(const PublicTrade& /*trade*/, const Top& /*before*/) {}
    /// `top` stood until this time, inclusive.
    virtual void on_stood(const Top& /*top*/, Timestamp /*until*/) {}
};

}  // namespace damrak::measures
