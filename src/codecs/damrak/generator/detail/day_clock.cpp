#include <damrak/generator/detail/day_clock.hpp>

#include <algorithm>

namespace damrak::generator::detail {
namespace {

constexpr unsigned k_share_bits = 31;
constexpr std::uint64_t k_whole = std::uint64_t{1} << k_share_bits;

std::int64_t share_of(std::int64_t span_ns, std::uint64_t share) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::int64_t>(Wide{static_cast<std::uint64_t>(span_ns)} * share >>
                                     k_share_bits);
}

// The part of the day after which this part of its messages has been sent: 0.4 p + 0.6 (3 p^2 - 2
// p^3). Two and a half times the mean rate at both ends, three quarters of it at noon. In integers,
// so that every compiler gives the same times.
std::uint64_t time_share(std::uint64_t message_share) {
    const std::uint64_t square = message_share * message_share >> k_share_bits;
    const std::uint64_t cube = square * message_share >> k_share_bits;
    return (4 * message_share + 6 * (3 * square - 2 * cube)) / 10;
}

}  // namespace

std::int64_t DayClock::next_prefill() {
    const std::int64_t gap_ns =
        (k_open_ns - k_prefill_ns) / static_cast<std::int64_t>(prefill_ + 1);
    return k_prefill_ns + static_cast<std::int64_t>(++prefilled_) * gap_ns;
}

std::int64_t DayClock::next() {
    constexpr std::uint32_t k_burst_ns = 20'000;
    constexpr std::uint32_t k_most_ns = 2'000'000'000;
    constexpr std::int64_t k_span_ns = k_close_ns - k_open_ns;
    const auto mean_gap_ns = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        static_cast<std::uint64_t>(k_span_ns) / std::max<std::uint64_t>(messages_, 1), k_most_ns));
    const auto left = static_cast<std::int64_t>(messages_ - reported_);
    std::int64_t time_ns = last_ns_;
    if (random_.below(4) == 0) {
        time_ns += random_.below(std::min(k_burst_ns, mean_gap_ns) + 1);
    } else {
        const std::uint64_t share = reported_ * k_whole / messages_;
        time_ns =
            k_open_ns + share_of(k_span_ns, time_share(share)) + random_.below(2 * mean_gap_ns + 1);
    }
    ++reported_;
    // Leaves room before the close for all remaining messages.
    last_ns_ =
        std::min(std::max(time_ns, std::max(last_ns_ + 1, k_open_ns + 1)), k_close_ns - left);
    return last_ns_;
}

}  // namespace damrak::generator::detail
