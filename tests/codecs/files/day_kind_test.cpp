// What a file is, from its first bytes: days are told apart, and files of others are named.
#include <damrak/files/day_kind.hpp>

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/bytes.hpp"
#include "support/real_data.hpp"

namespace damrak::files::day_kind_test {
namespace {

using damrak::testing::bytes_of;
using damrak::testing::from_hex;
using ::testing::HasSubstr;

struct Foreign {
    std::string_view begin;
    std::string_view name;
};

TEST(DayKindOf, TellsRecordedDaysApart) {
    EXPECT_EQ(day_kind(bytes_of("DAMRAKAR\2"), "x"), DayKind::archived_day);
    EXPECT_EQ(day_kind(bytes_of("DBN\3"), "x.csv"), DayKind::dbn) << "the content counts";
    EXPECT_EQ(day_kind(from_hex("000c 53 0000"), "x.csv.gz"), DayKind::lobster)
        << "too little to tell, but its name";
    EXPECT_EQ(day_kind(from_hex("000c 53 0000 0000 0a2d f4c4 0000 4f"), "x"), DayKind::itch);
    for (const std::string_view rows :
         {"34200.017459617,5,0,1,2238200,-1\n34200,1,2,3,4,1\n", "34200;1;2;3;4;1",
          "\xef\xbb\xbf"
          "34200.0,1,2,3,4,1\r\n",
          "Time,Type,Order ID,Size,Price,Direction\n"})
        EXPECT_EQ(day_kind(bytes_of(rows), "x"), DayKind::lobster) << rows;
    EXPECT_EQ(day_kind(bytes_of("hello"), "x"), DayKind::itch) << "its reader says what it saw";
}

TEST(DayKindOf, NamesTheFilesOfOthers) {
    for (const auto& [begin, name] :
         {Foreign{"exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount\n",
                  "a Tardis CSV file, incremental_book_L2"},
          Foreign{"exchange,symbol,timestamp,local_timestamp,asks[0].price,asks[0].amount,",
                  "a Tardis CSV file, book_snapshot"},
          Foreign{"exchange,symbol,timestamp,local_timestamp,id,side,price,amount\n",
                  "a Tardis CSV file, trades"},
          Foreign{"exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,",
                  "a Tardis CSV file, quotes"},
          Foreign{"symbol,timestamp,first_update_id,last_update_id,side,update_type,price,qty\n",
                  "a Binance CSV file of an order book"},
          Foreign{"id,price,qty,quote_qty,time,is_buyer_maker\n", "a Binance CSV file of trades"},
          Foreign{"1,20377.0,0.1,2037.7,1667346579146,true\n", "a Binance CSV file of trades"},
          Foreign{",ts_recv,ts_event,rtype,publisher_id,", "a Databento CSV file"},
          Foreign{"TIMESTAMP,ORDER_ID,PRICE,SIZE,BUY_SELL_FLAG\n", "an ABIDES file of orders"},
          Foreign{"1737918843893903000 {\"channel\":\"l2Book\",\"data\":{}}\n", "lines of JSON"},
          Foreign{"DAMRAKEV", "the events of an exchange"}, Foreign{"PK\x03\x04", "a zip archive"}})
        EXPECT_THAT(day_kind(bytes_of(begin), "the file").error(),
                    HasSubstr("the file: this is " + std::string{name}));
    EXPECT_THAT(day_kind(from_hex("4d3cb2a1"), "x").error(), HasSubstr("a pcap packet capture"));
}

TEST(DayKindOf, RealFilesIsTheirs) {
    for (const auto& [file, name] :
         {Foreign{"abides_sample_orders_file.csv", "an ABIDES file of orders"},
          Foreign{"asx_ntp_itch_1.05_AddOrder.pcap", "a pcap packet capture"},
          Foreign{"binance_btcusdt-depth-snap.csv", "a Binance CSV file of an order book"},
          Foreign{"databento_mbo_first999.csv", "a Databento CSV file"},
          Foreign{"databento_mbp-10_first299.csv", "a Databento CSV file"},
          Foreign{"hyperliquid_btcusd_20250126.gz", "lines of JSON"},
          Foreign{"tardis_binance-futures_book_snapshot_5_BTCUSDT.csv", "book_snapshot"},
          Foreign{"tardis_bitmex_trades_XBTUSD.csv", "trades"},
          Foreign{"tardis_deribit_incremental_book_L2_BTC-PERPETUAL.csv", "incremental_book_L2"},
          Foreign{"tardis_huobi-dm-swap_quotes_BTC-USD.csv", "quotes"}}) {
        DAMRAK_REAL_DATA_OR_SKIP(path, "foreign/" + std::string{file});
        const auto kind = day_kind(path);
        ASSERT_FALSE(kind) << file;
        EXPECT_THAT(kind.error(), HasSubstr(name)) << file;
    }
}

}  // namespace
}  // namespace damrak::files::day_kind_test
