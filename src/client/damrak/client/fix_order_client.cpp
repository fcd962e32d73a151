#include <damrak/client/fix_order_client.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/system_time.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/net/address.hpp>

namespace damrak::client {

namespace {

/// Timers of a session are looked at this often.
constexpr std::int64_t k_step_ns = 20 * k_millisecond_ns;

Timestamp system_time() { return {system_time_ns()}; }

}  // namespace

using session::fix::Ended;

FixOrderClient::FixOrderClient(std::string where)
    : where_(std::move(where)), entry_([] { return system_time(); }) {}

std::expected<std::unique_ptr<FixOrderClient>, std::string> FixOrderClient::make(
    const std::string& host, std::uint16_t port, const FixOrderClientSettings& settings) {
    using fix_codec::BeginString;
    FixClientSettings wanted{.host = host, .port = port};
    wanted.session.name = {.begin_string = settings.version == "fix42"   ? BeginString::fix42
                                           : settings.version == "fix44" ? BeginString::fix44
                                                                         : BeginString::fixt11,
                           .sender_comp_id = settings.comp_id,
                           .target_comp_id = settings.exchange_comp_id};
    wanted.session.user_name = settings.user_name;
    wanted.session.password = settings.password;
    wanted.session.reconnect_interval_s = 1;
    std::unique_ptr<FixOrderClient> link{new FixOrderClient{net::host_and_port(host, port)}};
    auto client =
        Client::make(link->entry_, link->store_, std::move(wanted), net::TlsTcp{settings.tls});
    if (!client) return std::unexpected{std::move(client.error())};
    link->client_ = *std::move(client);
    link->entry_.attach(link->client_->session());
    if (settings.market_data) link->entry_.follow_books();
    return link;
}

std::size_t FixOrderClient::do_work(std::int64_t now_ns) {
    if (refused_) return 0;
    const bool was_logged_on = client_->logged_on();
    const std::size_t work = client_->poll(Timestamp{now_ns});
    // An attempt may fail within the turn that begins it.
    const bool is_apart =
        client_->state() == Client::State::waiting || client_->state() == Client::State::finished;
    if (work > 0 && is_apart) look_at_loss(was_logged_on);
    if (client_->logged_on()) trouble_.clear();
    return work;
}

std::int64_t FixOrderClient::next_step_ns(std::int64_t now_ns) const {
    return state() == State::waiting ? std::min(retry_at_ns(), now_ns + k_step_ns)
                                     : now_ns + k_step_ns;
}

pollfd FixOrderClient::waits_for() const {
    const bool writes = client_->state() == Client::State::connecting;
    return {.fd = client_->socket().descriptor().number(),
            .events = static_cast<short>(writes ? POLLIN | POLLOUT : POLLIN),
            .revents = 0};
}

/// The connection is gone, or there was none.
void FixOrderClient::look_at_loss(bool was_up) {
    const Ended ended = client_->session().ended();
    trouble_ = client_->trouble();
    if (was_up) {
        ++losses_;
    } else if (ended == Ended::logon_refused && !entry_.has_begun()) {
        return refuse(trouble_);
    } else if (ended == Ended::logged_out && !entry_.has_begun()) {
        trouble_ += ": is this comp id unknown or already logged on (see --comp-id)?";
    }
    // The other side has other numbers than it had: it is another exchange, or was reset.
    const bool lost_count = ended == Ended::bad_sequence || ended == Ended::logon_refused;
    if (!lost_count) return;
    store_.reset(system_time());
    entry_.begin_anew();
}

void FixOrderClient::refuse(std::string why) {
    refused_ = true;
    trouble_ = std::move(why);
}

OrderClient::State FixOrderClient::state() const {
    if (refused_) return State::refused;
    switch (client_->state()) {
        case Client::State::waiting:
            return State::waiting;
        case Client::State::finished:
            return State::ended;
        case Client::State::connecting:
            return State::connecting;
        case Client::State::connected:
            break;
    }
    return client_->logged_on() && entry_.ready() ? State::up : State::logging_in;
}

}  // namespace damrak::client
