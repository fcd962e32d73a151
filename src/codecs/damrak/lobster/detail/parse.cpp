#include <damrak/lobster/detail/parse.hpp>

#include <algorithm>

namespace damrak::lobster {

namespace {

// Reads the fields of a row in order. On a fault, each reader returns false and leaves the position
// at the beginning of the field.
class FieldScanner {
  public:
    explicit FieldScanner(std::string_view text)
        : at_{text.data()}, end_{text.data() + text.size()} {}

    [[nodiscard]] bool integer(std::int64_t& value) {
        const char* p = at_;
        const bool negative = p != end_ && *p == '-';
        if (negative) ++p;
        std::uint64_t digits = 0;
        if (!read_digits(p, digits)) return false;
        value = negative ? -static_cast<std::int64_t>(digits) : static_cast<std::int64_t>(digits);
        return finish(p);
    }

    [[nodiscard]] bool unsigned_integer(std::uint64_t& value) {
        const char* p = at_;
        return read_digits(p, value) && finish(p);
    }

    // Exact to the nanosecond. Rejects further decimals unless they are the noise of a printed
    // binary floating-point number.
    [[nodiscard]] bool time(std::int64_t& ns, std::size_t& decimals) {
        const char* p = at_;
        std::uint64_t seconds = 0;
        if (!read_digits(p, seconds) || seconds > k_max_time_s) return false;
        std::uint64_t fraction = 0;
        decimals = 0;
        if (p != end_ && *p == '.') {
            const char* const first = ++p;
            if (!read_digits(p, fraction)) return false;
            decimals = static_cast<std::size_t>(p - first);
            for (std::size_t i = decimals; i < k_time_decimals; ++i) fraction *= 10;
            if (decimals > k_time_decimals && !drop_noise(fraction, decimals)) return false;
        }
        ns = static_cast<std::int64_t>(seconds) * k_ns_per_s + static_cast<std::int64_t>(fraction);
        return finish(p);
    }

    [[nodiscard]] bool at_end() const { return done_; }

    [[nodiscard]] FieldFault fault() const {
        if (done_) return {.column = column_, .found = {}, .missing = true};
        return fault_at(at_, column_);
    }
    // The fault of a field that was read but is invalid.
    [[nodiscard]] FieldFault fault_of_last() const { return fault_at(last_, column_ - 1); }
    [[nodiscard]] FieldFault extra() const {
        FieldFault fault = fault_at(at_, column_);
        fault.extra = true;
        return fault;
    }
    [[nodiscard]] std::string_view rest() const { return {at_, end_}; }

  private:
    // 18 digits always fit into 64 bits with a sign.
    [[nodiscard]] bool read_digits(const char*& p, std::uint64_t& value) const {
        constexpr std::ptrdiff_t k_most = 18;
        if (done_) return false;
        const char* const first = p;
        std::uint64_t sum = 0;
        while (p != end_ && *p >= '0' && *p <= '9' && p - first <= k_most) {
            sum = sum * 10 + static_cast<std::uint64_t>(*p++ - '0');
        }
        value = sum;
        return p != first && p - first <= k_most;
    }

    // A double near 86,400 is exact to 0.0073 ns; a larger distance from a nanosecond is not noise.
    [[nodiscard]] static bool drop_noise(std::uint64_t& fraction, std::size_t decimals) {
        std::uint64_t unit = 1;
        for (std::size_t i = k_time_decimals; i < decimals; ++i) unit *= 10;
        const std::uint64_t noise = fraction % unit;
        const std::uint64_t distance = std::min(noise, unit - noise);
        if (distance * 100 > unit) return false;
        fraction = fraction / unit + (noise == distance ? 0 : 1);
        return true;
    }

    // A field ends at a comma or with the row.
    [[nodiscard]] bool finish(const char* p) {
        if (p != end_ && *p != ',') return false;
        last_ = at_;
        ++column_;
        done_ = p == end_;
        at_ = done_ ? p : p + 1;
        return true;
    }

    [[nodiscard]] FieldFault fault_at(const char* begin, std::size_t column) const {
        return {.column = column, .found = {begin, std::find(begin, end_, ',')}};
    }

    const char* at_;
    const char* end_;
    const char* last_{};
    std::size_t column_{};
    bool done_{};
};

bool is_participant(std::string_view text) {
    if (text == "null") return true;
    return !text.empty() && text.size() <= 4 &&
           std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool moves_the_book(EventType type) { return type <= EventType::execute_hidden; }

}  // namespace

std::expected<ParsedMessage, FieldFault> parse_message_row(std::string_view text) {
    FieldScanner fields{text};
    ParsedMessage parsed;
    MessageRow& row = parsed.row;
    std::int64_t type = 0;
    std::int64_t direction = 0;
    if (!fields.time(row.time_ns, parsed.time_decimals)) return std::unexpected{fields.fault()};
    if (!fields.integer(type)) return std::unexpected{fields.fault()};
    if (type < 1 || type > 7) return std::unexpected{fields.fault_of_last()};
    row.type = static_cast<EventType>(type);
    const std::int64_t least = moves_the_book(row.type) ? 1 : 0;
    if (row.type == EventType::cross) {
        std::int64_t kind = 0;
        if (!fields.integer(kind)) return std::unexpected{fields.fault()};
        row.order_id = static_cast<std::uint64_t>(kind);
    } else if (!fields.unsigned_integer(row.order_id)) {
        return std::unexpected{fields.fault()};
    }
    if (!fields.integer(row.size)) return std::unexpected{fields.fault()};
    if (row.size < least) return std::unexpected{fields.fault_of_last()};
    if (!fields.integer(row.price_e4)) return std::unexpected{fields.fault()};
    if (row.price_e4 < least && least > 0) return std::unexpected{fields.fault_of_last()};
    if (!fields.integer(direction)) return std::unexpected{fields.fault()};
    if (direction != 1 && direction != -1) return std::unexpected{fields.fault_of_last()};
    row.side = direction == 1 ? Side::buy : Side::sell;
    if (!fields.at_end()) {
        if (!is_participant(fields.rest())) return std::unexpected{fields.extra()};
        parsed.has_seventh_column = true;
    }
    return parsed;
}

std::expected<void, FieldFault> parse_book_row(std::string_view text, std::span<BookLevel> levels) {
    FieldScanner fields{text};
    for (BookLevel& level : levels) {
        if (!fields.integer(level.ask_price_e4)) return std::unexpected{fields.fault()};
        if (!fields.integer(level.ask_size)) return std::unexpected{fields.fault()};
        if (level.ask_size < 0) return std::unexpected{fields.fault_of_last()};
        if (!fields.integer(level.bid_price_e4)) return std::unexpected{fields.fault()};
        if (!fields.integer(level.bid_size)) return std::unexpected{fields.fault()};
        if (level.bid_size < 0) return std::unexpected{fields.fault_of_last()};
    }
    if (!fields.at_end()) return std::unexpected{fields.extra()};
    return {};
}

std::size_t count_columns(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count(text, ',')) + 1;
}

}  // namespace damrak::lobster
