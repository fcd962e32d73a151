#include "support/venue_profiles.hpp"

#include <vector>

namespace damrak {

namespace {

// Orders collect and cross in calls, by every rule of price determination.
StreamProfile auctions() {
    return {.name = "auctions",
            .settings = {.maximum_events = 16},
            .weights = {.mass_cancel = 2,
                        .set_trading_state = 2,
                        .tick = 10,
                        .end_day = 1,
                        .recorded_trade = 10,
                        .set_phase = 40,
                        .uncross = 60,
                        .bust_trade = 4,
                        .correct_trade = 8},
            .mix = {.market = 12,
                    .stop = 10,
                    .ioc = 3,
                    .gtd = 8,
                    .iceberg = 15,
                    .hidden = 12,
                    .post_only = 4,
                    .minimum = 8,
                    .auction = 15,
                    .imbalance_only = 20},
            .instruments = 3,
            .participants = 5,
            .price_steps = 8,
            .swing = 3,
            .open_target = 80,
            .skip_own = true};
}

// One auction after the other, with sealed orders between them.
StreamProfile batches() {
    return {.name = "batches",
            .settings = {.maximum_events = 16},
            .weights = {.mass_cancel = 2,
                        .set_trading_state = 2,
                        .tick = 10,
                        .end_day = 1,
                        .recorded_trade = 5,
                        .set_phase = 30,
                        .uncross = 60},
            .mix = {.market = 8,
                    .stop = 6,
                    .ioc = 12,
                    .gtd = 8,
                    .iceberg = 15,
                    .hidden = 8,
                    .post_only = 3,
                    .minimum = 6},
            .instruments = 3,
            .participants = 5,
            .price_steps = 4,
            .swing = 3,
            .lots = 30,
            .open_target = 90,
            .sealed = 85,
            .skip_own = true};
}

// The same with market orders that become limits, in calls that are sealed later.
StreamProfile sealed_later() {
    StreamProfile profile = batches();
    profile.name = "sealed_later";
    profile.mix.market = 45;
    profile.mix.to_limit = 80;
    profile.sealed = 60;
    return profile;
}

// The orders at a price share what comes in, by the policies of venues.
StreamProfile sharing() {
    return {.name = "sharing",
            .settings = {.maximum_events = 16},
            .weights = {.mass_cancel = 2,
                        .tick = 10,
                        .recorded_trade = 10,
                        .set_phase = 3,
                        .uncross = 10,
                        .set_price_limits = 3,
                        .set_price_band = 3,
                        .set_allocation = 8,
                        .set_lead_maker = 12,
                        .bust_trade = 4,
                        .correct_trade = 8},
            .mix = {.stop = 4,
                    .fok = 8,
                    .gtd = 4,
                    .iceberg = 15,
                    .hidden = 8,
                    .post_only = 2,
                    .minimum = 6,
                    .self_trade_prevention = 25,
                    .large = 15},
            .instruments = 3,
            .participants = 12,
            .price_steps = 3,
            .swing = 3,
            .lots = 30,
            .open_target = 120};
}

// Auctions with single orders or none, so that every tie of the rules comes up.
StreamProfile small_auctions() {
    return {.name = "small_auctions",
            .weights = {.mass_cancel = 25, .add_tick_band = 2, .set_phase = 80, .uncross = 150},
            .mix = {.market = 25, .stop = 4, .ioc = 1, .fok = 1, .large = 0},
            .instruments = 4,
            .price_steps = 5,
            .swing = 10,
            .lots = 3,
            .open_target = 20};
}

// Corridors, bands and collars of a few ticks, which orders reach all the time.
StreamProfile price_limits() {
    return {.name = "price_limits",
            .settings = {.maximum_events = 16},
            .weights = {.mass_cancel = 2,
                        .add_tick_band = 1,
                        .set_trading_state = 4,
                        .tick = 10,
                        .end_day = 1,
                        .set_phase = 12,
                        .uncross = 60,
                        .set_price_limits = 15,
                        .set_price_band = 20},
            .mix = {.market = 12,
                    .stop = 12,
                    .gtd = 4,
                    .iceberg = 8,
                    .hidden = 8,
                    .post_only = 4,
                    .minimum = 8,
                    .self_trade_prevention = 30},
            .instruments = 4,
            .participants = 4,
            .price_steps = 8,
            .swing = 4,
            .open_target = 60};
}

// The same with own orders in the way.
StreamProfile own_crosses() {
    StreamProfile profile = price_limits();
    profile.name = "own_crosses";
    profile.participants = 2;
    profile.skip_own = true;
    return profile;
}

// Orders that follow the best prices, and meet each other in the middle.
StreamProfile pegged() {
    return {.name = "pegged",
            .settings = {.maximum_events = 16},
            .weights = {.cancel_order = 200,
                        .mass_cancel = 3,
                        .add_tick_band = 3,
                        .set_trading_state = 3,
                        .tick = 10,
                        .end_day = 1,
                        .recorded_trade = 10,
                        .set_phase = 3,
                        .uncross = 20,
                        .set_price_limits = 4,
                        .set_price_band = 4},
            .mix = {.market = 12,
                    .stop = 10,
                    .gtd = 5,
                    .iceberg = 8,
                    .hidden = 10,
                    .post_only = 5,
                    .minimum = 6,
                    .self_trade_prevention = 30,
                    .pegged = 25},
            .instruments = 2,
            .participants = 4,
            .price_steps = 6,
            .swing = 5,
            .open_target = 60};
}

// Stops that follow the market, and market orders that become limits; in calls as well.
StreamProfile following() {
    return {.name = "following",
            .settings = {.maximum_events = 16},
            .weights = {.mass_cancel = 2,
                        .add_tick_band = 3,
                        .set_trading_state = 3,
                        .tick = 10,
                        .end_day = 1,
                        .recorded_trade = 10,
                        .set_phase = 6,
                        .uncross = 30,
                        .set_price_limits = 1,
                        .set_price_band = 1},
            .mix = {.market = 20,
                    .stop = 30,
                    .gtd = 8,
                    .hidden = 10,
                    .minimum = 4,
                    .self_trade_prevention = 20,
                    .to_limit = 70,
                    .trailing = 70},
            .instruments = 2,
            .participants = 4,
            .price_steps = 6,
            .swing = 5,
            .open_target = 60};
}

// Orders for auctions only, which wait, join calls, offset what they leave and end with them.
StreamProfile auction_orders() {
    return {.name = "auction_orders",
            .settings = {.maximum_events = 16},
            .weights = {.mass_cancel = 2,
                        .set_trading_state = 2,
                        .tick = 5,
                        .end_day = 2,
                        .set_phase = 40,
                        .uncross = 40,
                        .set_price_limits = 4,
                        .set_price_band = 4},
            .mix = {.market = 20,
                    .stop = 4,
                    .iceberg = 8,
                    .hidden = 8,
                    .minimum = 4,
                    .self_trade_prevention = 10,
                    .auction = 60,
                    .imbalance_only = 40},
            .instruments = 3,
            .participants = 5,
            .price_steps = 6,
            .swing = 3,
            .open_target = 80,
            .sealed = 15};
}

// Orders that cancel or trigger each other; in calls and batches as well.
StreamProfile linked() {
    return {.name = "linked",
            .settings = {.maximum_extensions = 30, .maximum_events = 16},
            .weights = {.mass_cancel = 4,
                        .add_tick_band = 1,
                        .set_trading_state = 4,
                        .tick = 10,
                        .end_day = 2,
                        .recorded_trade = 10,
                        .set_phase = 8,
                        .uncross = 30,
                        .set_price_limits = 2,
                        .set_price_band = 2,
                        .set_allocation = 1},
            .mix = {.market = 10,
                    .stop = 30,
                    .gtd = 8,
                    .iceberg = 6,
                    .hidden = 8,
                    .post_only = 4,
                    .minimum = 4,
                    .self_trade_prevention = 25,
                    .pegged = 4,
                    .trailing = 10,
                    .linked = 50},
            .instruments = 2,
            .participants = 4,
            .price_steps = 6,
            .swing = 5,
            .open_target = 70,
            .sealed = 15};
}

// Quotes that are entered, hit, replaced and protected; under limits that they reach.
StreamProfile quotes() {
    return {.name = "quotes",
            .settings = {.maximum_orders = 90, .maximum_extensions = 30, .maximum_events = 16},
            .weights = {.mass_cancel = 4,
                        .set_trading_state = 3,
                        .set_limits = 5,
                        .set_participant_state = 3,
                        .tick = 10,
                        .end_day = 1,
                        .recorded_trade = 10,
                        .set_phase = 6,
                        .uncross = 30,
                        .set_price_limits = 2,
                        .set_price_band = 2,
                        .set_allocation = 2,
                        .quote = 350,
                        .set_quote_protection = 25},
            .mix = {.market = 12,
                    .stop = 12,
                    .iceberg = 5,
                    .hidden = 6,
                    .minimum = 5,
                    .self_trade_prevention = 25,
                    .pegged = 4,
                    .linked = 6},
            .instruments = 2,
            .participants = 4,
            .price_steps = 4,
            .swing = 5,
            .open_target = 60,
            .sealed = 15,
            .tight_limits = true};
}

// Prices around zero, in everything that computes with them.
StreamProfile below_zero() {
    return {.name = "below_zero",
            .settings = {.maximum_events = 16},
            .weights = {.mass_cancel = 2,
                        .add_instrument = 1,
                        .add_tick_band = 3,
                        .set_trading_state = 2,
                        .set_limits = 6,
                        .tick = 5,
                        .end_day = 1,
                        .recorded_trade = 8,
                        .set_phase = 10,
                        .uncross = 40,
                        .set_price_limits = 4,
                        .set_price_band = 6,
                        .set_allocation = 2,
                        .bust_trade = 8},
            .mix = {.market = 12,
                    .stop = 15,
                    .gtd = 4,
                    .iceberg = 8,
                    .hidden = 8,
                    .post_only = 8,
                    .minimum = 6,
                    .self_trade_prevention = 25,
                    .pegged = 2,
                    .to_limit = 30,
                    .trailing = 5,
                    .auction = 8},
            .instruments = 4,
            .participants = 5,
            .price_steps = 8,
            .swing = 4,
            .open_target = 80,
            .below_zero = true};
}

}  // namespace

std::vector<StreamProfile> venue_profiles() {
    std::vector profiles{auctions(),  small_auctions(), price_limits(), own_crosses(),
                         sharing(),   batches(),        sealed_later(), pegged(),
                         following(), auction_orders(), linked(),       quotes(),
                         below_zero()};
    for (const StreamProfile& one : combination_profiles()) profiles.push_back(one);
    return profiles;
}

}  // namespace damrak
