#include <damrak/lab/ingest/more_senders.hpp>

#include <algorithm>

#include <arpa/inet.h>

#include <damrak/base/affinity.hpp>
#include <damrak/lab/ingest/engine_thread.hpp>
#include <damrak/lab/ingest/flow.hpp>
#include <damrak/lab/ingest/recorded.hpp>
#include <damrak/net/network_namespace.hpp>
#include <damrak/net/socket_path.hpp>

namespace damrak::lab::ingest {

namespace {

constexpr std::size_t k_sent_a_turn = 64;
constexpr unsigned k_first_core = k_engine_core + 3;  // after those of the engine's side

}  // namespace

MoreSenders::MoreSenders(const Options& options, std::uint16_t port,
                         std::span<const unsigned> cores) {
    for (std::uint32_t sender = 1; sender < options.senders; ++sender) {
        const unsigned wanted = k_first_core + sender - 1;
        const bool there = std::ranges::find(cores, wanted) != cores.end();
        threads_.emplace_back(
            [this, sender, &options, port, core = there ? wanted : k_sender_core] {
                static_cast<void>(pin_this_thread(core));
                send(sender, options, port);
            });
    }
}

std::uint64_t MoreSenders::stop() {
    stopping_.store(true);
    threads_.clear();
    return sent_.load();
}

void MoreSenders::send(std::uint32_t sender, const Options& options, std::uint16_t port) {
    auto path = net::SocketPath::open({.address = net::VethPair::k_right_address,
                                       .batch = k_sent_a_turn,
                                       .send_room = k_sent_a_turn});
    if (!path) return;
    net::Endpoint to{.link = {}, .address = {}, .port = port};
    ::inet_pton(AF_INET, net::VethPair::k_left_address, to.address.data());
    const std::vector<Packet> packets = packets_of(make_flow_of(sender, options.seed));
    for (std::size_t next = 0; !stopping_.load(std::memory_order_relaxed);) {
        for (std::size_t i = 0; i < k_sent_a_turn; ++i) {
            const auto memory = path->claim(to, packets[next].size());
            if (memory.empty()) break;
            std::ranges::copy(packets[next], memory.begin());
            path->commit(packets[next].size());
            next = next + 1 < packets.size() ? next + 1 : 0;
        }
        path->flush();
    }
    sent_ += path->counters().sent;
}

}  // namespace damrak::lab::ingest
