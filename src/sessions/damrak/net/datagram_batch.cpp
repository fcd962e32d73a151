#include <damrak/net/datagram_batch.hpp>

namespace damrak::net {

namespace {

// Of one call: the first kernels that cut datagrams (Linux 4.18) take 64, which fit into one IPv4
// packet together.
constexpr std::size_t k_most_datagrams = 64;
constexpr std::size_t k_most_bytes = 60'000;

}  // namespace

void DatagramBatch::add(std::span<const std::byte> datagram) {
    if (datagram.size() != size_ || waiting_.size() + datagram.size() > k_most_bytes ||
        waiting_.size() == k_most_datagrams * size_) {
        flush();
        size_ = datagram.size();
    }
    waiting_.insert(waiting_.end(), datagram.begin(), datagram.end());
}

void DatagramBatch::flush() {
    if (waiting_.empty()) return;
    const bool several = waiting_.size() > size_;
    if (several) ++calls_;
    if (!several || !sender_.send_cut(waiting_, static_cast<std::uint16_t>(size_))) {
        std::span<const std::byte> rest{waiting_};
        for (; !rest.empty(); rest = rest.subspan(size_)) {
            ++calls_;
            static_cast<void>(sender_.send(rest.first(size_)));
        }
    }
    waiting_.clear();
}

}  // namespace damrak::net
