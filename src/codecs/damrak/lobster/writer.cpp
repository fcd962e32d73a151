#include <damrak/lobster/writer.hpp>

#include <array>
#include <charconv>
#include <concepts>

#include <damrak/base/assert.hpp>

namespace damrak::lobster {

namespace {

void append_integer(std::string& out, std::integral auto value) {
    std::array<char, 20> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    DAMRAK_ASSERT(error == std::errc{});
    out.append(digits.data(), end);
}

void append_time(std::string& out, std::int64_t time_ns) {
    append_integer(out, time_ns / k_ns_per_s);
    std::int64_t fraction = time_ns % k_ns_per_s;
    if (fraction == 0) return;
    std::array<char, k_time_decimals> digits{};
    std::size_t used = 0;
    for (std::size_t i = digits.size(); i-- > 0; fraction /= 10) {
        digits[i] = static_cast<char>('0' + fraction % 10);
        if (used == 0 && digits[i] != '0') used = i + 1;
    }
    out += '.';
    out.append(digits.data(), used);
}

}  // namespace

void append_row(std::string& out, const MessageRow& row) {
    DAMRAK_ASSERT(row.time_ns >= 0);
    append_time(out, row.time_ns);
    out += ',';
    append_integer(out, static_cast<int>(row.type));
    out += ',';
    if (row.type == EventType::cross)
        append_integer(out, static_cast<std::int64_t>(row.order_id));
    else
        append_integer(out, row.order_id);
    out += ',';
    append_integer(out, row.size);
    out += ',';
    append_integer(out, row.price_e4);
    out += row.side == Side::buy ? ",1\n" : ",-1\n";
}

void append_row(std::string& out, std::span<const BookLevel> levels) {
    DAMRAK_ASSERT(!levels.empty());
    for (const BookLevel& level : levels) {
        for (const std::int64_t field :
             {level.ask_price_e4, level.ask_size, level.bid_price_e4, level.bid_size}) {
            append_integer(out, field);
            out += ',';
        }
    }
    out.back() = '\n';
}

}  // namespace damrak::lobster
