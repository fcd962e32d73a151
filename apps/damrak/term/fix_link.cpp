#include "term/fix_link.hpp"

#include <utility>

#include <fmt/format.h>

#include <damrak/exchange/system_time.hpp>
#include <damrak/net/address.hpp>

namespace damrak::app {

using session::fix::Ended;

FixLink::FixLink(std::string where)
    : where_(std::move(where)), entry_([] { return exchange::system_time(); }) {}

std::expected<std::unique_ptr<FixLink>, std::string> FixLink::make(
    const std::string& host, std::uint16_t port, const FixLinkSettings& settings) {
    using fix_codec::BeginString;
    client::FixClientSettings wanted{.host = host, .port = port};
    wanted.session.name = {.begin_string = settings.version == "fix42"   ? BeginString::fix42
                                           : settings.version == "fix44" ? BeginString::fix44
                                                                         : BeginString::fixt11,
                           .sender_comp_id = settings.comp_id,
                           .target_comp_id = settings.exchange_comp_id};
    wanted.session.user_name = settings.user_name;
    wanted.session.password = settings.password;
    wanted.session.reconnect_interval_s = 1;
    std::unique_ptr<FixLink> link{new FixLink{net::host_and_port(host, port)}};
    auto context = settings.tls.context(host);
    if (!context) return std::unexpected{std::move(context.error())};
    auto client = Client::make(link->entry_, link->store_, std::move(wanted),
                               net::TlsTcp{*std::move(context)});
    if (!client) return std::unexpected{std::move(client.error())};
    link->client_ = *std::move(client);
    link->entry_.attach(link->client_->session());
    if (settings.market_data) link->entry_.follow_books();
    return link;
}

void FixLink::do_work(std::int64_t now_ns) {
    if (refused_) return;
    const bool was_logged_on = client_->logged_on();
    const auto before = client_->state();
    client_->poll(Timestamp{now_ns});
    const auto after = client_->state();
    if (after != before && after != Client::State::connecting && after != Client::State::connected)
        look_at_loss(was_logged_on);
    if (client_->logged_on()) trouble_.clear();
}

/// The connection is gone, or there was none.
void FixLink::look_at_loss(bool was_up) {
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
    store_.reset(exchange::system_time());
    entry_.begin_anew();
}

void FixLink::refuse(std::string why) {
    refused_ = true;
    trouble_ = std::move(why);
}

Link::State FixLink::state() const {
    if (refused_) return State::refused;
    switch (client_->state()) {
        case Client::State::waiting:
        case Client::State::finished:
            return State::waiting;
        case Client::State::connecting:
            return State::connecting;
        case Client::State::connected:
            break;
    }
    return client_->logged_on() && entry_.ready() ? State::up : State::logging_in;
}

}  // namespace damrak::app
