// The feed of an exchange for Python: a receiver of the library with a thread that follows it, and
// the books that follow from it.
#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <damrak/client/itch/feed_books.hpp>
#include <damrak/client/itch/soup_receiver.hpp>

#include "bind.hpp"
#include "errors.hpp"
#include "watch.hpp"

namespace nb = nanobind;

namespace damrak::python {
namespace {

using client::BookLevel;
using client::FeedBooks;
using client::FeedInstrument;

/// The books, and the last messages as they came.
class Kept {
  public:
    explicit Kept(std::size_t messages) : most_(messages) {}

    void on_session(const FeedBooks::SessionName& session) {
        books.on_session(session);
        messages.clear();
    }
    void on_message(std::uint64_t number, std::span<const std::byte> message) {
        books.on_message(number, message);
        if (most_ == 0) return;
        if (messages.size() == most_) {
            messages.pop_front();
            ++lost;
        }
        messages.emplace_back(number, std::vector<std::byte>(message.begin(), message.end()));
    }
    void on_end_of_session() { books.on_end_of_session(); }
    void on_joined(std::uint64_t next) { books.on_joined(next); }

    FeedBooks books;
    std::deque<std::pair<std::uint64_t, std::vector<std::byte>>> messages;
    std::uint64_t lost = 0;  ///< that nobody took in time

  private:
    std::size_t most_;
};

class FeedConnection {
  public:
    FeedConnection(std::string host, std::uint16_t port, std::uint16_t snapshot_port,
                   std::size_t messages)
        : kept_(messages),
          receiver_({.feed = {.host = host, .port = port},
                     .snapshots = {.host = host, .port = snapshot_port},
                     .settings = {.begins_with_snapshot = snapshot_port != 0}},
                    kept_),
          wakes_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
          thread_([this](const std::stop_token& stop) { follow(stop); }) {}
    FeedConnection(const FeedConnection&) = delete;
    FeedConnection& operator=(const FeedConnection&) = delete;
    ~FeedConnection() {
        end();
        ::close(wakes_);
    }
    void end() {
        if (!thread_.joinable()) return;
        thread_.request_stop();
        const std::uint64_t one = 1;
        static_cast<void>(::write(wakes_, &one, sizeof one));
        thread_.join();
    }

    /// Waits until a message came after this one, for at most that many seconds; its number now.
    std::uint64_t wait(std::uint64_t after, double timeout) {
        const auto deadline =
            std::chrono::steady_clock::now() + std::chrono::duration<double>{timeout};
        Watch watch{nb::none()};
        const Unlocked unlocked;
        std::unique_lock lock{mutex_};
        while (kept_.books.sequence() <= after && !is_over() &&
               std::chrono::steady_clock::now() < deadline) {
            came_.wait_for(lock, std::chrono::milliseconds{20});
            lock.unlock();
            watch.look(0);
            lock.lock();
        }
        return kept_.books.sequence();
    }

    /// (time since midnight, sequence, bids, asks), each level (price in 1/10,000, size, orders).
    nb::object book(const std::string& symbol, std::size_t depth) {
        std::vector<BookLevel> bids;
        std::vector<BookLevel> asks;
        std::int64_t time_ns = 0;
        std::uint64_t sequence = 0;
        {
            const std::scoped_lock lock{mutex_};
            const FeedInstrument& of = found(symbol);
            bids = kept_.books.levels(of, Side::buy, depth);
            asks = kept_.books.levels(of, Side::sell, depth);
            time_ns = kept_.books.time_ns();
            sequence = kept_.books.sequence();
        }
        return nb::make_tuple(time_ns, sequence, list_of(bids), list_of(asks));
    }
    /// (time since midnight, price in 1/10,000, size, aggressor), or None.
    nb::object last_trade(const std::string& symbol) {
        std::optional<client::FeedTrade> trade;
        {
            const std::scoped_lock lock{mutex_};
            trade = found(symbol).last_trade;
        }
        if (!trade) return nb::none();
        nb::object aggressor = nb::none();
        if (trade->aggressor) aggressor = nb::str(*trade->aggressor == Side::buy ? "buy" : "sell");
        return nb::make_tuple(trade->time_ns, trade->price.value, trade->quantity.value, aggressor);
    }
    std::string status(const std::string& symbol) {
        const std::scoped_lock lock{mutex_};
        return state_text(found(symbol));
    }
    nb::object symbols() {
        std::vector<std::string> names;
        {
            const std::scoped_lock lock{mutex_};
            for (const FeedInstrument& each : kept_.books.instruments())
                names.push_back(each.symbol);
        }
        nb::list result;
        for (const std::string& each : names) result.append(nb::str(each.data(), each.size()));
        return result;
    }
    nb::object take_messages() {
        decltype(kept_.messages) taken;
        {
            const std::scoped_lock lock{mutex_};
            taken.swap(kept_.messages);
        }
        nb::list result;
        for (const auto& [number, bytes] : taken)
            result.append(nb::make_tuple(
                number, nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size())));
        return result;
    }

  private:
    template <class Read>
    auto read(Read&& what) {
        const std::scoped_lock lock{mutex_};
        return what();
    }

  public:
    [[nodiscard]] std::uint64_t sequence() {
        return read([&] { return kept_.books.sequence(); });
    }
    [[nodiscard]] std::uint64_t lost() {
        return read([&] { return kept_.lost; });
    }
    [[nodiscard]] bool live() {
        return read([&] { return receiver_.is_live() && !is_over(); });
    }
    [[nodiscard]] bool over() {
        return read([&] { return is_over(); });
    }
    [[nodiscard]] std::string trouble() {
        return read([&] { return receiver_.trouble(); });
    }

  private:
    [[nodiscard]] bool is_over() {
        return receiver_.over() || thread_.get_stop_source().stop_requested();
    }
    [[nodiscard]] const FeedInstrument& found(const std::string& symbol) const {
        const FeedInstrument* const of = kept_.books.find(std::string_view{symbol});
        if (of == nullptr) throw Error{"the feed has no instrument " + symbol};
        return *of;
    }
    [[nodiscard]] static nb::list list_of(const std::vector<BookLevel>& levels) {
        nb::list result;
        for (const BookLevel& each : levels)
            result.append(nb::make_tuple(each.price.value, each.quantity.value, each.orders));
        return result;
    }
    void follow(const std::stop_token& stop) {
        constexpr int k_wait_ms = 100;
        while (!stop.stop_requested()) {
            pollfd feed{};
            {
                const std::scoped_lock lock{mutex_};
                const std::uint64_t before = kept_.books.sequence();
                receiver_.poll(0);
                if (kept_.books.sequence() != before || receiver_.over()) came_.notify_all();
                feed = receiver_.waits_for();
                if (receiver_.over()) feed.fd = -1;
            }
            std::array<pollfd, 2> waits{{{.fd = wakes_, .events = POLLIN, .revents = 0}, feed}};
            ::poll(waits.data(), waits.size(), k_wait_ms);
        }
    }

    std::mutex mutex_;
    std::condition_variable came_;
    Kept kept_;
    client::SoupReceiver<Kept> receiver_;
    int wakes_;
    std::jthread thread_;  ///< last: it ends before what it uses
};

}  // namespace

void bind_feed(nb::module_& module) {
    nb::class_<FeedConnection>(module, "FeedConnection")
        .def(nb::init<std::string, std::uint16_t, std::uint16_t, std::size_t>(), nb::arg("host"),
             nb::arg("port"), nb::arg("snapshot_port"), nb::arg("messages"))
        .def("wait", &FeedConnection::wait, nb::arg("after"), nb::arg("timeout"))
        .def("book", &FeedConnection::book, nb::arg("symbol"), nb::arg("depth"))
        .def("last_trade", &FeedConnection::last_trade, nb::arg("symbol"))
        .def("status", &FeedConnection::status, nb::arg("symbol"))
        .def("symbols", &FeedConnection::symbols)
        .def("take_messages", &FeedConnection::take_messages)
        .def("end",
             [](FeedConnection& self) {
                 const Unlocked unlocked;
                 self.end();
             })
        .def_prop_ro("sequence", &FeedConnection::sequence)
        .def_prop_ro("lost", &FeedConnection::lost)
        .def_prop_ro("is_live", &FeedConnection::live)
        .def_prop_ro("is_over", &FeedConnection::over)
        .def_prop_ro("trouble", &FeedConnection::trouble);
}

}  // namespace damrak::python
