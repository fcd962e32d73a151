// Writes records to the files of MiniExchange's server (classic_rows.hpp). For the collector's
// thread. A record costs a row, and a look-up if it refers to a connection or a counterparty. A
// client of that server corresponds to a connection here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <damrak/base/cycle_clock.hpp>
#include <damrak/telemetry/detail/classic_rows.hpp>
#include <damrak/telemetry/detail/file_set.hpp>
#include <damrak/telemetry/records.hpp>

namespace damrak::telemetry {

class ClassicLogs {
  public:
    using Files = FileSet<classic::Timings, classic::Received, classic::Sent, classic::Added,
                          classic::Removed, classic::Cancelled, classic::Modified, classic::Traded,
                          classic::Connected, classic::Disconnected>;

    /// `clock` must outlive it.
    ClassicLogs(const std::filesystem::path& folder, std::uint64_t maximum_bytes,
                const CycleClock& clock)
        : files_(folder, maximum_bytes), clock_(&clock) {}

    /// Counter value when the following records were made; zero: derived from their times.
    void made_at(std::uint64_t ticks) { made_at_ticks_ = ticks; }
    void add(const Timing& timing);
    void add(const Opened& opened);
    void add(const Closed& closed);
    void add(const Request& request);
    void add(const Refusal& refusal);
    void add(const GoodTill& date);
    void add(const Write& write);
    void add(const OrderFate& fate);
    void add(const Trade& trade);

    [[nodiscard]] Files& files() { return files_; }
    [[nodiscard]] const Files& files() const { return files_; }

  private:
    [[nodiscard]] std::uint64_t ticks(Timestamp time) const {
        return made_at_ticks_ != 0 ? made_at_ticks_ : clock_->ticks_at(time.value);
    }
    [[nodiscard]] std::uint64_t descriptor_of(SessionId session) const;
    [[nodiscard]] std::uint64_t client_of(ParticipantId participant) const;
    void remember(const OrderFate& fate);
    void date_order(const OrderFate& fate);
    void modify(const OrderFate& fate, OrderId new_order, Quantity quantity, std::uint8_t status);
    void replace(const OrderFate& fate, bool on_book);
    void add_to_book(const OrderFate& fate, OrderId order);
    void end_order(Timestamp time, OrderId order);

    Files files_;
    const CycleClock* clock_;
    std::uint64_t made_at_ticks_ = 0;
    std::unordered_map<std::uint64_t, std::uint64_t> descriptors_;  ///< by open session
    std::unordered_set<std::uint64_t> on_book_;  ///< orders that rested: others end without a row
                                                 ///< rested
    std::vector<SessionId> last_session_;        ///< by participant: the session of its last order
    /// Good-till dates other than never: of outstanding requests, by session and sequence, and of
    /// open orders.
    std::map<std::pair<SessionId, std::uint32_t>, std::uint64_t> asked_dates_;
    std::unordered_map<std::uint64_t, std::uint64_t> dates_;
};

}  // namespace damrak::telemetry
