#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "support/command_stream.hpp"
#include "support/venue_profiles.hpp"

namespace damrak {

namespace {

StreamProfile plain() { return {.name = "plain"}; }

StreamProfile everything() {
    return {.name = "everything",
            .weights = {.mass_cancel = 3,
                        .query_order = 20,
                        .add_instrument = 1,
                        .set_trading_state = 2,
                        .set_limits = 2,
                        .set_participant_state = 1,
                        .tick = 20,
                        .end_day = 1,
                        .recorded_trade = 40,
                        .set_phase = 4,
                        .uncross = 12,
                        .set_allocation = 3,
                        .set_lead_maker = 3},
            .mix = {.stop = 12,
                    .gtd = 8,
                    .iceberg = 10,
                    .hidden = 10,
                    .post_only = 8,
                    .minimum = 8,
                    .self_trade_prevention = 50},
            .instruments = 3,
            .swing = 5,
            .sealed = 20};
}

StreamProfile cascades() {
    return {.name = "cascades",
            .settings = {.maximum_events = 32},
            .weights = {.mass_cancel = 3,
                        .set_trading_state = 5,
                        .set_participant_state = 8,
                        .end_day = 1},
            .mix = {.stop = 45, .fok = 6, .iceberg = 5, .self_trade_prevention = 10},
            .instruments = 2,
            .price_steps = 5,
            .swing = 15,
            .open_target = 90,
            .wrong = 2};
}

StreamProfile dark() {
    return {.name = "dark",
            .weights = {.replace_order = 300},
            .mix = {.ioc = 10,
                    .fok = 10,
                    .iceberg = 25,
                    .hidden = 20,
                    .minimum = 25,
                    .self_trade_prevention = 15},
            .price_steps = 3,
            .lots = 30};
}

StreamProfile own_orders() {
    return {.name = "own_orders",
            .settings = {.maximum_events = 80},
            .mix = {.stop = 5,
                    .fok = 12,
                    .iceberg = 20,
                    .hidden = 10,
                    .minimum = 12,
                    .self_trade_prevention = 95},
            .instruments = 1,
            .participants = 2,
            .price_steps = 4,
            .open_target = 50};
}

// Both sides of each participant cross each other's prices, and wait outside the queues.
StreamProfile stopped() {
    return {.name = "stopped",
            .settings = {.maximum_events = 16},
            .weights = {.mass_cancel = 4,
                        .set_trading_state = 4,
                        .set_participant_state = 2,
                        .tick = 20,
                        .end_day = 1},
            .mix = {.stop = 6,
                    .fok = 6,
                    .gtd = 15,
                    .iceberg = 12,
                    .hidden = 12,
                    .post_only = 6,
                    .minimum = 15},
            .instruments = 2,
            .participants = 3,
            .price_steps = 5,
            .open_target = 80,
            .skip_own = true};
}

StreamProfile limits() {
    return {.name = "limits",
            .weights = {.replace_order = 300, .set_limits = 20, .set_participant_state = 2},
            .mix = {.market = 8, .stop = 15, .post_only = 10, .minimum = 4},
            .instruments = 2,
            .participants = 3,
            .swing = 3,
            .tight_limits = true};
}

StreamProfile capacities() {
    return {.name = "capacities",
            .settings = {.maximum_instruments = 6,
                         .maximum_participants = 9,
                         .maximum_orders = 40,
                         .maximum_extensions = 10,
                         .maximum_accounts = 20},
            .weights = {.mass_cancel = 1, .add_instrument = 2, .tick = 30, .end_day = 1},
            .mix = {.stop = 15, .gtd = 15, .iceberg = 15, .minimum = 10},
            .instruments = 2,
            .participants = 4,
            .open_target = 60};
}

StreamProfile operators() {
    return {.name = "operators",
            .settings = {.maximum_events = 16},
            .weights = {.mass_cancel = 6,
                        .add_instrument = 2,
                        .add_tick_band = 3,
                        .set_trading_state = 6,
                        .set_participant_state = 4,
                        .tick = 20,
                        .end_day = 2},
            .mix = {.stop = 15, .gtd = 30, .iceberg = 8, .hidden = 8, .minimum = 5},
            .instruments = 4,
            .participants = 4,
            .open_target = 150};
}

StreamProfile wrong() {
    return {.name = "wrong",
            .settings = {.maximum_instruments = 8, .maximum_participants = 10},
            .weights = {.cancel_order = 200,
                        .replace_order = 250,
                        .mass_cancel = 5,
                        .query_order = 40,
                        .add_instrument = 8,
                        .add_tick_band = 8,
                        .set_trading_state = 4,
                        .set_limits = 4,
                        .set_participant_state = 4,
                        .tick = 10,
                        .end_day = 1,
                        .recorded_trade = 60,
                        .set_phase = 8,
                        .uncross = 20,
                        .set_allocation = 20,
                        .set_lead_maker = 20},
            .mix = {.stop = 15,
                    .gtd = 10,
                    .iceberg = 12,
                    .hidden = 12,
                    .post_only = 12,
                    .minimum = 12,
                    .self_trade_prevention = 50},
            .wrong = 45};
}

StreamProfile extremes() {
    return {.name = "extremes",
            .weights = {.set_limits = 1,
                        .tick = 1,
                        .end_day = 1,
                        .set_phase = 3,
                        .uncross = 6,
                        .set_allocation = 3},
            .mix = {.stop = 10, .iceberg = 10, .hidden = 5, .post_only = 10, .minimum = 5},
            .instruments = 3,
            .swing = 3,
            .wrong = 10,
            .extreme = true};
}

StreamProfile deep() {
    return {.name = "deep",
            .settings = {.maximum_events = 256},
            .weights = {.cancel_order = 200, .mass_cancel = 1},
            .mix = {.stop = 10,
                    .gtd = 5,
                    .iceberg = 10,
                    .hidden = 10,
                    .self_trade_prevention = 40,
                    .large = 10},
            .instruments = 2,
            .participants = 12,
            .price_steps = 60,
            .swing = 2,
            .open_target = 500};
}

// A recording is played among clients. Its orders skip each other.
StreamProfile recorded() {
    return {.name = "recorded",
            .settings = {.maximum_events = 16},
            .weights = {.mass_cancel = 1,
                        .set_trading_state = 2,
                        .tick = 10,
                        .end_day = 1,
                        .recorded_trade = 250},
            .mix = {.stop = 8, .gtd = 8, .iceberg = 15, .hidden = 15, .minimum = 12},
            .instruments = 2,
            .participants = 4,
            .price_steps = 5,
            .swing = 3,
            .open_target = 80,
            .skip_own = true};
}

}  // namespace

std::span<const StreamProfile> stream_profiles() {
    static const std::vector<StreamProfile> k_profiles = [] {
        std::vector<StreamProfile> all{
            plain(),      everything(), cascades(), dark(),     own_orders(), stopped(), limits(),
            capacities(), operators(),  wrong(),    extremes(), deep(),       recorded()};
        const std::vector<StreamProfile> venues = venue_profiles();
        all.insert(all.end(), venues.begin(), venues.end());
        return all;
    }();
    return k_profiles;
}

}  // namespace damrak
