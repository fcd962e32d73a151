// Puts another matching engine under the neutral order flow: its trades must be those of the flow,
// one by one. docs/how-to/test-your-engine.md explains it.
//
//   own_engine                            tests MyBook in this program, through the adapter below
//   own_engine orders > orders.csv        for an engine in another language: the orders …
//   own_engine check < trades.csv         … and whether its trades are right
//
// A second argument is the number of orders, 100,000 without it. Ends with exit status 1 at the
// first difference.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <damrak/generator/flow.hpp>

#include "my_engine.hpp"

namespace {

using namespace damrak::generator;
using damrak::Side;

// The adapter: an order of the flow becomes a call of your engine.
class Adapter {
  public:
    MyBook::Trades operator()(const FlowOrder& order) {
        MyBook& book = books_[order.symbol];
        switch (order.op) {
            case Nw1Op::add:
                return book.enter(order.order_id, order.side == Side::buy, order.price_ticks,
                                  order.quantity, order.ioc);
            case Nw1Op::cancel:
                book.cancel(order.order_id);
                return {};
            case Nw1Op::replace:
                return book.replace(order.order_id, order.price_ticks, order.quantity);
        }
        return {};
    }

  private:
    std::map<std::uint32_t, MyBook> books_;
};

std::vector<std::string> lines_of(std::uint32_t symbol, const MyBook::Trades& trades) {
    std::vector<std::string> lines;
    for (const MyTrade& trade : trades)
        lines.push_back(fmt::format("{},{},{},{},{}", symbol, trade.taker, trade.maker, trade.price,
                                    trade.quantity));
    return lines;
}

MyBook::Trades expected_of(const FlowStep& step) {
    MyBook::Trades trades;
    for (const MarketEvent& event : step.events)
        if (event.kind == MarketEventKind::executed)
            trades.push_back({event.taker_id, event.order_id, event.price_ticks, event.quantity});
    return trades;
}

void print_order(const FlowOrder& order) {
    constexpr const char* k_ops[] = {"add", "cancel", "replace"};
    fmt::print("{},{},{},{},{},{},{}\n", k_ops[static_cast<std::size_t>(order.op)],
               order.side == Side::buy ? "buy" : "sell", order.ioc ? "ioc" : "day", order.symbol,
               order.order_id, order.price_ticks, order.quantity);
}

/// The lines of the trades of an order; `most` is how many there should be.
using Engine = std::function<std::vector<std::string>(const FlowOrder& order, std::size_t most)>;

int check(OrderFlow& flow, const Engine& engine) {
    std::size_t orders = 0;
    std::size_t trades = 0;
    while (const FlowStep* const step = flow.next()) {
        ++orders;
        const auto wanted = lines_of(step->order.symbol, expected_of(*step));
        const auto got = engine(step->order, wanted.size());
        trades += wanted.size();
        if (got == wanted) continue;
        fmt::print("order {} differs:\n  ", orders);
        print_order(step->order);
        fmt::print("expected {} trades:\n", wanted.size());
        for (const std::string& line : wanted) fmt::print("  {}\n", line);
        fmt::print("but was:\n");
        for (const std::string& line : got) fmt::print("  {}\n", line);
        return 1;
    }
    fmt::print("{} orders, {} trades: all as expected\n", orders, trades);
    return 0;
}

int check_my_engine(OrderFlow& flow) {
    Adapter adapter;
    return check(flow, [&](const FlowOrder& order, std::size_t) {
        return lines_of(order.symbol, adapter(order));
    });
}

int check_input(OrderFlow& flow) {
    std::string line;
    std::getline(std::cin, line);  // the header
    const int result = check(flow, [&](const FlowOrder&, std::size_t most) {
        std::vector<std::string> lines;
        while (lines.size() < most && std::getline(std::cin, line)) lines.push_back(line);
        return lines;
    });
    if (result == 0 && std::getline(std::cin, line)) {
        fmt::print("but there are more trades:\n  {}\n", line);
        return 1;
    }
    return result;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view mode = argc > 1 ? argv[1] : "";
    auto flow = OrderFlow::create({.messages = argc > 2 ? std::stoull(argv[2]) : 100'000});
    if (!flow) return fmt::print(stderr, "{}\n", flow.error()), 1;
    if (mode == "check") return check_input(*flow);
    if (mode.empty()) return check_my_engine(*flow);
    fmt::print("op,side,life,symbol,id,price,quantity\n");
    while (const FlowStep* const step = flow->next()) print_order(step->order);
    return 0;
}
