#include <damrak/measures/measures.hpp>

#include <cmath>
#include <string>

namespace damrak::measures {
namespace {

constexpr std::int64_t k_sample_ns = 1'000'000'000;

Top top_of(const views::PublicChange& change) {
    return {.time = change.time,
            .bid = change.bid,
            .ask = change.ask,
            .bid_quantity = change.bid_quantity,
            .ask_quantity = change.ask_quantity,
            .is_trading = change.trading_state == TradingState::trading};
}

}  // namespace

bool Measures::on_change(const views::PublicChange& change) {
    const Top top = top_of(change);
    const bool is_trade = change.kind == views::PublicChange::Kind::trade;
    if (is_trade) traded_.displayed.add(change.quantity);
    if ((has_begun_ && change.time < now_) || (top.has_both() && top.bid >= top.ask)) {
        ++refused_;
        return false;
    }
    if (!has_begun_) {
        has_begun_ = true;
        now_ = change.time;
        before_ = Top{.time = change.time};
        next_sample_ns_ = (now_.value / k_sample_ns + 1) * k_sample_ns;
        trading_.settle(before_, now_);
    } else if (change.time > now_) {
        advance(change.time);
    }
    ++changes_;
    depth_.apply(change);
    top_ = top;
    if (!is_trade) return true;
    const PublicTrade trade{change.time, change.side, change.price, change.quantity};
    has_trade_ = true;
    liquidity_.trade(trade, before_);
    trading_.trade(trade);
    if (watcher_ != nullptr) watcher_->on_trade(trade, before_);
    return true;
}

void Measures::close_step() {
    liquidity_.step(before_, top_, has_trade_);
    trading_.step(before_, top_);
    before_ = top_;
    has_trade_ = false;
}

void Measures::advance(Timestamp to) {
    stand({to.value - 1}, (to - now_).value);
    now_ = to;
}

// What the last step left stands for this long; `last` is the last moment at which it does.
void Measures::stand(Timestamp last, std::int64_t duration_ns) {
    close_step();
    liquidity_.hold(top_, depth_, duration_ns);
    liquidity_.settle(top_, last);
    trading_.settle(top_, last);
    if (watcher_ != nullptr) watcher_->on_stood(top_, last);
    for (; next_sample_ns_ <= last.value; next_sample_ns_ += k_sample_ns) sample();
}

void Measures::sample() {
    if (watcher_ != nullptr) watcher_->on_second(next_sample_ns_ / k_sample_ns, top_, traded_);
    if (!top_.is_quoted()) {
        path_.interrupt();
        returns_.interrupt();
        return_sizes_.interrupt();
        has_sample_ = false;
        return;
    }
    const double mid = top_.mid();
    path_.add(mid);
    if (has_sample_) {
        returns_.add(mid - last_sample_);
        return_sizes_.add(std::abs(mid - last_sample_));
        if (last_sample_ > 0) relative_returns_.add((mid - last_sample_) / last_sample_);
    }
    last_sample_ = mid;
    has_sample_ = true;
}

void Measures::on_message(const OrderMessage& message) {
    std::uint64_t before = 0;
    for (const std::uint64_t count : messages_) before += count;
    if (before > 0)
        waits_s_.add(static_cast<double>((message.time - last_message_).value) /
                     static_cast<double>(k_sample_ns));
    last_message_ = message.time;
    ++messages_[static_cast<std::size_t>(message.kind)];
    if (message.kind == OrderMessage::Kind::added && message.quantity.value == 100) ++round_adds_;
    if (watcher_ != nullptr && is_at_best(message))
        watcher_->on_best_message(message, message.time > now_ ? top_ : before_);
    if (message.order) follow(message);
}

// The book is as it was before the message. A new best price is at the best as well.
bool Measures::is_at_best(const OrderMessage& message) const {
    if (message.kind == OrderMessage::Kind::executed_hidden) return true;
    const auto& levels = depth_.levels(message.side);
    if (levels.empty()) return true;
    return message.side == Side::buy ? message.price.value >= levels.rbegin()->first
                                     : message.price.value <= levels.begin()->first;
}

void Measures::follow(const OrderMessage& message) {
    switch (message.kind) {
        case OrderMessage::Kind::added: {
            if (!is_at_best(message)) return;
            const auto& levels = depth_.levels(message.side);
            const auto queue = levels.find(message.price.value);
            const std::int64_t ahead = queue == levels.end() ? 0 : queue->second.quantity.value;
            queues_.added(message.order, message.time, ahead);
            return;
        }
        case OrderMessage::Kind::executed:
            return queues_.executed(message.order, message.time);
        case OrderMessage::Kind::removed:
            if (const auto entered = queues_.removed(message.order); entered && watcher_ != nullptr)
                watcher_->on_cancelled(*entered, message.time);
            return;
        case OrderMessage::Kind::replaced:
            return queues_.replaced(message.order);
        case OrderMessage::Kind::reduced:
        case OrderMessage::Kind::executed_hidden:
            return;
    }
}

Results Measures::finish(Timestamp end) {
    if (has_begun_ && end >= now_) stand(end, (end - now_).value);
    Results results;
    results.add("tick_size", "currency",
                static_cast<double>(settings_.tick) / static_cast<double>(settings_.currency),
                has_begun_ ? 1 : 0);
    results.add("changes", "1", static_cast<double>(changes_), changes_);
    results.add("refused_changes", "1", static_cast<double>(refused_), refused_);
    results.add("trades", "1", static_cast<double>(traded_.trades()), traded_.trades());
    results.add("volume", "shares", static_cast<double>(traded_.volume()), traded_.trades());
    liquidity_.report(results);
    report_path(results);
    trading_.report(results);
    report_messages(results);
    return results;
}

void Measures::report_path(Results& results) const {
    for (std::size_t i = 0; i < path_.horizons().size(); ++i) {
        const std::string after = "_" + std::to_string(path_.horizons()[i]) + "s";
        const Moments& moments = path_.differences(i);
        if (moments.count() == 0) continue;
        results.add("realised_variance" + after, "price units^2/s", path_.variance_per_step(i),
                    moments.count());
        if (i > 0 && path_.has_variance_ratio(i))
            results.add("variance_ratio" + after, "1", path_.variance_ratio(i), moments.count());
        if (i > 0 && path_.has_variance_ratio_z(i))
            results.add("variance_ratio_z" + after, "1", path_.variance_ratio_z(i),
                        moments.count());
        if (moments.variance() > 0)
            results.add("excess_kurtosis" + after, "1", moments.excess_kurtosis(), moments.count());
    }
    report_volatility(results);
    if (returns_.of(0).has_correlation())
        results.add("return_autocorrelation_1s", "1", returns_.of(0).correlation(),
                    returns_.of(0).count());
    if (return_sizes_.of(0).has_correlation())
        results.add("return_size_autocorrelation_1s", "1", return_sizes_.of(0).correlation(),
                    return_sizes_.of(0).count());
}

void Measures::report_volatility(Results& results) const {
    const std::uint64_t count = path_.differences(0).count();
    if (count == 0) return;
    const double volatility = std::sqrt(path_.variance_per_step(0));
    results.add("volatility", "price units/sqrt(s)", volatility, count);
    results.add("volatility_currency", "currency/sqrt(s)",
                volatility / static_cast<double>(settings_.currency), count);
    results.add("volatility_bp", "bp/sqrt(s)", 1e4 * std::sqrt(relative_returns_.mean_square()),
                relative_returns_.count());
}

void Measures::report_messages(Results& results) const {
    const auto of = [this](OrderMessage::Kind kind) {
        return messages_[static_cast<std::size_t>(kind)];
    };
    using Kind = OrderMessage::Kind;
    const auto ratio = [&results](const char* name, std::uint64_t part, std::uint64_t whole) {
        if (whole > 0)
            results.add(name, "1", static_cast<double>(part) / static_cast<double>(whole), whole);
    };
    const std::uint64_t adds = of(Kind::added);
    const std::uint64_t cancels = of(Kind::reduced) + of(Kind::removed);
    const std::uint64_t executions = of(Kind::executed) + of(Kind::executed_hidden);
    ratio("cancels_to_adds", cancels, adds);
    ratio("orders_to_trades", adds + cancels + of(Kind::replaced), executions);
    ratio("round_lot_adds", round_adds_, adds);
    ratio("hidden_executions", of(Kind::executed_hidden), executions);
    queues_.report(results);
    if (waits_s_.count() > 1 && waits_s_.mean() > 0)
        results.add("interarrival_cv", "1", waits_s_.deviation() / waits_s_.mean(),
                    waits_s_.count());
}

}  // namespace damrak::measures
