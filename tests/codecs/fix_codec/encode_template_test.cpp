// Templates write the same bytes as the general writer.
#include <damrak/fix_codec/encode_template.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace damrak::fix_codec::encode_template_test {
namespace {

constexpr auto k_precision = TimePrecision::nanoseconds;

std::string text(std::span<const char> message) { return {message.begin(), message.end()}; }

MessageTemplate order_template() {
    MessageTemplate order{BeginString::fixt11, "D"};
    order.slot(tag::msg_seq_num).put(tag::sender_comp_id, "CLIENT1").slot(tag::sending_time);
    order.put(tag::symbol, "NOKIA.HE").slot(tag::cl_ord_id).slot(tag::side).slot(tag::price);
    order.put(tag::no_party_ids, 2).put(tag::party_id, std::string(100, 'p'));
    return order.slot(tag::poss_dup_flag);
}

class TemplateTest : public ::testing::Test {
  protected:
    std::string by_template(std::uint64_t number, Timestamp time, const std::string& id,
                            std::size_t bytes = 2'000) {
        memory_.assign(bytes + k_guard, '#');
        TemplateWriter writer{template_, std::span{memory_}.first(bytes), times_};
        writer.put(number).put_timestamp(time, k_precision).put(id).put_char('1');
        writer.put_decimal(static_cast<std::int64_t>(number) - 500, 4).put_bool(number % 2 == 0);
        return text(writer.finish());
    }
    std::string by_writer(std::uint64_t number, Timestamp time, const std::string& id) {
        std::vector<char> memory(2'000);
        MessageWriter writer{memory, times_};
        writer.begin(BeginString::fixt11, "D");
        writer.put(tag::msg_seq_num, number).put(tag::sender_comp_id, "CLIENT1");
        writer.put_timestamp(tag::sending_time, time, k_precision).put(tag::symbol, "NOKIA.HE");
        writer.put(tag::cl_ord_id, id).put_char(tag::side, '1');
        writer.put_decimal(tag::price, static_cast<std::int64_t>(number) - 500, 4);
        writer.put(tag::no_party_ids, 2).put(tag::party_id, std::string(100, 'p'));
        writer.put_bool(tag::poss_dup_flag, number % 2 == 0);
        return text(writer.finish());
    }

    static constexpr std::size_t k_guard = 64;
    MessageTemplate template_ = order_template();
    TimestampCache times_;
    std::vector<char> memory_;
};

TEST_F(TemplateTest, EveryMessageEqualsThatOfTheGeneralWriter) {
    std::uint64_t number = 1;
    for (std::size_t i = 0; i < 300; ++i) {
        const Timestamp time{static_cast<std::int64_t>(i) * 7'777'777'777};
        const std::string id(1 + i % 60, static_cast<char>('a' + i % 26));
        ASSERT_EQ(by_template(number, time, id), by_writer(number, time, id));
        number = number * 3 % 1'000'000'000'039 + i;
    }
}

TEST_F(TemplateTest, TheMinimumRoomSufficesExceptForTheExcessOfLongTexts) {
    const std::size_t bytes = template_.bytes();
    const auto fits = [&](std::size_t text, std::size_t room) {
        return !by_template(UINT64_MAX / 2, {0}, std::string(text, 'x'), room).empty();
    };
    EXPECT_TRUE(fits(32, bytes));
    EXPECT_FALSE(fits(33, bytes));
    EXPECT_TRUE(fits(33, bytes + 1));
    EXPECT_FALSE(fits(500, bytes + 467));
    EXPECT_TRUE(fits(500, bytes + 468));
    EXPECT_FALSE(fits(1, bytes - 1));
}

TEST_F(TemplateTest, AMessageThatDoesNotFitIsEmptyAndStaysWithinTheMemory) {
    bool fitted_before = false;
    for (std::size_t bytes = 0; bytes < 500; ++bytes) {
        const std::string message = by_template(42, {1}, "order-1", bytes);
        EXPECT_TRUE(std::ranges::all_of(std::span{memory_}.last(k_guard), [](char c) {
            return c == '#';
        })) << bytes;
        EXPECT_FALSE(fitted_before && message.empty()) << bytes;
        fitted_before = !message.empty();
    }
    EXPECT_TRUE(fitted_before);
}

TEST_F(TemplateTest, AMessageWithoutSlotsIsComplete) {
    MessageTemplate logout{BeginString::fix42, "5"};
    logout.put(tag::text, "bye");
    std::vector<char> memory(200);
    TemplateWriter writer{logout, memory, times_};
    MessageWriter plain{memory_ = std::vector<char>(200), times_};
    plain.begin(BeginString::fix42, "5");
    plain.put(tag::text, "bye");
    EXPECT_EQ(text(writer.finish()), text(plain.finish()));
}

}  // namespace
}  // namespace damrak::fix_codec::encode_template_test
