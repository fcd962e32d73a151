// Every rung of the ladder is a working exchange: on random flows each gives the trades and the
// refusals of the plainest exchange, one for one, and in the end has the same orders in its books.

#include <damrak/lab/ladder/rungs.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/base/random.hpp>

#include "support/lab/plain_exchange.hpp"

namespace damrak::lab::ladder::rungs_test {
namespace {

/// Answers of an exchange as text.
struct Answers {
    std::vector<std::string> lines;
    template <class Price>
    void trade(const Trade<Price>& trade) {
        lines.push_back(fmt::format("{} takes {} of {} at {}", trade.taker, trade.quantity,
                                    trade.maker, ticks_of(trade.price)));
    }
    void refused(std::string_view reason) { lines.emplace_back(reason); }
};

struct Flow {
    Setup setup;
    std::vector<Request> requests;
};

struct FlowShape {
    std::uint64_t seed = 1;
    std::uint32_t symbols = 3;
    std::int32_t price_max_ticks = 200;
    std::int32_t spread_ticks = 12;  ///< around a middle that wanders
    bool scattered_ids = false;
    std::uint32_t requests = 2'500;
};

/// Any bijection spreads ids; this one keeps them from 1.
std::uint64_t id_of(std::uint64_t number, bool scattered) {
    return scattered ? mix_bits(number) : number;
}

class FlowMaker {
  public:
    explicit FlowMaker(const FlowShape& shape) : shape_(shape), random_(shape.seed) {}

    Flow make() {
        Flow flow{.setup = {.symbols = shape_.symbols,
                            .price_max_ticks = shape_.price_max_ticks,
                            .orders = shape_.requests},
                  .requests = {}};
        // Which ids are open is known from the plain exchange, so that many requests meet an order.
        PlainExchange plain{flow.setup};
        Answers ignored;
        for (std::uint32_t i = 0; i < shape_.requests; ++i) {
            const Request request = next(plain.open());
            plain.apply(request, ignored);
            flow.requests.push_back(request);
        }
        drain(flow, plain);
        return flow;
    }

  private:
    // Mostly short of the other side, so that books fill.
    std::int32_t price(Side side) {
        if (random_.below(200) == 0) middle_ = 1 + below(shape_.price_max_ticks);
        const std::int32_t inside = below(shape_.spread_ticks * 4 / 3) - shape_.spread_ticks / 3;
        return std::clamp(middle_ + (side == Side::buy ? -inside : inside), 1,
                          shape_.price_max_ticks);
    }
    std::int32_t below(std::int32_t bound) {
        return static_cast<std::int32_t>(random_.below(static_cast<std::uint32_t>(bound)));
    }

    Request next(const std::vector<Request>& open) {
        Request request{.op = Op::limit,
                        .side = random_.coin() ? Side::buy : Side::sell,
                        .ioc = random_.below(10) == 0,
                        .symbol = random_.below(shape_.symbols),
                        .quantity = 1 + random_.below(50),
                        .price_ticks = 0,
                        .id = id_of(++number_, shape_.scattered_ids)};
        request.price_ticks = price(request.side);
        const std::uint32_t kind = random_.below(100);
        if (kind < 6) request.op = Op::market;
        if (kind >= 75 && !open.empty()) aim(request, open, kind < 87 ? Op::cancel : Op::replace);
        spoil(request, open);
        return request;
    }
    // At an order that is open, where there is one; it keeps its side and symbol.
    void aim(Request& request, const std::vector<Request>& open, Op op) {
        request.op = op;
        request.ioc = false;
        const Request& order = open[random_.below(static_cast<std::uint32_t>(open.size()))];
        request.id = order.id;
        request.side = order.side;
        request.symbol = order.symbol;
    }
    // Makes some requests invalid in one way each.
    void spoil(Request& request, const std::vector<Request>& open) {
        const bool priced = request.op == Op::limit || request.op == Op::replace;
        const bool fresh = request.op == Op::limit || request.op == Op::market;
        switch (random_.below(40)) {
            case 0:
                if (request.op != Op::cancel) request.quantity = 0;
                break;
            case 1:
                if (priced) request.price_ticks = random_.coin() ? 0 : shape_.price_max_ticks + 1;
                break;
            case 2:
                if (fresh && !open.empty()) {
                    const Request& order =
                        open[random_.below(static_cast<std::uint32_t>(open.size()))];
                    request.id = order.id;
                    request.symbol = order.symbol;
                }
                break;
            case 3:
                if (!fresh) request.id = gone(open);
                break;
            default:
                break;
        }
    }
    // Id of a closed or unknown order.
    std::uint64_t gone(const std::vector<Request>& open) {
        const std::uint64_t id = id_of(1 + random_.below(number_ + 5), shape_.scattered_ids);
        return std::ranges::find(open, id, &Request::id) == open.end()
                   ? id
                   : id_of(number_ + 5, shape_.scattered_ids);
    }
    // Market orders that take all there is show what was left, and in which order it lay.
    static void drain(Flow& flow, const PlainExchange& plain) {
        std::uint64_t id = flow.requests.size() + 10;
        for (std::uint32_t symbol = 0; symbol < flow.setup.symbols; ++symbol)
            for (const Side side : {Side::buy, Side::sell})
                flow.requests.push_back({.op = Op::market,
                                         .side = side,
                                         .ioc = false,
                                         .symbol = symbol,
                                         .quantity = 1'000'000,
                                         .price_ticks = 0,
                                         .id = ++id});
        ASSERT_FALSE(plain.open().empty()) << "a flow that leaves nothing shows little";
    }

    FlowShape shape_;
    RandomStream random_;
    std::uint32_t number_ = 0;
    std::int32_t middle_ = shape_.price_max_ticks / 2;
};

/// The first request that an exchange answers otherwise than the plain one; empty: none.
template <class Exchange>
std::string first_difference(const Flow& flow) {
    PlainExchange plain{flow.setup};
    Exchange exchange{flow.setup};
    for (std::size_t i = 0; i < flow.requests.size(); ++i) {
        Answers expected;
        Answers got;
        plain.apply(flow.requests[i], expected);
        exchange.apply(flow.requests[i], got);
        if (got.lines != expected.lines)
            return fmt::format("request {}: expected [{}], got [{}]", i,
                               fmt::join(expected.lines, "; "), fmt::join(got.lines, "; "));
    }
    return {};
}

std::vector<Flow> flows(bool any_ids) {
    std::vector<Flow> all;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) all.push_back(FlowMaker{{.seed = seed}}.make());
    // Prices far apart, and queues that are long.
    all.push_back(FlowMaker{{.seed = 7, .price_max_ticks = 10'000, .spread_ticks = 900}}.make());
    all.push_back(FlowMaker{{.seed = 8, .symbols = 1, .price_max_ticks = 3}}.make());
    if (any_ids)
        for (std::uint64_t seed = 9; seed <= 11; ++seed)
            all.push_back(FlowMaker{{.seed = seed, .scattered_ids = true}}.make());
    return all;
}

template <std::size_t k_rung>
void expect_like_the_plain_one() {
    for (const Flow& flow : flows(k_rung_infos[k_rung].any_ids))
        EXPECT_EQ(first_difference<Rung<k_rung>>(flow), "") << k_rung_infos[k_rung].name;
}

TEST(LadderRung, Rung0AnswersLikeThePlainExchange) { expect_like_the_plain_one<0>(); }
TEST(LadderRung, Rung1AnswersLikeThePlainExchange) { expect_like_the_plain_one<1>(); }
TEST(LadderRung, Rung2AnswersLikeThePlainExchange) { expect_like_the_plain_one<2>(); }
TEST(LadderRung, Rung3AnswersLikeThePlainExchange) { expect_like_the_plain_one<3>(); }
TEST(LadderRung, Rung4AnswersLikeThePlainExchange) { expect_like_the_plain_one<4>(); }
TEST(LadderRung, Rung5AnswersLikeThePlainExchange) { expect_like_the_plain_one<5>(); }
TEST(LadderRung, Rung6AnswersLikeThePlainExchange) { expect_like_the_plain_one<6>(); }
TEST(LadderRung, Rung7AnswersLikeThePlainExchange) { expect_like_the_plain_one<7>(); }
TEST(LadderRung, Rung8AnswersLikeThePlainExchange) { expect_like_the_plain_one<8>(); }
TEST(LadderRung, Rung9AnswersLikeThePlainExchange) { expect_like_the_plain_one<9>(); }
TEST(LadderRung, Rung10AnswersLikeThePlainExchange) { expect_like_the_plain_one<10>(); }

TEST(LadderRung, TheFlowsHoldWhatCanGoWrong) {
    // Each kind of answer many times over all flows; otherwise agreeing would mean little.
    std::uint64_t trades = 0;
    std::uint64_t refusals = 0;
    std::vector<std::uint64_t> by_reason(5);
    for (const Flow& flow : flows(true)) {
        PlainExchange plain{flow.setup};
        for (const Request& request : flow.requests) {
            Answers answers;
            plain.apply(request, answers);
            for (const std::string& line : answers.lines) {
                if (line.contains(" takes ")) ++trades;
                for (const Refusal refusal : {Refusal::invalid_quantity, Refusal::invalid_price,
                                              Refusal::duplicate_id, Refusal::unknown})
                    if (line == text_of(refusal)) ++by_reason[static_cast<std::size_t>(refusal)];
            }
        }
    }
    for (std::size_t i = 1; i < by_reason.size(); ++i) {
        EXPECT_GT(by_reason[i], 100U) << i;
        refusals += by_reason[i];
    }
    EXPECT_GT(trades, refusals);
}

// Exchanges with a single fault each, which the comparison has to find.
template <Op k_op>
class Forgetful : public Rung<8> {
  public:
    using Rung<8>::Rung;
    template <class Sink>
    void apply(const Request& request, Sink& sink) {
        if (request.op == k_op && ++seen_ == 100) return;
        Rung<8>::apply(request, sink);
    }

  private:
    int seen_ = 0;
};
class LateInQueue : public Rung<4> {
  public:
    using Rung<4>::Rung;
    // Makes an order lose its place: enters it, cancels it, and enters it again after the next one.
    template <class Sink>
    void apply(const Request& request, Sink& sink) {
        if (request.op == Op::limit && !request.ioc && ++seen_ == 50) {
            held_ = request;
            return;
        }
        Rung<4>::apply(request, sink);
        if (held_.id == 0 || request.op != Op::limit) return;
        Rung<4>::apply(held_, sink);
        held_ = {};
    }

  private:
    int seen_ = 0;
    Request held_{};
};

TEST(LadderRung, AWrongRungIsFound) {
    const Flow flow = FlowMaker{{.seed = 3}}.make();
    EXPECT_NE(first_difference<Forgetful<Op::limit>>(flow), "");
    EXPECT_NE(first_difference<Forgetful<Op::market>>(flow), "");
    EXPECT_NE(first_difference<Forgetful<Op::cancel>>(flow), "");
    EXPECT_NE(first_difference<Forgetful<Op::replace>>(flow), "");
    EXPECT_NE(first_difference<LateInQueue>(
                  FlowMaker{{.seed = 8, .symbols = 1, .price_max_ticks = 3}}.make()),
              "");
}

}  // namespace
}  // namespace damrak::lab::ladder::rungs_test
