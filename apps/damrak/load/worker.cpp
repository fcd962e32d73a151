#include "load/worker.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "serve/process.hpp"

namespace damrak::app {

namespace {

constexpr std::size_t k_input_bytes = 256 * 1'024;
constexpr int k_ready_at_once = 1'024;
/// So few clients that asking each socket is cheaper than asking epoll which.
constexpr std::size_t k_direct_clients = 8;
constexpr std::int64_t k_ms_ns = 1'000'000;
/// The end of the run is seen by the clock.
constexpr std::int64_t k_longest_wait_ns = 50 * k_ms_ns;
/// A client that has been silent for this long sends a heartbeat; servers wait longer than that.
constexpr std::int64_t k_silence_ns = 2'000 * k_ms_ns;

}  // namespace

std::int64_t load_clock_ns() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds{1};
}

template <class Client>
LoadWorker<Client>::LoadWorker(LoadShare<Client>& share,
                               std::optional<client::LoadSchedule> schedule, bool spin)
    : share_(share),
      schedule_(std::move(schedule)),
      spin_(spin),
      direct_(spin && share.connections.size() <= k_direct_clients),
      input_(k_input_bytes) {
    touched_.reserve(share.connections.size());
}

template <class Client>
std::expected<void, std::string> LoadWorker<Client>::prepare() {
    open_ = share_.connections.size();
    std::size_t window_bytes = 0;
    for (const auto& connection : share_.connections)
        window_bytes = std::max(window_bytes, connection->unsent.size());
    output_.resize(window_bytes);
    if (direct_) return {};
    epoll_ = Descriptor{::epoll_create1(EPOLL_CLOEXEC)};
    const auto failed = [] {
        return std::unexpected{fmt::format("cannot watch the sockets: {}", std::strerror(errno))};
    };
    if (!epoll_.open()) return failed();
    for (const auto& connection : share_.connections) {
        epoll_event event{};
        event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
        event.data.ptr = connection.get();
        if (::epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, connection->socket.number(), &event) != 0)
            return failed();
    }
    return {};
}

template <class Client>
void LoadWorker<Client>::run(const LoadInstants& instants) {
    instants_ = instants;
    next_keep_alive_ns_ = instants.begin_ns + k_silence_ns;
    ::prctl(PR_SET_TIMERSLACK, 1UL);  // wakes this thread for what is due to the nanosecond
    if (!open_loop())
        for (const auto& connection : share_.connections) fill(*connection, load_clock_ns());
    while (open_ > 0) {
        const std::int64_t now_ns = load_clock_ns();
        if (ending_ && now_ns >= give_up_ns_) break;
        turn(now_ns);
        const std::uint64_t answers = share_.tally->all_answers;
        if (answers != progress()) give_up_ns_ = now_ns + k_give_up_ns;
        progress_.store(answers, std::memory_order_relaxed);
    }
    is_done_.store(true, std::memory_order_relaxed);
    for (const auto& connection : share_.connections) connection->client.close();
}

template <class Client>
void LoadWorker<Client>::turn(std::int64_t now_ns) {
    const bool is_over = is_over_.load(std::memory_order_relaxed) || stop_asked();
    if (!ending_ && (now_ns >= instants_.end_ns || is_over)) {
        give_up_ns_ = now_ns + k_give_up_ns;
        instants_.end_ns = std::min(instants_.end_ns, now_ns);
        end_clients(now_ns);
    }
    if (open_loop() && !ending_) request_what_is_due(now_ns);
    if (direct_)
        for (const auto& connection : share_.connections) serve(*connection);
    else
        wait_for_events(now_ns);
    if (now_ns >= next_keep_alive_ns_) keep_alive(now_ns);
}

template <class Client>
void LoadWorker<Client>::wait_for_events(std::int64_t now_ns) {
    std::array<epoll_event, k_ready_at_once> events;  // filled by the kernel
    const timespec patience{.tv_sec = 0, .tv_nsec = patience_ns(now_ns)};
    const int count =
        ::epoll_pwait2(epoll_.number(), events.data(), k_ready_at_once, &patience, nullptr);
    for (int i = 0; i < count; ++i)
        serve(*static_cast<Connection*>(events[static_cast<std::size_t>(i)].data.ptr));
}

template <class Client>
std::int64_t LoadWorker<Client>::patience_ns(std::int64_t now_ns) const {
    if (spin_) return 0;
    if (!open_loop() || ending_) return k_longest_wait_ns;
    const std::int64_t since_ns = now_ns - instants_.begin_ns;
    // An overdue request waits for a free window; an answer will wake the thread.
    if (schedule_->due_ns() <= since_ns) return k_longest_wait_ns;
    return std::min(schedule_->due_ns() - since_ns, k_longest_wait_ns);
}

template <class Client>
void LoadWorker<Client>::end_clients(std::int64_t now_ns) {
    ending_ = true;
    for (const auto& connection : share_.connections) {
        if (!connection->socket.open()) continue;
        connection->client.end();
        fill(*connection, now_ns);
    }
}

template <class Client>
void LoadWorker<Client>::serve(Connection& connection) {
    if (!connection.socket.open()) return;
    const auto heard_ns = read_all(connection);
    if (!connection.socket.open()) return;
    if (connection.client.ended()) return finish(connection);
    if (direct_ && !heard_ns && connection.unsent_end == 0) return;
    const std::int64_t now_ns = heard_ns ? *heard_ns : load_clock_ns();
    send_rest(connection, now_ns);
    if (!open_loop() || ending_) fill(connection, now_ns);
}

// Edge-triggered: a read that does not fill the memory has taken all there was.
template <class Client>
std::optional<std::int64_t> LoadWorker<Client>::read_all(Connection& connection) {
    std::optional<std::int64_t> heard_ns;
    for (;;) {
        const std::size_t begin = connection.unread.size();
        std::ranges::copy(connection.unread, input_.begin());
        const auto room = std::span{input_}.subspan(begin);
        const net::Moved got = connection.socket.receive(room);
        if (got.closed) drop(connection, "closed or broken");
        if (got.bytes == 0) return heard_ns;
        heard_ns = load_clock_ns();
        if (!hear(connection, begin + got.bytes, *heard_ns)) return heard_ns;
        if (got.bytes < room.size() && (!got.again || connection.client.ended())) return heard_ns;
    }
}

template <class Client>
bool LoadWorker<Client>::hear(Connection& connection, std::size_t length, std::int64_t now_ns) {
    share_.tally->recording = now_ns >= instants_.measure_ns && now_ns < instants_.end_ns;
    const auto bytes = std::span{input_}.first(length);
    const auto heard = connection.client.receive(bytes, now_ns);
    if (connection.client.broken()) {
        finish(connection);
        return false;
    }
    const auto rest = bytes.subspan(heard.consumed_bytes);
    connection.unread.assign(rest.begin(), rest.end());
    return true;
}

template <class Client>
void LoadWorker<Client>::fill(Connection& connection, std::int64_t now_ns) {
    if (connection.unsent_end > 0) return;  // the socket is full: more would only wait here
    const std::span memory{output_};
    std::size_t end = 0;
    while (const std::size_t length = connection.client.request(memory.subspan(end), now_ns))
        end += length;
    if (end == 0) return;
    connection.sent_ns = now_ns;
    const auto rest = memory.first(end).subspan(send(connection, memory.first(end)));
    std::ranges::copy(rest, connection.unsent.begin());
    connection.unsent_end = rest.size();
}

template <class Client>
void LoadWorker<Client>::request_what_is_due(std::int64_t now_ns) {
    const std::size_t clients = share_.connections.size();
    std::size_t full = 0;  // in a row; when all are, the schedule waits and its latency grows
    while (full < clients && schedule_->due_ns() <= now_ns - instants_.begin_ns) {
        Connection& connection = *share_.connections[next_client_];
        next_client_ = next_client_ + 1 == clients ? 0 : next_client_ + 1;
        if (request_one(connection, instants_.begin_ns + schedule_->due_ns())) {
            schedule_->advance();
            full = 0;
        } else {
            full += 1;
        }
    }
    for (Connection* connection : touched_) {
        connection->touched = false;
        send_rest(*connection, now_ns);
    }
    touched_.clear();
}

template <class Client>
bool LoadWorker<Client>::request_one(Connection& connection, std::int64_t at_ns) {
    const auto memory = std::span{connection.unsent}.subspan(connection.unsent_end);
    if (!connection.socket.open() || connection.unsent_begin > 0 ||
        memory.size() < Client::k_largest_request_bytes)
        return false;
    const std::size_t length = connection.client.request(memory, at_ns);
    if (length == 0) return false;
    connection.unsent_end += length;
    if (!std::exchange(connection.touched, true)) touched_.push_back(&connection);
    return true;
}

template <class Client>
void LoadWorker<Client>::send_rest(Connection& connection, std::int64_t now_ns) {
    if (connection.unsent_end == 0 || !connection.socket.open()) return;
    const auto bytes = std::span<const std::byte>{connection.unsent}.first(connection.unsent_end);
    connection.unsent_begin += send(connection, bytes.subspan(connection.unsent_begin));
    if (connection.unsent_begin < connection.unsent_end) return;
    connection.unsent_begin = connection.unsent_end = 0;
    connection.sent_ns = now_ns;
}

template <class Client>
std::size_t LoadWorker<Client>::send(Connection& connection, std::span<const std::byte> bytes) {
    for (std::size_t done = 0;;) {
        const net::Moved sent = connection.socket.send(bytes.subspan(done));
        if (sent.closed) drop(connection, "closed or broken");
        if (sent.bytes == 0) return done;  // the socket tells when there is room again
        done += sent.bytes;
        if (done == bytes.size()) return done;
    }
}

template <class Client>
void LoadWorker<Client>::keep_alive(std::int64_t now_ns) {
    next_keep_alive_ns_ = now_ns + k_silence_ns;
    for (const auto& connection : share_.connections) {
        if (!connection->socket.open() || connection->unsent_end > 0) continue;
        if (now_ns - connection->sent_ns < k_silence_ns) continue;
        connection->unsent_end = connection->client.heartbeat(connection->unsent, now_ns);
        send_rest(*connection, now_ns);
    }
}

template <class Client>
void LoadWorker<Client>::drop(Connection& connection, const char* why) {
    if (!connection.client.ended())
        share_.tally->error(share_.tally->disconnects,
                            fmt::format("a client lost its connection: {}", why));
    finish(connection);
}

template <class Client>
void LoadWorker<Client>::finish(Connection& connection) {
    if (!connection.socket.open()) return;
    connection.socket.reset();
    open_ -= 1;
}

template class LoadWorker<client::LoadClient>;
template class LoadWorker<client::FixLoadClient>;
template class LoadWorker<client::OuchLoadClient>;

}  // namespace damrak::app
