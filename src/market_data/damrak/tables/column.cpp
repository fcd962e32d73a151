#include <damrak/tables/column.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>

namespace damrak::tables {

std::string_view name_of(Type type) {
    switch (type) {
        case Type::time:
            return "time";
        case Type::uint64:
            return "uint64";
        case Type::uint32:
            return "uint32";
        case Type::price:
            return "price";
        case Type::exact_price:
            return "exact_price";
        case Type::letter:
            return "letter";
        case Type::boolean:
            return "boolean";
        case Type::symbol:
            return "symbol";
    }
    return {};
}

Column::Column(Type type) : type_(type) {
    switch (type) {
        case Type::time:
        case Type::exact_price:
            values_.emplace<std::vector<std::int64_t>>();
            break;
        case Type::uint64:
            values_.emplace<std::vector<std::uint64_t>>();
            break;
        case Type::uint32:
        case Type::symbol:
            values_.emplace<std::vector<std::uint32_t>>();
            break;
        case Type::price:
            values_.emplace<std::vector<double>>();
            break;
        case Type::letter:
            values_.emplace<std::vector<char>>();
            break;
        case Type::boolean:
            values_.emplace<std::vector<std::uint8_t>>();
            break;
    }
}

void Column::push_null() {
    if (valid_.empty()) {
        valid_.assign(rows_ / 8, 0xFF);
        if (rows_ % 8 != 0) valid_.push_back(static_cast<std::uint8_t>((1U << rows_ % 8) - 1));
    }
    mark(false);
    std::visit(
        [](auto& values) {
            using T = std::remove_cvref_t<decltype(values)>::value_type;
            if constexpr (std::is_same_v<T, double>)
                values.push_back(std::numeric_limits<double>::quiet_NaN());
            else
                values.push_back(T{});
        },
        values_);
    if (type_ == Type::exact_price)
        std::get<std::vector<std::int64_t>>(values_).back() = k_no_exact_price;
    ++rows_;
    ++nulls_;
}

void Column::mark_nulls(const std::vector<std::uint8_t>& is_there) {
    nulls_ = static_cast<std::size_t>(std::ranges::count(is_there, 0));
    if (nulls_ == 0) return;
    valid_.assign((rows_ + 7) / 8, 0);
    for (std::size_t row = 0; row < rows_; ++row)
        valid_[row / 8] |= static_cast<std::uint8_t>((is_there[row] & 1U) << row % 8);
}

void Column::clear() {
    std::visit([](auto& values) { values.clear(); }, values_);
    valid_.clear();
    rows_ = nulls_ = 0;
}

}  // namespace damrak::tables
