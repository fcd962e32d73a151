// What clients ask about the market and its instruments, and the answers. On the
// thread of the gateways.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <damrak/budget/row.hpp>
#include <damrak/gateway/fix/detail/market_data.hpp>
#include <damrak/gateway/fix/detail/reporting.hpp>

namespace damrak::gateway::fix {

/// Answers the requests of FIX clients for market data, securities and status.
template <class Exchange, class Store>
class FixMarketRequests {
  public:
    using Context = FixContext<Exchange, Store>;
    using Client = ConnectedClient<Exchange, Store>;
    using Sessions = FixSessionTable<Exchange, Store>;
    using Reports = FixReporting<Exchange, Store>;
    using Message = fix_codec::Message;
    using Reply = session::fix::Reply;

    FixMarketRequests(Context& context, Sessions& sessions, Reports& reports)
        : context_(&context), sessions_(&sessions), reports_(&reports) {}

    /// Where clients can see the market; without it they are refused.
    void show(feed::MarketSnapshots& snapshots) { market_.emplace(snapshots, row_); }
    /// What strangers may have together of what is watched, in percent.
    void set_strangers_share(std::uint32_t percent) { row_.set(parts(percent)); }
    /// What is watched: instruments of requests. Any thread.
    [[nodiscard]] budget::Row::Figures places() const { return row_.figures(); }
    /// Once a turn: those who watch the market hear what is new.
    void tell_market(Timestamp now) {
        if (market_ && !market_->idle()) [[unlikely]]
            tell_watchers(now);
    }
    /// The client watches nothing any more.
    void drop(const Client& client) {
        if (market_) market_->drop(client.number());
    }
    [[nodiscard]] Reply market_data(Client& client, const Message& message);
    [[nodiscard]] Reply security_status(Client& client, const Message& message);
    [[nodiscard]] Reply session_status(Client& client, const Message& message);
    [[nodiscard]] Reply security_list(Client& client, const Message& message);
    [[nodiscard]] Reply security_definition(Client& client, const Message& message);

  private:
    struct MarketTeller;
    /// A client that asks for more at once would hold up the others.
    static constexpr std::uint32_t k_most_reports = 1'000;

    [[nodiscard]] static budget::Row::Parts parts(std::uint32_t percent_of_strangers) {
        constexpr std::uint32_t k_most = FixMarketData::k_most_lines;
        return budget::Row::Parts::of(k_most, k_most * percent_of_strangers / 100);
    }
    void tell_watchers(Timestamp now);
    template <class Name>
    [[nodiscard]] Reply take_status_request(Client& client, const Message& message,
                                            const detail::MarketTerms& terms,
                                            std::string_view symbol, const Name& name);
    [[nodiscard]] Reply refuse_status(Client& client, const Message& message,
                                      const detail::MarketRequest& request, std::string_view symbol,
                                      const detail::FixText& text);

    Context* context_;
    Sessions* sessions_;
    Reports* reports_;
    budget::Row row_{parts(100)};
    std::optional<FixMarketData> market_;
};

}  // namespace damrak::gateway::fix

#include <damrak/gateway/fix/detail/market_requests.hpp>
#include <damrak/gateway/fix/detail/status_requests.hpp>
