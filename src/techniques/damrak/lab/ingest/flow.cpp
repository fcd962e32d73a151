#include <damrak/lab/ingest/flow.hpp>

#include <damrak/base/random.hpp>
#include <damrak/lab/ladder/rungs.hpp>

namespace damrak::lab::ingest {

namespace {

constexpr std::uint32_t k_waits = 1'000;  // new orders before a cancel
constexpr std::uint32_t k_cancelled_percent = 60;
constexpr std::uint32_t k_width_ticks = 100;
constexpr std::size_t k_rung = 8;  // of the ladder: only used to find the orders that remain

/// Tracks filled orders, which all have one share.
struct Filled {
    std::vector<bool> ids;

    template <class Trade>
    void trade(const Trade& made) {
        ids[made.taker] = true;
        ids[made.maker] = true;
    }
    template <class Reason>
    void refused(const Reason&) {}
};

}  // namespace

// Only its owner may cancel an order; each side is a participant of its own.
ladder::Request cancel_of(const ladder::Request& order) {
    ladder::Request request = order;
    request.op = ladder::Op::cancel;
    return request;
}

std::vector<ladder::Request> make_flow(std::uint64_t seed) {
    RandomStream random{seed};
    ladder::Rung<k_rung> book{setup()};
    Filled filled{std::vector<bool>(k_new_orders + 1)};
    std::vector<ladder::Request> flow;
    const auto add = [&](const ladder::Request& request) {
        flow.push_back(request);
        book.apply(request, filled);
    };
    std::vector<ladder::Request> orders(k_new_orders + 1);
    std::vector<bool> cancelled(k_new_orders + 1);
    std::uint32_t first_waiting = 1;  // of orders without a decision
    for (std::uint32_t id = 1; id <= k_new_orders; ++id) {
        ladder::Request request;
        request.op = ladder::Op::limit;
        request.side = random.below(2) == 0 ? Side::buy : Side::sell;
        request.quantity = 1;
        request.price_ticks = k_middle_ticks - static_cast<std::int32_t>(k_width_ticks / 2) +
                              static_cast<std::int32_t>(random.below(k_width_ticks));
        request.id = id;
        orders[id] = request;
        add(request);
        if (id <= k_waits) continue;
        // Some of these are filled by then: late cancels are part of the work.
        cancelled[first_waiting] = random.below(100) < k_cancelled_percent;
        if (cancelled[first_waiting]) add(cancel_of(orders[first_waiting]));
        ++first_waiting;
    }
    for (std::uint32_t id = 1; id <= k_new_orders; ++id)
        if (!cancelled[id] && !filled.ids[id]) flow.push_back(cancel_of(orders[id]));
    return flow;
}

std::vector<ladder::Request> make_flow_of(std::uint32_t sender, std::uint64_t seed) {
    std::vector<ladder::Request> flow = make_flow(seed + sender);
    for (ladder::Request& request : flow)
        request.id += k_more_senders_from + (sender - 1) * std::uint64_t{k_new_orders + 1};
    return flow;
}

std::vector<ladder::Request> make_published_flow(std::uint64_t seed) {
    constexpr std::uint32_t k_ticks = 10;
    constexpr std::uint32_t k_most_shares = 100;
    RandomStream random{seed};
    std::vector<ladder::Request> flow;
    flow.reserve(k_published_orders);
    for (std::uint32_t id = 1; id <= k_published_orders; ++id) {
        ladder::Request request;
        request.op = ladder::Op::limit;
        request.side = random.below(2) == 0 ? Side::buy : Side::sell;
        request.quantity = 1 + static_cast<std::uint32_t>(random.below(k_most_shares));
        request.price_ticks = k_middle_ticks - static_cast<std::int32_t>(k_ticks / 2) +
                              static_cast<std::int32_t>(random.below(k_ticks));
        request.id = id;
        flow.push_back(request);
    }
    return flow;
}

ladder::Request pair_order(std::uint32_t index, Side side) {
    ladder::Request request;
    request.op = ladder::Op::limit;
    request.side = side;
    request.quantity = 1;
    request.price_ticks = k_middle_ticks;
    request.id = k_pairs_from + 2 * (index % k_pairs) + (side == Side::buy ? 1 : 0);
    return request;
}

}  // namespace damrak::lab::ingest
