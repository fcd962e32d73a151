// How well and how soon the price of a simulated instrument follows what it is worth, which the
// world knows there: the error of the mid, and how much of news is in it after some time. Pure.
#pragma once

#include <span>

#include <damrak/measures/input.hpp>
#include <damrak/measures/results.hpp>

namespace damrak::measures {

/// The same second in each, one after the other; in price units. A mid of zero: there was none.
struct PricesAndValues {
    std::span<const double> mids;
    std::span<const double> values;
};

/// Adds value_error_Ts, news_response_Ts and news_half_life of docs/reference/measures.md. About a
/// hundred nanoseconds a second of the day.
void report_price_discovery(const PricesAndValues& of, const Settings& settings, Results& results);

}  // namespace damrak::measures
