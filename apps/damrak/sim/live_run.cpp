#include "sim/live_run.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/client/binary_order_client.hpp>

namespace damrak::app {

LiveRun::LiveRun(market_kernel::MarketSetup setup, Links links,
                 const client::SoupReceiverConfig& feed)
    : feed_(feed, books_), links_(std::move(links)), market_(std::move(setup), books_) {
    for (std::size_t i = 0; i < links_.size(); ++i) market_.connect(i, links_[i]->gateway());
}

void LiveRun::turn(std::int64_t now_ns) {
    wait(now_ns);
    feed_.poll(0);
    bool all_up = true;
    for (std::size_t i = 0; i < links_.size(); ++i) {
        links_[i]->do_work(now_ns);
        const bool is_up = links_[i]->state() == client::OrderClient::State::up;
        market_.set_connected(i, is_up);
        all_up = all_up && is_up;
        if (auto* const binary = dynamic_cast<client::BinaryOrderClient*>(links_[i].get());
            binary && is_up)
            binary->entry().forget_unsure();  // out of reach, and cancelled by the exchange
    }
    if (!all_up && !market_.has_started()) return;
    market_.step({now_ns});
    for (const auto& link : links_) link->do_work(now_ns);
}

void LiveRun::wait(std::int64_t now_ns) {
    constexpr std::int64_t k_longest_ns = 10 * k_millisecond_ns;
    std::int64_t wait_ns = k_longest_ns;
    if (const auto timer = market_.next_timer())
        wait_ns = std::clamp<std::int64_t>(timer->value - now_ns, 0, k_longest_ns);
    waits_.assign(1, feed_.waits_for());
    for (const auto& link : links_)
        if (const pollfd waits = link->waits_for(); waits.fd >= 0) waits_.push_back(waits);
    const timespec longest{.tv_sec = 0, .tv_nsec = wait_ns};
    static_cast<void>(::ppoll(waits_.data(), waits_.size(), &longest, nullptr));
}

bool LiveRun::leave() { return market_.withdraw(); }

std::string LiveRun::trouble() const {
    for (std::size_t i = 0; i < links_.size(); ++i)
        if (!links_[i]->trouble().empty())
            return fmt::format("{}: {}", market_.name(i), links_[i]->trouble());
    if (!feed_.trouble().empty()) return fmt::format("feed: {}", feed_.trouble());
    if (!feed_.is_live() || market_.view().is_complete()) return {};
    return fmt::format("the exchange does not list {}", fmt::join(market_.view().missing(), ", "));
}

bool LiveRun::is_refused() const {
    return feed_.over() || std::ranges::any_of(links_, [](const auto& link) {
               return link->state() == client::OrderClient::State::refused;
           });
}

}  // namespace damrak::app
