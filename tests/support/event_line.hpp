// An event as a short line, for tests that are read beside the rule book: zeros and derivable
// fields are left out, prices are in the currency.
//
//   accepted #1 100@10.00 shows 100          rests, displayed ("hidden", "held": undisplayed)
//   accepted #2 100@10.00                    continues as an incoming order
//   executed #1 40@10.00 left 60 shows 60 trade 1
//   executed #2 40@10.00 left 0 takes trade 1
//   cancelled self_trade #2 60@10.00 left 0
//   replaced #1>#3 @10.00 left 50 shows 50   old and new id; refreshed, rested: and public id
//   rejected price_off_tick
//   mass_cancelled 3
#pragma once

#include <string>

#include <damrak/domain/event.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak {

[[nodiscard]] std::string price_text(Price price);
[[nodiscard]] std::string event_line(const Event& event);

}  // namespace damrak
