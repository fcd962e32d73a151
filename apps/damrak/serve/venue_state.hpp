// What the rules of the exchange's venue come to (measures/venue_ledger.hpp), over HTTP, as
// metrics, and as lines at the end of a trading day.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <damrak/domain/trading_day.hpp>
#include <damrak/exchange/exchange.hpp>
#include <damrak/http/server.hpp>
#include <damrak/measures/venue_ledger.hpp>

#include "serve/settings.hpp"

namespace damrak::app {

inline constexpr std::string_view k_venue_path = "/v1/private/venue";
inline constexpr std::string_view k_index_path = "/v1/index";

class VenueState {
  public:
    /// Keeps a ledger if the settings have a venue: a later one may need it, if this one does not.
    explicit VenueState(const ServeSettings& settings);

    /// For the start of the exchange, which must not outlive this.
    [[nodiscard]] exchange::Observers observers() const;
    /// The trading day that the journal ended in. Before the exchange opens.
    void resume(TradingDay day);
    /// The exchange continues by this venue: once it is open, and after each reload.
    void use(const std::shared_ptr<const venue::Venue>& venue);

    // Any thread:
    /// Fees, obligations and the index.
    [[nodiscard]] http::Answer answer_venue() const;
    /// The index alone; 404 if the venue has none.
    [[nodiscard]] http::Answer answer_index() const;
    [[nodiscard]] Fees fees() const;
    [[nodiscard]] std::string metrics() const;

  private:
    std::unique_ptr<measures::VenueLedger> ledger_;  ///< null: there was no venue
};

}  // namespace damrak::app
