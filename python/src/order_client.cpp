// A connection to an exchange for Python: an order client of the library with a thread that keeps
// it up while nobody asks, so that heartbeats go out between two cells of a notebook.
#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <damrak/base/system_time.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/client/binary_order_client.hpp>
#include <damrak/client/fix_order_client.hpp>
#include <damrak/client/ouch_order_client.hpp>
#include <damrak/wire/binary/api_key.hpp>
#include <damrak/wire/soupbin/packets.hpp>

#include "bind.hpp"
#include "errors.hpp"
#include "watch.hpp"

namespace nb = nanobind;

namespace damrak::python {
namespace {

using client::News;
using client::OrderClient;
using client::OwnOrder;
using client::TermCommand;

struct Login {
    std::string protocol;
    std::string host;
    std::uint16_t port = 0;
    std::string user;
    std::string password;
    std::string exchange;  ///< FIX: its comp id
    std::map<std::string, std::uint32_t> instruments;
};

client::Symbols symbols_of(const Login& login) {
    client::Symbols symbols;
    for (const auto& [name, id] : login.instruments) symbols.add(InstrumentId{id}, name);
    return symbols;
}

std::unique_ptr<OrderClient> client_of(const Login& login) {
    if (login.protocol == "ouch") {
        if (login.user.empty() || login.user.size() > wire::soupbin::k_user_bytes)
            throw Error{"an OUCH user has one to six characters: user="};
        auto made = std::make_unique<client::OuchOrderClient>(
            client::OuchOrderClientSettings{.host = login.host,
                                            .port = login.port,
                                            .user = login.user,
                                            .password = login.password},
            symbols_of(login));
        made->entry().take_over_orders();
        return made;
    }
    if (login.protocol == "fix") {
        auto made = client::FixOrderClient::make(login.host, login.port,
                                                 {.comp_id = login.user,
                                                  .exchange_comp_id = login.exchange,
                                                  .password = login.password,
                                                  .market_data = false});
        if (!made) throw Error{made.error()};
        return *std::move(made);
    }
    client::BinaryOrderClientSettings settings{.host = login.host, .port = login.port};
    if (!login.user.empty()) {
        const auto key = wire::binary::parse_api_key(login.user);
        if (!key) throw Error{"an API key is " + std::string{wire::binary::k_api_key_form}};
        settings.key = *key;
        settings.version = wire::binary::Version::v1;
    }
    return std::make_unique<client::BinaryOrderClient>(settings);
}

const char* name_of(News::Kind kind) {
    switch (kind) {
        case News::Kind::logged_in:
            return "logged_in";
        case News::Kind::login_refused:
            return "login_refused";
        case News::Kind::logged_out:
            return "logged_out";
        case News::Kind::accepted:
            return "accepted";
        case News::Kind::refused:
            return "refused";
        case News::Kind::filled:
            return "filled";
        case News::Kind::unfilled:
            return "unfilled";
        case News::Kind::cancelled:
            return "cancelled";
        case News::Kind::cancel_refused:
            return "cancel_refused";
        case News::Kind::modified:
            return "replaced";
        case News::Kind::modify_refused:
            return "replace_refused";
        case News::Kind::error:
            return "error";
        case News::Kind::timed_out:
            return "timed_out";
        case News::Kind::status:
            return "status";
        case News::Kind::quote_refused:
            return "quote_refused";
        case News::Kind::protection_set:
            return "protection_set";
        case News::Kind::protection_refused:
            return "protection_refused";
        case News::Kind::triggered:
            return "triggered";
        case News::Kind::trade_changed:
            return "trade_changed";
    }
    std::unreachable();
}

const char* name_of(OwnOrder::State state) {
    switch (state) {
        case OwnOrder::State::sent:
            return "sent";
        case OwnOrder::State::open:
            return "open";
        case OwnOrder::State::finished:
            return "ended";
        case OwnOrder::State::unsure:
            return "unsure";
    }
    std::unreachable();
}

const char* name_of(OrderClient::State state) {
    switch (state) {
        case OrderClient::State::connecting:
            return "connecting";
        case OrderClient::State::logging_in:
            return "logging_in";
        case OrderClient::State::up:
            return "up";
        case OrderClient::State::waiting:
            return "waiting";
        case OrderClient::State::refused:
            return "refused";
        case OrderClient::State::ended:
            return "ended";
    }
    std::unreachable();
}

bool is_refusal(News::Kind kind) {
    switch (kind) {
        case News::Kind::login_refused:
        case News::Kind::refused:
        case News::Kind::cancel_refused:
        case News::Kind::modify_refused:
        case News::Kind::error:
            return true;
        default:
            return false;
    }
}

class Connection {
  public:
    explicit Connection(const Login& login)
        : client_(client_of(login)),
          symbols_(symbols_of(login)),
          wakes_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
          has_news_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
          thread_([this](const std::stop_token& stop) { keep_up(stop); }) {}
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() {
        end();
        ::close(wakes_);
        ::close(has_news_);
    }

    /// Ends the thread; what was not read stays. Whoever waits is told.
    void end() {
        if (!thread_.joinable()) return;
        thread_.request_stop();
        wake(wakes_);
        thread_.join();
        const std::scoped_lock lock{mutex_};
        is_over_ = true;
        came_.notify_all();
        wake(has_news_);
    }

    /// A line of `damrak term`: the number of the order. `symbol`: that of a new order.
    std::uint32_t command(const std::string& line, const std::string& symbol) {
        const std::scoped_lock lock{mutex_};
        auto& gateway = client_->gateway();
        // Any symbol may be asked for where the protocol lists none.
        if (auto* const ouch = dynamic_cast<client::OuchOrderClient*>(client_.get());
            ouch != nullptr && !symbol.empty())
            ouch->entry().instrument(symbol);
        const auto parsed = client::parse_command(line, known());
        if (!parsed) throw OrderError{parsed.error()};
        if (std::string why = gateway.why_not(parsed->extras); !why.empty()) throw OrderError{why};
        if (is_over_ || client_->state() != OrderClient::State::up)
            throw Error{"not connected: " + (client_->trouble().empty() ? std::string{state_name()}
                                                                        : client_->trouble())};
        std::uint32_t number = parsed->number;
        if (parsed->kind == TermCommand::Kind::enter) {
            if (parsed->price_e2 < 0 && !gateway.takes_below_zero())
                throw OrderError{"this protocol has no prices below zero"};
            number = gateway.enter(parsed->instrument, parsed->side, parsed->quantity,
                                   parsed->price_e2, parsed->extras);
        } else {
            const bool done = parsed->kind == TermCommand::Kind::cancel
                                  ? gateway.cancel(number)
                                  : gateway.modify(number, parsed->quantity, parsed->price_e2,
                                                   parsed->extras.stop_e2);
            if (!done) throw OrderError{"order " + std::to_string(number) + " is not open"};
        }
        wake(wakes_);
        return number;
    }

    /// The next event, or None: none came within that time, in seconds.
    nb::object event(double timeout) {
        const auto deadline =
            std::chrono::steady_clock::now() + std::chrono::duration<double>{timeout};
        std::optional<Told> first;
        {
            Watch watch{nb::none()};
            const Unlocked unlocked;
            std::unique_lock lock{mutex_};
            while (news_.empty() && !is_over_ && std::chrono::steady_clock::now() < deadline) {
                came_.wait_for(lock, std::chrono::milliseconds{20});
                lock.unlock();
                watch.look(0);
                lock.lock();
            }
            first = take();
        }
        return first ? tuple_of(*first) : nb::none();
    }
    nb::object event_now() {
        std::optional<Told> first;
        {
            const std::scoped_lock lock{mutex_};
            first = take();
        }
        return first ? tuple_of(*first) : nb::none();
    }

    nb::object orders() {
        std::vector<Told> all;
        {
            const std::scoped_lock lock{mutex_};
            for (const auto& [number, order] : client_->gateway().orders())
                all.push_back(told({.order = order}));
        }
        nb::list result;
        for (const Told& each : all) result.append(tuple_of(each));
        return result;
    }

    void log_out() {
        const std::scoped_lock lock{mutex_};
        client_->log_out();
        wake(wakes_);
    }
    [[nodiscard]] std::string state() {
        const std::scoped_lock lock{mutex_};
        return state_name();
    }
    [[nodiscard]] std::string trouble() {
        const std::scoped_lock lock{mutex_};
        return client_->trouble();
    }
    [[nodiscard]] std::uint64_t losses() {
        const std::scoped_lock lock{mutex_};
        return client_->losses();
    }
    [[nodiscard]] bool settled() {
        const std::scoped_lock lock{mutex_};
        return news_.empty() && client_->gateway().settled();
    }
    [[nodiscard]] int fileno() const { return has_news_; }

  private:
    struct Told {
        News news;
        std::string symbol;
        std::string why;
    };

    /// The exchange's names where its protocol tells them, else those that were given.
    [[nodiscard]] const client::Symbols& known() {
        const client::Symbols* const told = client_->gateway().symbols();
        return told != nullptr ? *told : symbols_;
    }
    /// Of a client whose thread was ended before it was over: ended too.
    [[nodiscard]] const char* state_name() const {
        return name_of(is_over_ && !client_->is_over() ? OrderClient::State::ended
                                                       : client_->state());
    }
    [[nodiscard]] Told told(News news) {
        std::string why =
            news.why.empty() && is_refusal(news.kind) ? client_->gateway().why(news) : news.why;
        std::string symbol =
            news.order.instrument.value == 0 ? "" : known().name(news.order.instrument);
        return {.news = std::move(news), .symbol = std::move(symbol), .why = std::move(why)};
    }
    [[nodiscard]] static nb::object tuple_of(const Told& each) {
        const OwnOrder& order = each.news.order;
        const auto price = order.market || order.is_plain_stop()
                               ? nb::none()
                               : nb::object{nb::int_(order.price_e2)};
        return nb::make_tuple(name_of(each.news.kind), order.number, each.symbol,
                              order.side == Side::buy ? "buy" : "sell", price, order.open,
                              order.filled, name_of(order.state), order.id.value,
                              each.news.quantity, each.news.price_e2, each.news.trade_id, each.why);
    }
    [[nodiscard]] std::optional<Told> take() {
        if (news_.empty()) return {};
        Told first = std::move(news_.front());
        news_.pop_front();
        if (news_.empty() && !is_over_) drain(has_news_);
        return first;
    }
    static void wake(int descriptor) {
        const std::uint64_t one = 1;
        static_cast<void>(::write(descriptor, &one, sizeof one));
    }
    static void drain(int descriptor) {
        std::uint64_t count = 0;
        static_cast<void>(::read(descriptor, &count, sizeof count));
    }

    void keep_up(const std::stop_token& stop) {
        constexpr std::int64_t k_longest_ms = 1'000;
        while (!stop.stop_requested()) {
            std::int64_t wait_ms = 0;
            pollfd exchange{};
            {
                const std::scoped_lock lock{mutex_};
                const std::int64_t now_ns = system_time_ns();
                const std::size_t work = client_->do_work(now_ns);
                hear();
                exchange = client_->waits_for();
                if (work == 0)
                    wait_ms = std::clamp<std::int64_t>(
                        (client_->next_step_ns(now_ns) - now_ns) / k_millisecond_ns + 1, 0,
                        k_longest_ms);
            }
            std::array<pollfd, 2> waits{{{.fd = wakes_, .events = POLLIN, .revents = 0}, exchange}};
            ::poll(waits.data(), waits.size(), static_cast<int>(wait_ms));
            drain(wakes_);
        }
    }
    void hear() {
        const std::size_t before = news_.size();
        for (News& news : client_->gateway().take_news()) {
            if (news.kind == News::Kind::login_refused)
                client_->refuse(client_->gateway().why(news));
            news_.push_back(told(std::move(news)));
        }
        const bool was_over = std::exchange(is_over_, client_->is_over());
        if (news_.size() == before && was_over == is_over_) return;
        came_.notify_all();
        wake(has_news_);
    }

    std::mutex mutex_;
    std::condition_variable came_;
    std::unique_ptr<OrderClient> client_;
    client::Symbols symbols_;
    std::deque<Told> news_;
    bool is_over_ = false;  ///< nothing more comes; `has_news_` stays readable
    int wakes_;
    int has_news_;
    std::jthread thread_;  ///< last: it ends before what it uses
};

}  // namespace

void bind_order_client(nb::module_& module) {
    nb::class_<Connection>(module, "OrderConnection")
        .def(
            "__init__",
            [](Connection* self, std::string protocol, std::string host, std::uint16_t port,
               std::string user, std::string password, std::string exchange,
               std::map<std::string, std::uint32_t> instruments) {
                new (self) Connection{{.protocol = std::move(protocol),
                                       .host = std::move(host),
                                       .port = port,
                                       .user = std::move(user),
                                       .password = std::move(password),
                                       .exchange = std::move(exchange),
                                       .instruments = std::move(instruments)}};
            },
            nb::arg("protocol"), nb::arg("host"), nb::arg("port"), nb::arg("user"),
            nb::arg("password"), nb::arg("exchange"), nb::arg("instruments"))
        .def("command", &Connection::command, nb::arg("line"), nb::arg("symbol") = "")
        .def("event", &Connection::event, nb::arg("timeout"))
        .def("event_now", &Connection::event_now)
        .def("orders", &Connection::orders)
        .def("log_out", &Connection::log_out)
        .def("end",
             [](Connection& self) {
                 const Unlocked unlocked;
                 self.end();
             })
        .def("fileno", &Connection::fileno)
        .def_prop_ro("state", &Connection::state)
        .def_prop_ro("trouble", &Connection::trouble)
        .def_prop_ro("losses", &Connection::losses)
        .def_prop_ro("settled", &Connection::settled);
}

}  // namespace damrak::python
