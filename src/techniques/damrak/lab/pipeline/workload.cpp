#include <damrak/lab/pipeline/workload.hpp>

#include <algorithm>
#include <array>
#include <span>

#include <damrak/base/random.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/lab/ladder/book_engine.hpp>
#include <damrak/wire/binary/encode.hpp>
#include <damrak/wire/binary/messages.hpp>

namespace damrak::lab::pipeline {

namespace {

namespace binary = wire::binary;

/// Draws messages and tracks their outcome, so that cancels name open orders.
class Maker {
  public:
    explicit Maker(const WorkloadOptions& options)
        : random_(options.seed), numbers_(options.symbols), orders_(options.orders + 1U) {
        workload_.orders = options.orders;
        workload_.setup = {.symbols = options.symbols,
                           .price_max_ticks = 2 * Workload::k_middle_ticks,
                           .orders = options.orders};
        workload_.frames.reserve(std::size_t{64} * options.orders);
    }

    Workload make() {
        ladder::BookEngine book{workload_.setup};
        for (number_ = 1; number_ <= workload_.orders; ++number_) {
            const bool cancels = random_.below(10) == 0 && !open_.empty();
            const ladder::Request request = cancels ? draw_cancel() : draw_order();
            if (cancels) {
                send_cancel(request);
                close(static_cast<std::uint32_t>(request.id));
            } else {
                send_order(request);
            }
            std::uint32_t left = request.quantity;
            const auto refusal = book.submit(request, [&](const ladder::Trade<std::int32_t>& t) {
                ++workload_.trades;
                left -= t.quantity;
                fill(static_cast<std::uint32_t>(t.maker), t.quantity);
            });
            DAMRAK_ASSERT(refusal == ladder::Refusal::none);
            if (request.op == ladder::Op::limit && left > 0) open(request, left);
            workload_.open_orders_max = std::max(workload_.open_orders_max, open_.size());
        }
        workload_.setup.orders = static_cast<std::uint32_t>(workload_.open_orders_max) + 1;
        return std::move(workload_);
    }

  private:
    struct Order {
        std::uint64_t exchange_id = 0;  ///< id that the exchange will assign
        std::uint32_t symbol = 0;
        std::uint32_t client = 0;
        std::uint32_t quantity = 0;
        std::uint32_t place = 0;  ///< index among the open ones
    };

    std::uint32_t draw_client() { return 1 + random_.below(Workload::k_clients); }

    ladder::Request draw_order() {
        ladder::Request request{.op = ladder::Op::limit,
                                .side = random_.coin() ? Side::buy : Side::sell,
                                .ioc = false,
                                .symbol = random_.below(workload_.setup.symbols),
                                .quantity = 1 + random_.below(100),
                                .price_ticks = 0,
                                .id = number_};
        // The other 90 parts of a hundred: 40 rest, 30 cross, 20 are market orders.
        const std::uint32_t kind = random_.below(90);
        const auto away = static_cast<std::int32_t>(1 + random_.below(Workload::k_reach_ticks));
        const bool crosses = kind >= 40;
        const bool up = (request.side == Side::sell) != crosses;
        request.price_ticks = Workload::k_middle_ticks + (up ? away : -away);
        if (kind >= 70) request.op = ladder::Op::market;
        return request;
    }
    ladder::Request draw_cancel() {
        const std::uint32_t id = open_[random_.below(static_cast<std::uint32_t>(open_.size()))];
        return {.op = ladder::Op::cancel,
                .side = Side::buy,
                .ioc = false,
                .symbol = orders_[id].symbol,
                .quantity = 0,
                .price_ticks = 0,
                .id = id};
    }

    void send_order(const ladder::Request& request) {
        // The exchange numbers the orders of each instrument.
        Order& order = orders_[number_];
        order.exchange_id = allocated_id({request.symbol + 1}, ++numbers_[request.symbol]);
        order.symbol = request.symbol;
        order.client = draw_client();
        const bool market = request.op == ladder::Op::market;
        send(binary::NewOrder{
            .client_id = {order.client},
            .client_order_id = {number_},
            .instrument = {request.symbol + 1},
            .side = static_cast<std::uint8_t>(request.side),
            .order_type = static_cast<std::uint8_t>(market),
            .time_in_force = 0,
            .quantity = request.quantity,
            .price_e2 = market ? 0 : static_cast<std::uint64_t>(request.price_ticks),
            .good_till_us = 0});
    }
    void send_cancel(const ladder::Request& request) {
        const Order& order = orders_[request.id];
        send(binary::CancelOrder{.client_id = {order.client},
                                 .order_id = {order.exchange_id},
                                 .client_order_id = {request.id},
                                 .instrument = {request.symbol + 1}});
    }
    template <class M>
    void send(const M& message) {
        std::array<std::byte, 128> frame{};
        const std::size_t length =
            binary::encode(binary::Version::v2, {.client = number_, .server = 0}, message, frame);
        const auto bytes = std::span{frame}.first(length);
        workload_.frames.insert(workload_.frames.end(), bytes.begin(), bytes.end());
    }

    void open(const ladder::Request& request, std::uint32_t left) {
        const auto id = static_cast<std::uint32_t>(request.id);
        orders_[id].quantity = left;
        orders_[id].place = static_cast<std::uint32_t>(open_.size());
        open_.push_back(id);
    }
    void fill(std::uint32_t id, std::uint32_t quantity) {
        orders_[id].quantity -= quantity;
        if (orders_[id].quantity == 0) close(id);
    }
    void close(std::uint32_t id) {
        const std::uint32_t last = open_.back();
        open_[orders_[id].place] = last;
        orders_[last].place = orders_[id].place;
        open_.pop_back();
    }

    Workload workload_;
    RandomStream random_;
    std::vector<std::uint64_t> numbers_;  ///< orders of each symbol so far
    std::vector<Order> orders_;           ///< by number
    std::vector<std::uint32_t> open_;
    std::uint32_t number_ = 0;
};

}  // namespace

Workload make_workload(const WorkloadOptions& options) { return Maker{options}.make(); }

}  // namespace damrak::lab::pipeline
