// How prices of options and results in currency become price units, and back.
#pragma once

namespace damrak::app {

inline constexpr double k_price_units = 10'000;  ///< of one unit of currency

}  // namespace damrak::app
