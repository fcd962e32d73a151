// Why an instrument does not trade as usual, as far as the messages of a feed say it. Plain values.
#pragma once

#include <optional>
#include <string_view>

#include <damrak/domain/measures.hpp>
#include <damrak/wire/itch/messages.hpp>

namespace damrak::order_flow {

class HaltState {
  public:
    /// The range of an auction's price after a pause, in 1/10,000.
    struct Collar {
        Price lower{};
        Price upper{};
        friend bool operator==(const Collar&, const Collar&) = default;
    };

    void on(const wire::itch::StockTradingAction& action) {
        rule_ = rule_of(action.reason.text());
        if (rule_.empty()) collar_.reset();
    }
    void on(const wire::itch::OperationalHalt& halt) { is_by_operator_ = halt.action == 'H'; }
    void on(const wire::itch::LuldAuctionCollar& collar) {
        collar_ = Collar{Price{collar.lower_price_e4}, Price{collar.upper_price_e4}};
    }

    /// `operator`, `volatility`, `market_wide_1` and so on; empty: the feed gives no reason.
    [[nodiscard]] std::string_view cause() const { return is_by_operator_ ? "operator" : rule_; }
    [[nodiscard]] const std::optional<Collar>& collar() const { return collar_; }
    friend bool operator==(const HaltState&, const HaltState&) = default;

  private:
    // Of a code of Nasdaq's.
    [[nodiscard]] static std::string_view rule_of(std::string_view code) {
        if (code == "LUDP") return "volatility";
        if (code == "MWC1") return "market_wide_1";
        if (code == "MWC2") return "market_wide_2";
        return code == "MWC3" ? "market_wide_3" : "";
    }

    std::string_view rule_;
    bool is_by_operator_ = false;
    std::optional<Collar> collar_;
};

}  // namespace damrak::order_flow
