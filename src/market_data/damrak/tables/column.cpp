#include <damrak/tables/column.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <new>

#include <sys/mman.h>

namespace damrak::tables {

std::string_view name_of(Type type) {
    switch (type) {
        case Type::time:
            return "time";
        case Type::uint64:
            return "uint64";
        case Type::uint32:
            return "uint32";
        case Type::number:
            return "number";
        case Type::price:
            return "price";
        case Type::exact_price:
            return "exact_price";
        case Type::letter:
            return "letter";
        case Type::code:
            return "code";
        case Type::boolean:
            return "boolean";
        case Type::symbol:
            return "symbol";
    }
    return {};
}

namespace {

std::uint8_t width_of(Type type) {
    switch (type) {
        case Type::time:
        case Type::exact_price:
        case Type::uint64:
        case Type::number:
        case Type::price:
            return 8;
        case Type::uint32:
        case Type::symbol:
        case Type::code:
            return 4;
        case Type::letter:
        case Type::boolean:
            return 1;
    }
    return 0;
}

std::uint64_t null_of(Type type) {
    if (type == Type::number || type == Type::price)
        return std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN());
    if (type == Type::exact_price) return std::bit_cast<std::uint64_t>(k_no_exact_price);
    return 0;
}

}  // namespace

Column::Column(Type type) : type_(type), width_(width_of(type)), null_(null_of(type)) {}

void Column::grow() {
    constexpr std::size_t k_first = 1024;
    constexpr std::size_t k_large = std::size_t{4} << 20U;
    const std::size_t capacity = std::max(k_first, 2 * capacity_);
    void* memory = nullptr;
    if (memory_.get_deleter().owner == nullptr) {
        memory = std::realloc(memory_.get(), capacity * width_);
        if (memory == nullptr) throw std::bad_alloc{};
        static_cast<void>(memory_.release());
    } else {
        memory = std::malloc(capacity * width_);
        if (memory == nullptr) throw std::bad_alloc{};
        std::memcpy(memory, memory_.get(), rows_ * width_);
    }
    memory_ = Memory{memory};
    capacity_ = capacity;
    if (!valid_.empty()) valid_.resize((capacity_ + 7) / 8, k_all_valid);
    // Fresh memory costs as much as what is written there, page by page.
    if (capacity * width_ >= k_large) {
        constexpr std::uintptr_t k_page = 4096;
        const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + k_page - 1) & ~(k_page - 1);
        const auto end = reinterpret_cast<std::uintptr_t>(memory) + capacity * width_;
        madvise(reinterpret_cast<void*>(begin), (end - begin) & ~(k_page - 1), MADV_HUGEPAGE);
    }
}

void Column::mark_nulls(const std::vector<std::uint8_t>& is_there) {
    nulls_ = static_cast<std::size_t>(std::ranges::count(is_there, 0));
    if (nulls_ == 0) return;
    valid_.assign((capacity_ + 7) / 8, k_all_valid);
    for (std::size_t row = 0; row < rows_; ++row)
        if (is_there[row] == 0) valid_[row / 8] &= static_cast<std::uint8_t>(~(1U << row % 8));
}

void Column::clear() {
    valid_.clear();
    rows_ = nulls_ = 0;
}

}  // namespace damrak::tables
