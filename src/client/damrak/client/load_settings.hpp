// Settings and counts of a load run: plain values shared by the clients of `damrak load`, their
// threads and the report. A tally belongs to one thread; tallies are merged when all threads have
// ended.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/histogram.hpp>
#include <damrak/base/random.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/fix_codec/versions.hpp>
#include <damrak/wire/binary/messages.hpp>

namespace damrak::client {

/// A load client with more live orders than this, besides the window, sends market orders, which
/// rest in auctions alone. This bounds its memory.
inline constexpr std::size_t k_live_orders = 64;

enum class RequestKind : std::uint8_t { new_order, cancel, modify, logout };
/// Measured kinds: all but the logout.
inline constexpr std::size_t k_measured_kinds = 3;
inline constexpr std::array<const char*, k_measured_kinds> k_kind_names{"new", "cancel", "modify"};

enum class PriceModel : std::uint8_t {
    uniform,  ///< around a fixed middle
    walk,     ///< around a middle common to all clients, which moves a tick at a time
};

struct LoadSettings {
    wire::binary::Version version = wire::binary::Version::v1;
    bool capture = false;      ///< version 1: cancels in the long form of the capture profile
    std::uint32_t window = 8;  ///< limit of outstanding requests per client
    std::array<std::uint32_t, k_measured_kinds> mix{60, 30, 10};  ///< parts, by RequestKind
    std::uint64_t seed = 1;
    InstrumentId instrument{1};
    PriceModel prices{};
    std::uint32_t mid_price_e2 = 10'000;
    std::uint32_t price_range_e2 = 50;  ///< either side of the middle
    /// Percentage of orders priced beyond the middle, to trade; the others rest on their own side.
    /// Nothing: prices do not depend on the side.
    std::optional<std::uint32_t> aggressive_percent{};
    std::uint32_t maximum_quantity = 100;
    bool verify = false;
    /// The venue has auctions or batches, in which resting orders trade at better prices, and
    /// phases that refuse requests.
    bool auctions = false;
    /// The exchange shares our clock: its time stamps are checked against it.
    bool same_clock = false;
    /// Version 1: the clients log in with these keys in turn. Empty: without keys.
    std::vector<wire::binary::ApiKey> keys{};
    /// There are more clients than keys: several clients may be the same participant.
    bool keys_are_shared = false;
    // FIX: version, symbol of the instrument (OUCH as well), and comp ids; a client's comp id is
    // followed by its number.
    fix_codec::BeginString fix_version = fix_codec::BeginString::fix44;
    std::string symbol = "AAPL";
    std::string fix_client = "CLIENT";
    std::string fix_exchange = "DAMRAK";
    /// The far end is an echo without orders: cancels and modifies name any order.
    bool echo = false;
};

/// Sums over the reports of all trades, in which a trade reported equally to both sides cancels
/// out. Each sum omits another field, so that together they show which field was reported
/// differently. Some dozens of multiplications per trade.
class TradeSums {
  public:
    void add(bool buy, std::uint64_t time, std::uint64_t price, std::uint64_t quantity) {
        const auto add_to = [buy](std::uint64_t& sum, std::uint64_t a, std::uint64_t b,
                                  std::uint64_t c) {
            const std::uint64_t hash = mix_bits(mix_bits(mix_bits(a) + b) + c);
            sum += buy ? hash : std::uint64_t{0} - hash;
        };
        add_to(all_, time, price, quantity);
        add_to(without_time_, 0, price, quantity);
        add_to(without_price_, time, 0, quantity);
        add_to(without_quantity_, time, price, 0);
    }
    void merge(const TradeSums& other) {
        all_ += other.all_;
        without_time_ += other.without_time_;
        without_price_ += other.without_price_;
        without_quantity_ += other.without_quantity_;
    }
    /// The field in which the reports to both sides of some trade differ. Empty if no single field
    /// explains it: a client outside this run traded too and received the other side.
    [[nodiscard]] std::string_view differing() const {
        if (all_ == 0) return {};
        if (without_price_ == 0) return "prices";
        if (without_time_ == 0) return "times";
        return without_quantity_ == 0 ? "quantities" : "";
    }
    /// All trades were between summed clients.
    [[nodiscard]] bool closed() const { return all_ == 0; }

  private:
    std::uint64_t all_ = 0;
    std::uint64_t without_time_ = 0;
    std::uint64_t without_price_ = 0;
    std::uint64_t without_quantity_ = 0;
};

/// What a load run has counted and measured.
struct LoadTally {
    /// From the write to the answer, by RequestKind; only while recording.
    std::array<Histogram, k_measured_kinds> latency_ns{};
    std::uint64_t answers = 0;         ///< while recording
    std::uint64_t trade_messages = 0;  ///< while recording
    bool recording = false;

    /// Requests by RequestKind, except those that clean up at the end.
    std::array<std::uint64_t, k_measured_kinds> asked{};
    std::uint64_t all_answers = 0;  ///< from the first request to the last
    std::uint64_t found = 0;        ///< cancels and modifies whose order was found, except for the
                                    ///< clean-up
    std::uint64_t not_found = 0;    ///< cancels and modifies that were too late: the order was
                                    ///< filled
    std::uint64_t refused = 0;      ///< any other refusal, and ERROR messages
    std::uint64_t declined = 0;     ///< refusals where phases may refuse: no errors
    std::uint64_t taken = 0;        ///< orders that were accepted
    std::uint64_t violations = 0;   ///< answers that break a rule of the protocol
    std::uint64_t disconnects = 0;  ///< not requested by the client
    std::uint64_t unanswered = 0;   ///< requests without an answer
    std::string first_error{};      ///< other than not_found, as text
    std::string first_declined{};
    TradeSums trades{};  ///< under --verify

    /// At the end: compares the two sides of the trades.
    void compare_sides() {
        if (const auto what = trades.differing(); !what.empty() && errors() == 0)
            error(violations, "the two sides of a trade received different " + std::string{what});
    }
    [[nodiscard]] std::uint64_t errors() const {
        return refused + violations + disconnects + unanswered;
    }
    void error(std::uint64_t& count, std::string text) {
        if (errors() == 0) first_error = std::move(text);
        count += 1;
    }
    /// A request was refused: an error, but where phases may refuse.
    void refuse(const LoadSettings& settings, std::string text) {
        if (!settings.auctions) return error(refused, std::move(text));
        if (declined == 0) first_declined = std::move(text);
        ++declined;
    }
    /// At the end: where nothing was accepted, a phase is no excuse.
    void check_taken() {
        if (declined > 0 && taken == 0) error(refused, "no order was accepted: " + first_declined);
    }
    void merge(const LoadTally& other) {
        for (std::size_t kind = 0; kind < k_measured_kinds; ++kind) {
            latency_ns[kind].merge(other.latency_ns[kind]);
            asked[kind] += other.asked[kind];
        }
        if (errors() == 0) first_error = other.first_error;
        answers += other.answers;
        trade_messages += other.trade_messages;
        all_answers += other.all_answers;
        found += other.found;
        not_found += other.not_found;
        refused += other.refused;
        if (declined == 0) first_declined = other.first_declined;
        declined += other.declined;
        taken += other.taken;
        violations += other.violations;
        trades.merge(other.trades);
        disconnects += other.disconnects;
        unanswered += other.unanswered;
    }
};

}  // namespace damrak::client
