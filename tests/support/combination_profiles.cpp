// Spreads and baskets in streams of commands.
#include <vector>

#include "support/venue_profiles.hpp"

namespace damrak {

namespace {

// Spreads, baskets and their legs, with all that may stand in the way of implied prices.
StreamProfile combinations() {
    return {.name = "combinations",
            .settings = {.maximum_events = 16},
            .weights = {.mass_cancel = 2,
                        .set_trading_state = 3,
                        .tick = 5,
                        .end_day = 1,
                        .recorded_trade = 4,
                        .set_phase = 3,
                        .uncross = 20,
                        .set_price_limits = 1,
                        .set_price_band = 2,
                        .set_allocation = 1,
                        .bust_trade = 4,
                        .set_combination = 3},
            .mix = {.stop = 6,
                    .fok = 5,
                    .gtd = 3,
                    .iceberg = 10,
                    .hidden = 8,
                    .post_only = 6,
                    .minimum = 4,
                    .self_trade_prevention = 15,
                    .pegged = 4,
                    .to_limit = 10,
                    .trailing = 30},
            .instruments = 8,
            .participants = 8,
            .price_steps = 4,
            .swing = 2,
            .lots = 12,
            .open_target = 120,
            .combined_lot = 1};
}

// The same in lots, and without baskets.
StreamProfile combinations_in_lots() {
    StreamProfile profile = combinations();
    profile.name = "combinations_in_lots";
    profile.combined_lot = 10;
    return profile;
}

// The same with quotes, protected and hit across the books, and with linked orders.
StreamProfile combined_quotes() {
    StreamProfile profile = combinations();
    profile.name = "combined_quotes";
    profile.settings.maximum_extensions = 60;
    profile.weights.quote = 200;
    profile.weights.set_quote_protection = 15;
    profile.weights.set_limits = 3;
    profile.weights.set_participant_state = 2;
    profile.mix.market = 12;
    profile.mix.stop = 18;
    profile.mix.linked = 30;
    profile.participants = 5;
    return profile;
}

}  // namespace

std::vector<StreamProfile> combination_profiles() {
    return {combinations(), combinations_in_lots(), combined_quotes()};
}

}  // namespace damrak
