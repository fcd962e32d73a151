#include <damrak/participants/detail/policy_trader.hpp>

#include <algorithm>
#include <expected>

#include <damrak/participants/detail/prices.hpp>
#include <damrak/participants/detail/taking.hpp>
#include <damrak/participants/detail/timers.hpp>

namespace damrak::participants {

using market_kernel::MarketAccess;
using models::PolicyAction;

namespace {

std::expected<models::Policy, std::string> policy_of(const PolicyTrader::Parameters& parameters) {
    if (!parameters.scores.empty()) return models::Policy::of_scores(parameters.scores);
    if (!parameters.tree.empty()) return models::Policy::of_tree(parameters.tree);
    return models::Policy::of_rules(parameters.rules);
}

}  // namespace

std::vector<Parameter<PolicyTrader::Parameters>> PolicyTrader::parameters() {
    using P = Parameters;
    return ParameterRows<P>{}
        .texts("rules", &P::rules, "FEATURE > NUMBER and FEATURE < NUMBER : ACTION",
               "A table: the first rule that holds decides; \"else : ACTION\" always holds")
        .texts("scores", &P::scores, "ACTION = NUMBER * FEATURE + NUMBER",
               "A linear model in place of the rules: the highest score above zero decides")
        .texts("tree", &P::tree, "FEATURE > NUMBER ? NODE : NODE, or ACTION",
               "A decision tree in place of the rules: nodes, counted from 0")
        .number("looks_per_s", &P::looks_per_s, "per second", 1e-6, 1e6,
                "Rate of its looks at the market, at exponential intervals")
        .whole("quantity", &P::quantity, "shares", 1, 1'000'000, "Quantity of an order")
        .whole("most_position", &P::most_position, "shares", 1, 1'000'000'000,
               "Largest position, long or short")
        .duration("horizon", &P::horizon_ns, 1, 100 * 86'400 * market_kernel::k_second_ns,
                  "Time in which time_left goes from 1 to 0")
        .take();
}

std::string PolicyTrader::check(const Parameters& parameters) {
    if (!parameters.scores.empty() && !parameters.tree.empty())
        return "scores and tree cannot be given together";
    const auto policy = policy_of(parameters);
    return policy ? "" : policy.error();
}

PolicyTrader::PolicyTrader(const Parameters& parameters, const Assignment& assignment)
    : is_(parameters), policy_(policy_of(parameters).value_or(models::Policy{})) {
    for (const InstrumentId instrument : assignment.instruments)
        books_.push_back({instrument, detail::Quotes{instrument, 1}});
}

void PolicyTrader::on_start(MarketAccess& access) {
    looks_ = access.draws("look");
    begin_ = access.now();
    detail::wake_after(access, looks_.exponential(is_.looks_per_s));
}

models::PolicyFeatures PolicyTrader::features(MarketAccess& access, const Book& book) {
    const views::PublicChange& view = access.view(book.instrument);
    const auto tick = static_cast<double>(detail::tick_of(access, book.instrument));
    const auto bid = static_cast<double>(view.bid_quantity.value);
    const auto ask = static_cast<double>(view.ask_quantity.value);
    const auto position = static_cast<double>(access.position(book.instrument).value);
    const auto gone = static_cast<double>((access.now() - begin_).value);
    const auto moved =
        static_cast<double>(book.twice_mid == 0 ? 0 : view.twice_mid() - book.twice_mid);
    return {position / static_cast<double>(is_.most_position), (bid - ask) / (bid + ask),
            static_cast<double>(view.ask.value - view.bid.value) / tick,
            std::max(1 - gone / static_cast<double>(is_.horizon_ns), 0.), moved / 2 / tick};
}

void PolicyTrader::on_timer(MarketAccess& access, std::uint64_t /*key*/) {
    for (Book& book : books_) {
        const views::PublicChange& view = access.view(book.instrument);
        if (!view.has_both()) continue;
        const PolicyAction action = policy_.choose(features(access, book));
        book.twice_mid = view.twice_mid();
        if (action != PolicyAction::nothing) act(access, book, action);
    }
    detail::wake_after(access, looks_.exponential(is_.looks_per_s));
}

void PolicyTrader::act(MarketAccess& access, Book& book, PolicyAction action) {
    const InstrumentId instrument = book.instrument;
    const auto quantity = [&](Side side) {
        return std::min(is_.quantity, detail::room(access, instrument, side, is_.most_position));
    };
    const views::PublicChange& view = access.view(instrument);
    const auto want = [&](Side side, bool is_wanted) {
        const Price best = side == Side::buy ? view.bid : view.ask;
        book.quotes.want(side, 0, {best, {is_wanted ? quantity(side) : 0}});
    };
    const bool quotes = action == PolicyAction::quote;
    want(Side::buy, quotes || action == PolicyAction::bid);
    want(Side::sell, quotes || action == PolicyAction::ask);
    book.quotes.pursue(access);
    if (action == PolicyAction::buy)
        detail::take_best(access, instrument, Side::buy, quantity(Side::buy));
    if (action == PolicyAction::sell)
        detail::take_best(access, instrument, Side::sell, quantity(Side::sell));
}

void PolicyTrader::on_report(MarketAccess& access, const market_kernel::Report& report) {
    for (Book& book : books_)
        if (book.instrument == report.order.instrument) book.quotes.on_report(access, report);
}

}  // namespace damrak::participants
