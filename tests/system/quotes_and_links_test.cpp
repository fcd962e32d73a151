// Quotes, linked orders and prices below zero over real sockets, in both wirings: by FIX and by
// version 2 of the binary protocol, whose bytes are put together by hand.
#include <cstdint>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "raw_binary.hpp"
#include "support/fix_client.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::quotes_and_links_test {
namespace {

using testing::FixClient;
using testing::FixFields;
using testing::get;
using testing::put;
using testing::RawClient;
using testing::RunningServer;

constexpr const char* k_instruments =
    "[[instruments]]\nid = 1\nsymbol = \"ONE\"\n"
    "[[instruments]]\nid = 2\nsymbol = \"SPREAD\"\nunpublished = true\nminimum_price = -100\n"
    "maximum_price = 100\n"
    "[[instruments]]\nid = 3\nsymbol = \"HALTED\"\nhalted = true\n";

class QuotesAndLinks : public ::testing::TestWithParam<const char*> {
  protected:
    testing::ScratchFolder folder_;
    const std::string config_ = folder_.write("serve.toml", k_instruments).string();
    RunningServer server_{(folder_ / "data").string(),
                          (folder_ / "log").string(),
                          {"--config", config_, "--only", "fix,binary", "--wiring", GetParam()}};
};

INSTANTIATE_TEST_SUITE_P(Wirings, QuotesAndLinks, ::testing::Values("inline", "pipelined"),
                         [](const auto& of) { return std::string{of.param}; });

/// These tags of the next message.
std::string told(FixClient& client, std::initializer_list<int> tags) {
    auto message = client.receive();
    if (!message) return "nothing";
    std::string line = (*message)[35];
    for (const int tag : tags) line += fmt::format(" {}={}", tag, (*message)[tag]);
    return line;
}

std::string order(const std::string& name, const std::string& symbol, char side, int quantity,
                  const std::string& price) {
    return fmt::format("35=D|11={}|55={}|54={}|60=20260302-09:00:00|38={}|40=2|44={}", name, symbol,
                       side, quantity, price);
}

TEST_P(QuotesAndLinks, AMassQuoteTrades) {
    FixClient maker{"FIX.4.4", "MAKER"};
    FixClient taker{"FIX.4.4", "TAKER"};
    ASSERT_TRUE(maker.connect(server_.fix_port()) && taker.connect(server_.fix_port()));
    maker.send(
        "35=i|117=q1|296=1|302=s|304=2|295=2|299=a|55=ONE|132=9|133=11|134=10|135=20|"
        "299=b|55=NONE|132=1|134=1");
    EXPECT_EQ(told(maker, {117, 297, 299, 368}), "b 117=q1 297=0 299=b 368=1");
    taker.send(order("t", "ONE", '2', 4, "9"));
    EXPECT_EQ(told(taker, {150, 39}), "8 150=0 39=0");
    EXPECT_EQ(told(taker, {150, 39, 31}), "8 150=F 39=2 31=9");
    EXPECT_EQ(told(maker, {150, 11, 31, 151}), "8 150=F 11=q1 31=9 151=6");
    maker.send("35=Z|117=z|298=4");
    EXPECT_EQ(told(maker, {117, 297}), "b 117=z 297=4");
    taker.send(order("u", "ONE", '2', 4, "9") + "|59=3");
    EXPECT_EQ(told(taker, {150, 39}), "8 150=0 39=0");
    EXPECT_EQ(told(taker, {150, 39}), "8 150=4 39=4");
}

TEST_P(QuotesAndLinks, AListIsTwoOrdersOfWhichOneCancelsTheOther) {
    FixClient client{"FIXT.1.1", "LISTS"};
    FixClient taker{"FIX.4.4", "TAKER"};
    ASSERT_TRUE(client.connect(server_.fix_port()) && taker.connect(server_.fix_port()));
    client.send(
        "35=E|66=L1|394=3|1385=1|68=2|73=2|11=a|67=1|55=ONE|54=2|38=10|40=2|44=11|59=1|"
        "11=b|67=2|55=ONE|54=2|38=10|40=3|99=9|59=1");
    // The next one waits until the list is done.
    client.send(order("c", "ONE", '1', 1, "1"));
    EXPECT_EQ(told(client, {66, 429, 431, 1385}), "N 66=L1 429=1 431=1 1385=1");
    EXPECT_EQ(told(client, {150, 11, 66}), "8 150=0 11=a 66=L1");
    EXPECT_EQ(told(client, {150, 11, 66}), "8 150=0 11=b 66=L1");
    EXPECT_EQ(told(client, {150, 11, 66}), "8 150=0 11=c 66=");
    taker.send(order("t", "ONE", '1', 10, "11"));
    EXPECT_EQ(told(client, {150, 11, 66}), "8 150=F 11=a 66=L1");
    EXPECT_EQ(told(client, {150, 11, 66}), "8 150=4 11=b 66=L1");
    client.send(
        "35=E|66=L2|394=3|1385=2|68=2|73=2|11=d|67=1|55=HALTED|54=2|38=10|40=2|44=11|"
        "11=e|67=2|55=HALTED|54=1|38=10|40=2|44=9");
    EXPECT_EQ(told(client, {66, 431}), "N 66=L2 431=1");
    EXPECT_EQ(told(client, {150, 11, 66}), "8 150=8 11=d 66=L2");
    EXPECT_EQ(told(client, {150, 11, 66, 58}),
              "8 150=8 11=e 66=L2 58=the other order of the list was refused");
    client.send(
        "35=E|66=L3|394=3|1385=1|68=2|73=2|11=f|67=1|55=ONE|54=2|38=10|40=2|44=11|"
        "11=g|67=2|55=ONE|54=2|38=10|40=2|44=999999");
    EXPECT_EQ(told(client, {150, 11, 66, 58}),
              "8 150=8 11=f 66=L3 58=the other order of the list was refused");
    EXPECT_EQ(told(client, {150, 11, 66}), "8 150=8 11=g 66=L3");
}

TEST_P(QuotesAndLinks, ReportsOfAListAreSentAgain) {
    FixClient client{"FIXT.1.1", "LISTS"};
    ASSERT_TRUE(client.connect(server_.fix_port()));
    client.send(
        "35=E|66=L1|394=3|1385=1|68=2|73=2|11=a|67=1|55=ONE|54=2|38=10|40=2|44=11|59=1|"
        "11=b|67=2|55=ONE|54=2|38=10|40=3|99=9|59=1");
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(client.receive());
    client.close();
    // As one that has lost all that came after the Logon.
    client.go_on_with(3, 2);
    ASSERT_TRUE(client.connect(server_.fix_port()));
    EXPECT_EQ(told(client, {43, 66, 431}), "N 43=Y 66=L1 431=1");
    EXPECT_EQ(told(client, {43, 150, 11, 66}), "8 43=Y 150=0 11=a 66=L1");
    EXPECT_EQ(told(client, {43, 150, 11, 66}), "8 43=Y 150=0 11=b 66=L1");
}

// A client of version 2 that fills in its own id.
class BinaryV2 {
  public:
    explicit BinaryV2(std::uint16_t port) : wire_(port) {
        send(1, [](testing::Bytes& body) { put(body, 0, 8); }, false);
        id_ = get(wire_.receive(32), 16, 8);
    }
    template <class Fill>
    void send(std::uint8_t type, Fill&& fill, bool with_id = true) {
        testing::Bytes body;
        if (with_id) put(body, id_, 8);
        fill(body);
        testing::Bytes frame;
        put(frame, type, 1);
        put(frame, 2, 1);
        put(frame, body.size(), 2);
        put(frame, ++sequence_, 4);
        put(frame, 0, 8);
        frame.insert(frame.end(), body.begin(), body.end());
        wire_.send(frame);
    }
    void new_order(std::uint64_t name, std::uint64_t side, std::uint64_t quantity,
                   std::uint64_t price, std::uint32_t instrument = 1) {
        send(10, [&](testing::Bytes& body) {
            put(body, name, 8);
            put(body, instrument, 4);
            put(body, side, 1);
            put(body, 0, 3);
            put(body, quantity, 8);
            put(body, price, 8);
            put(body, UINT64_MAX, 8);
        });
    }
    [[nodiscard]] testing::Bytes receive(std::size_t bytes) { return wire_.receive(bytes); }

  private:
    RawClient wire_;
    std::uint32_t sequence_ = 0;
    std::uint64_t id_ = 0;
};

constexpr std::size_t k_ack_bytes = 72;
constexpr std::size_t k_quote_ack_bytes = 80;
constexpr std::size_t k_trade_bytes = 72;
constexpr std::size_t k_changed_bytes = 72;

TEST_P(QuotesAndLinks, FixAndVersion2TradeBelowZeroAndToVersion1ThereIsNoSuchInstrument) {
    FixClient buyer{"FIX.4.4", "BUYER"};
    FixClient seller{"FIX.4.2", "SELLER"};
    ASSERT_TRUE(buyer.connect(server_.fix_port()) && seller.connect(server_.fix_port()));
    buyer.send(order("b", "SPREAD", '1', 10, "-2.50"));
    EXPECT_EQ(told(buyer, {150, 44}), "8 150=0 44=-2.5");
    buyer.send(order("z", "SPREAD", '1', 10, "0"));
    EXPECT_EQ(told(buyer, {150, 44}), "8 150=0 44=0");
    buyer.send(order("low", "SPREAD", '1', 10, "-100.01"));
    EXPECT_EQ(told(buyer, {150, 58}), "8 150=8 58=Price -100.01: it must be at least -100");
    seller.send(order("s", "SPREAD", '2', 12, "-3") + "|21=1");
    EXPECT_EQ(told(seller, {150}), "8 150=0");
    EXPECT_EQ(told(seller, {150, 31, 32}), "8 150=1 31=0 32=10");
    EXPECT_EQ(told(seller, {150, 31, 32}), "8 150=2 31=-2.5 32=2");
    EXPECT_EQ(told(buyer, {150, 11, 31, 6}), "8 150=F 11=z 31=0 6=0");
    EXPECT_EQ(told(buyer, {150, 11, 31, 6}), "8 150=F 11=b 31=-2.5 6=-2.5");
    BinaryV2 version2{server_.port()};
    const auto price_e2 = static_cast<std::uint64_t>(-250);
    version2.new_order(1, 1, 5, price_e2, 2);
    const auto ack = version2.receive(k_ack_bytes);
    EXPECT_EQ(get(ack, 68, 1), 4U) << "filled";
    EXPECT_EQ(get(ack, 40, 8), price_e2);
    EXPECT_EQ(get(version2.receive(k_trade_bytes), 56, 8), price_e2);
    EXPECT_EQ(told(buyer, {150, 11, 31, 32}), "8 150=F 11=b 31=-2.5 32=5");
    const RawClient binary{server_.port()};
    const auto login = testing::hello(binary);
    EXPECT_EQ(testing::place(binary, 2, login.client, {.price_e2 = 100, .instrument = 2}).status,
              2U);
    EXPECT_EQ(
        testing::place(binary, 3, login.client, {.price_e2 = price_e2, .instrument = 2}).status,
        2U);
}

TEST_P(QuotesAndLinks, AQuoteOfTheBinaryProtocolIsProtected) {
    BinaryV2 maker{server_.port()};
    BinaryV2 taker{server_.port()};
    maker.send(33, [](testing::Bytes& body) {
        put(body, 1, 4);
        put(body, 0, 4);
        put(body, 10, 8);
        put(body, 60'000'000, 8);
    });
    const auto protection = maker.receive(32);
    EXPECT_EQ(get(protection, 0, 1), 34U);
    EXPECT_EQ(get(protection, 28, 2), 0x0100U) << "accepted, no reason";
    maker.send(31, [](testing::Bytes& body) {
        put(body, 7, 8);
        put(body, 1, 4);
        put(body, 0, 4);
        put(body, 100, 8);
        put(body, 900, 8);
        put(body, 50, 8);
        put(body, 1'100, 8);
    });
    const auto quote = maker.receive(k_quote_ack_bytes);
    EXPECT_EQ(get(quote, 0, 1), 32U);
    EXPECT_EQ(get(quote, 24, 8), 7U) << "its client order id";
    EXPECT_EQ(get(quote, 32, 8), 1U) << "the order id of the bid";
    EXPECT_EQ(get(quote, 40, 8), 2U);
    EXPECT_EQ(get(quote, 48, 8), 100U);
    EXPECT_EQ(get(quote, 56, 8), 50U);
    EXPECT_EQ(get(quote, 76, 1), 1U);
    taker.new_order(1, 1, 12, 900);
    EXPECT_EQ(get(maker.receive(k_trade_bytes), 0, 1), 16U);
    for (const std::uint64_t lost : {88U, 50U}) {
        const auto changed = maker.receive(k_changed_bytes);
        EXPECT_EQ(get(changed, 0, 1), 35U);
        EXPECT_EQ(get(changed, 40, 8), lost);
        EXPECT_EQ(get(changed, 68, 2), 0x0162U) << "cancelled, quote protection";
    }
}

TEST_P(QuotesAndLinks, LinkedOrdersOfTheBinaryProtocolFollowEachOther) {
    BinaryV2 client{server_.port()};
    BinaryV2 taker{server_.port()};
    client.new_order(1, 1, 10, 1'100);
    const std::uint64_t first = get(client.receive(k_ack_bytes), 24, 8);
    client.send(30, [&](testing::Bytes& body) {
        put(body, 2, 8);
        put(body, 1, 4);
        put(body, 1, 1);
        put(body, 3, 1);  // stop
        put(body, 0, 1);
        put(body, 1, 1);  // one cancels the other
        put(body, 10, 8);
        put(body, 0, 8);
        put(body, UINT64_MAX, 8);
        put(body, 900, 8);
        put(body, first, 8);
    });
    const auto ack = client.receive(k_ack_bytes);
    EXPECT_EQ(get(ack, 0, 1), 11U);
    EXPECT_EQ(get(ack, 68, 1), 1U);
    taker.new_order(1, 0, 4, 1'100);
    EXPECT_EQ(get(client.receive(k_trade_bytes), 48, 8), 4U);
    const auto changed = client.receive(k_changed_bytes);
    EXPECT_EQ(get(changed, 24, 8), get(ack, 24, 8));
    EXPECT_EQ(get(changed, 40, 8), 4U);
    EXPECT_EQ(get(changed, 48, 8), 6U);
    EXPECT_EQ(get(changed, 68, 2), 0x0160U) << "cancelled, linked order";
}

}  // namespace
}  // namespace damrak::quotes_and_links_test
