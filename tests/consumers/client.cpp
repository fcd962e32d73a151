// A client: books from a feed, and the sockets to connect with.
#include <damrak/client/l2_receiver.hpp>
#include <damrak/net/address.hpp>
#include <damrak/net/tls_tcp.hpp>

int main() {
    damrak::client::L2Receiver receiver;
    receiver.on_datagram({});
    const bool address = damrak::net::resolve("127.0.0.1", 1).has_value();
    return receiver.counters().faults == 1 && address ? 0 : 1;
}
