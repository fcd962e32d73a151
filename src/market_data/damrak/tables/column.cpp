#include <damrak/tables/column.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

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

Column::Column(Type type, std::size_t expected_rows)
    : type_(type), width_(width_of(type)), expected_(expected_rows), null_(null_of(type)) {}

void Column::Release::operator()(void* memory) const {
    if (mapped_bytes > 0)
        munmap(memory, mapped_bytes);
    else if (owner == nullptr)
        std::free(memory);
}

// Null: there is no room. Fresh memory costs as much as what is written there, page by page:
// large memory takes the huge ones.
Column::Memory Column::memory_of(std::size_t bytes) {
    if (bytes < k_large) return Memory{std::malloc(bytes)};
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return {};
    madvise(memory, bytes, MADV_HUGEPAGE);
    return Memory{memory, Release{.owner = {}, .mapped_bytes = bytes}};
}

// What is expected is taken at once if it is little, or once there is much: a mapping that few rows
// use costs a huge page.
void Column::grow() {
    constexpr std::size_t k_first = 1024;
    const std::size_t needed = std::max(k_first, 2 * capacity_);
    std::size_t capacity = needed;
    if (expected_ * width_ < k_large || needed * width_ >= k_large)
        capacity = std::max(needed, expected_);
    Memory memory = memory_of(capacity * width_);
    if (!memory && capacity > needed) memory = memory_of((capacity = needed) * width_);
    if (!memory) throw std::bad_alloc{};
    if (rows_ > 0) std::memcpy(memory.get(), memory_.get(), rows_ * width_);
    memory_ = std::move(memory);
    capacity_ = capacity;
    if (!valid_.empty()) valid_.resize((capacity_ + 7) / 8, k_all_valid);
}

void Column::pad(std::size_t rows) {
    if (rows <= rows_) return;
    while (rows > capacity_) grow();
    if (valid_.empty()) valid_.assign((capacity_ + 7) / 8, k_all_valid);
    nulls_ += rows - rows_;
    if (width_ == sizeof(null_))
        std::fill(static_cast<std::uint64_t*>(memory_.get()) + rows_,
                  static_cast<std::uint64_t*>(memory_.get()) + rows, null_);
    else
        std::memset(static_cast<std::byte*>(memory_.get()) + rows_ * width_, 0,
                    (rows - rows_) * width_);
    for (; rows_ < rows && rows_ % 8 != 0; ++rows_)
        valid_[rows_ / 8] &= static_cast<std::uint8_t>(~(1U << rows_ % 8));
    std::memset(valid_.data() + rows_ / 8, 0, (rows - rows_) / 8);
    for (rows_ += (rows - rows_) / 8 * 8; rows_ < rows; ++rows_)
        valid_[rows_ / 8] &= static_cast<std::uint8_t>(~(1U << rows_ % 8));
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
