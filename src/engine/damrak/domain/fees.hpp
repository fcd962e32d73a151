// What an exchange charges for trades, by group of participants. The same rates make the fees of
// reports, of accounts and of simulated profit. Plain values; a fee costs some multiplications.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <damrak/base/wide_integer.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/instrument.hpp>

namespace damrak {

/// What one side of a trade pays; negative: a rebate.
struct FeeRate {
    std::int64_t per_share = 0;   ///< in billionths of the currency
    std::int64_t millionths = 0;  ///< of the value of the trade
    friend bool operator==(const FeeRate&, const FeeRate&) = default;
};

/// What a participant pays for its trades.
struct FeeRates {
    FeeRate maker{};
    FeeRate taker{};
    FeeRate auction{};  ///< of both sides of a trade in an auction
    friend bool operator==(const FeeRates&, const FeeRates&) = default;

    /// Of a side of a trade, by its event `executed`.
    [[nodiscard]] const FeeRate& of(const Event& executed) const {
        if (has_flag(executed, EventFlags::k_cross)) return auction;
        return has_flag(executed, EventFlags::k_aggressor) ? taker : maker;
    }
};

struct Fees {
    /// Participants with rates of their own.
    struct Group {
        std::string name;
        std::vector<ParticipantId> participants;
        FeeRates rates{};
        friend bool operator==(const Group&, const Group&) = default;
    };
    FeeRates all{};  ///< of participants in no group
    std::vector<Group> groups;
    [[nodiscard]] bool exist() const { return *this != Fees{}; }
    [[nodiscard]] const FeeRates& of(ParticipantId participant) const {
        for (const Group& group : groups)
            if (std::ranges::find(group.participants, participant) != group.participants.end())
                return group.rates;
        return all;
    }
    friend bool operator==(const Fees&, const Fees&) = default;
};

/// Of a trade, in price units of the instrument, rounded half away from zero.
[[nodiscard]] inline std::int64_t fee_of(const FeeRate& rate, Price price, Quantity quantity,
                                         unsigned price_decimals) {
    std::int64_t unit = 1'000'000'000;  // billionths
    for (unsigned i = 0; i < price_decimals; ++i) unit /= 10;
    constexpr std::int64_t k_million = 1'000'000;
    const Int128 whole = Int128{unit} * k_million;
    const Int128 parts =
        Int128{quantity.value} *
        (Int128{rate.per_share} * k_million +
         Int128{price.value < 0 ? -price.value : price.value} * rate.millionths * unit);
    return static_cast<std::int64_t>((parts + (parts < 0 ? -whole : whole) / 2) / whole);
}

}  // namespace damrak
