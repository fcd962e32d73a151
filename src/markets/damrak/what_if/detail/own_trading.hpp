// What the own participants of a what-if replay did, and what it cost against the recorded market.
// One thread; a few comparisons an event, and 100 bytes a fill until the record is past it.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include <damrak/base/time_units.hpp>
#include <damrak/market_kernel/market.hpp>
#include <damrak/what_if/detail/recorded_market.hpp>

namespace damrak::what_if {

inline constexpr std::array<std::int64_t, 3> k_markout_ns{k_second_ns, 10 * k_second_ns,
                                                          60 * k_second_ns};

/// Sums over the fills of a group; divide by `quantity` for a share's. Price units.
struct Markout {
    std::int64_t quantity = 0;  ///< of fills that the record is far enough past
    double sum = 0;             ///< gained: mid of the record after that time less price, signed
};

struct GroupTrading {
    std::string group;
    std::uint64_t messages = 0;
    std::uint64_t orders = 0;
    std::uint64_t fills = 0;
    std::int64_t bought = 0;
    std::int64_t sold = 0;
    std::int64_t maker_quantity = 0;
    std::int64_t cash = 0;                   ///< received less paid, fees included
    std::optional<std::int64_t> arrival_x2;  ///< twice the recorded mid at the first message
    std::int64_t slippage_quantity = 0;      ///< of fills while the record had both sides
    double slippage = 0;                     ///< price paid over the recorded mid
    double shortfall = 0;                    ///< and over the recorded mid at the first message
    std::array<Markout, k_markout_ns.size()> markouts{};

    [[nodiscard]] std::int64_t quantity() const { return bought + sold; }
};

class OwnTrading final : public market_kernel::MarketWatcher {
  public:
    /// `groups`: the name of each participant's group. All later participants are the background.
    OwnTrading(std::vector<std::string> groups, const RecordedMarket& record);

    void on_event(const Event& event, const CommandStamp& stamp) override;
    void on_sent(ParticipantId participant, const Command& command, Timestamp time) override;
    /// The record will have changed at this time: what was due before it is settled.
    void settle(Timestamp time);

    [[nodiscard]] const std::vector<GroupTrading>& groups() const { return groups_; }
    /// When the first own message was sent.
    [[nodiscard]] std::optional<Timestamp> first_action() const { return first_action_; }

  private:
    struct Waiting {
        Timestamp due{};
        std::uint32_t group = 0;
        std::int64_t signed_quantity = 0;  ///< bought; negative: sold
        Price price{};
    };

    std::vector<GroupTrading> groups_;
    std::vector<std::uint32_t> group_of_;  ///< by participant
    const RecordedMarket* record_;
    std::optional<Timestamp> first_action_;
    std::array<std::deque<Waiting>, k_markout_ns.size()> waiting_;
};

}  // namespace damrak::what_if
