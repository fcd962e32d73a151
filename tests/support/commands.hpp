// Commands that the tests of many rooms need: an instrument, and plain orders in it.
#pragma once

#include <cstdint>
#include <string_view>

#include <damrak/domain/command.hpp>
#include <damrak/domain/make_command.hpp>

namespace damrak {

/// A stock that trades in whole cents, within the maxima of the public feeds.
[[nodiscard]] inline InstrumentDetails test_stock(std::string_view symbol = "TEST") {
    return {.symbol = Symbol::of(symbol),
            .tick_size = Price{100},
            .maximum_price = k_published_maximum_price,
            .lot_size = Quantity{1},
            .maximum_quantity = k_published_maximum_quantity,
            .price_decimals = 4};
}

/// An instrument in which every price is valid.
[[nodiscard]] inline InstrumentDetails fine_stock() {
    InstrumentDetails details = test_stock();
    details.tick_size = Price{1};
    return details;
}

[[nodiscard]] inline Command instrument_command(std::uint32_t id,
                                                const InstrumentDetails& details = test_stock()) {
    Command command{};
    command.kind = CommandKind::add_instrument;
    command.instrument = InstrumentId{id};
    command.definition = details;
    return command;
}

/// A limit order for the day.
[[nodiscard]] inline Command order_command(std::uint32_t instrument, std::uint32_t participant,
                                           Side side, std::int64_t price_units,
                                           std::int64_t quantity) {
    return limit_order({.instrument{instrument},
                        .participant{participant},
                        .side = side,
                        .price{price_units},
                        .quantity{quantity}});
}

}  // namespace damrak
