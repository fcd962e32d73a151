#include <support/simulation/datagram_network.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

#include <damrak/base/assert.hpp>

namespace damrak::simulation {

void DatagramNetwork::put(Way& way, const net::Endpoint& end, std::span<const std::byte> bytes) {
    ++sent_;
    if (random_->below(100) < rules.lost_percent) {
        ++lost_;
        return;
    }
    const bool twice = random_->below(100) < rules.repeated_percent;
    repeated_ += std::uint64_t{twice};
    for (int copies = twice ? 2 : 1; copies > 0; --copies)
        way.emplace(clock_->elapsed_ns() + random_->below(rules.most_delay_ns + 1),
                    Parcel{.end = end, .bytes = {bytes.begin(), bytes.end()}, .number = sent_});
}

auto DatagramNetwork::take(Way& way, Way::iterator which) -> Parcel {
    Parcel parcel = std::move(which->second);
    way.erase(which);
    overtaking_ += std::uint64_t{parcel.number < newest_};
    newest_ = std::max(newest_, parcel.number);
    return parcel;
}

void DatagramNetwork::send(const net::Endpoint& from, std::span<const std::byte> bytes) {
    if (to_host_.size() >= rules.host_room) {
        ++lost_;
        return;
    }
    put(to_host_, from, bytes);
}

auto DatagramNetwork::receive(const net::Endpoint& at) -> std::optional<Bytes> {
    const auto due = from_host_.upper_bound(clock_->elapsed_ns());
    const auto found = std::find_if(from_host_.begin(), due,
                                    [&at](const auto& each) { return each.second.end == at; });
    if (found == due) return std::nullopt;
    return take(from_host_, found).bytes;
}

auto DatagramNetwork::next_for_host() -> std::optional<Parcel> {
    if (to_host_.empty() || to_host_.begin()->first > clock_->elapsed_ns()) return std::nullopt;
    return take(to_host_, to_host_.begin());
}

void DatagramNetwork::drop_unread() {
    const auto due = to_host_.upper_bound(clock_->elapsed_ns());
    lost_ += static_cast<std::uint64_t>(std::distance(to_host_.begin(), due));
    to_host_.erase(to_host_.begin(), due);
}

std::span<std::byte> HostPath::claim(const net::Endpoint& to, std::size_t at_most) {
    DAMRAK_ASSERT(at_most <= net::k_largest_claim_bytes);
    if (ready_.size() >= k_room) {
        ++counters_.no_room;
        return {};
    }
    claimed_ = {.end = to, .bytes = DatagramNetwork::Bytes(at_most)};
    return claimed_.bytes;
}

void HostPath::commit(std::size_t bytes) {
    claimed_.bytes.resize(bytes);
    ready_.push_back(std::move(claimed_));
}

void HostPath::flush() {
    call();
    if (network_->random_->below(100) < network_->rules.stuck_percent) return;
    for (const DatagramNetwork::Parcel& parcel : ready_)
        network_->put(network_->from_host_, parcel.end, parcel.bytes);
    counters_.sent += ready_.size();
    ready_.clear();
}

}  // namespace damrak::simulation
