// A recorded day that serves as the market: its file, clock and controls. `damrak serve --replay`
// makes one; gateway::replay::ReplayGateway plays it in the turns of the exchange.
//
// play() belongs to the exchange's thread. Any thread may control it and read its status.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <damrak/archive/day.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/recorded_market/day_to_replay.hpp>
#include <damrak/recorded_market/detail/schedule.hpp>
#include <damrak/recorded_market/playback.hpp>
#include <damrak/sequencer/market_clock.hpp>

namespace damrak::recorded_market {

/// Which day is played, and how.
struct ReplaySettings {
    std::filesystem::path file;  ///< an archived day, or any format that can be imported
    double speed = 1;
    bool paused = false;
    Window window;
    bool takes_a_part = false;  ///< plays a day that lacks messages up to there
    /// Begins a day without a date, such as a generated one, just before its first trade.
    bool begins_at_first_trade = false;
    bool trust_messages = false;                         ///< as in archive::Import
    std::optional<modify::Modification> modification{};  ///< of the day, before it is played
};

/// What the exchange provides for it.
struct ReplayRoom {
    std::filesystem::path folder;  ///< for the archived day made from another format
    ParticipantId participant;
    std::uint32_t maximum_orders = 0;
    std::uint32_t maximum_instruments = 0;
    /// The start of a date (yyyymmdd).
    std::function<Timestamp(std::int32_t date)> midnight;
};

/// How far a replay is.
struct ReplayStatus {
    Timestamp time;            ///< of the market
    std::int64_t time_ns = 0;  ///< since its midnight
    double speed = 1;
    bool paused = false;
    bool over = false;
    std::optional<std::int64_t> sought_ns;  ///< target of a requested seek, since midnight
};

/// A day whose books are not known to its end ends where they do.
class ReplayedDay {
  public:
    [[nodiscard]] static archive::Result<std::shared_ptr<ReplayedDay>> open(
        const ReplaySettings& settings, const ReplayRoom& room);
    ReplayedDay(const ReplayedDay&) = delete;
    ReplayedDay& operator=(const ReplayedDay&) = delete;
    ~ReplayedDay() = default;

    [[nodiscard]] const std::filesystem::path& file() const { return file_; }
    /// By the modification of the day; empty: it is played as recorded.
    [[nodiscard]] const std::optional<modify::Changes>& changes() const { return changes_; }
    [[nodiscard]] std::int32_t date() const { return day_->date(); }
    [[nodiscard]] std::uint64_t messages() const { return day_->messages(); }
    [[nodiscard]] const std::vector<archive::Instrument>& instruments() const {
        return instruments_;
    }
    [[nodiscard]] const OpenOrders& open_orders() const { return playback_.open_orders(); }
    /// What of its books can be known.
    [[nodiscard]] const archive::DayDepth& depth() const { return day_->depth(); }
    /// How the feed marks its messages.
    [[nodiscard]] feed::Recording recording() const {
        return {.participant = participant(),
                .has_view = depth().is_limited(),
                .levels = depth().depth};
    }
    [[nodiscard]] const Drift& drift() const { return playback_.drift(); }
    [[nodiscard]] ParticipantId participant() const { return playback_.participant(); }
    [[nodiscard]] const sequencer::MarketClock& clock() const { return clock_; }

    // For the exchange's thread:

    /// One turn: submits the due commands, up to a limit, and returns their number. Sets `stopped`
    /// if the exchange accepts no more.
    template <class Exchange>
    std::size_t play(Timestamp system, Exchange& exchange, bool& stopped) {
        const bool paused = paused_.load(std::memory_order_relaxed);
        if (paused) schedule_.pause(system);
        if ((paused && !has_first_books_) || over_.load(std::memory_order_relaxed)) return 0;
        // The books that it begins with are there at once.
        const std::int64_t due_ns =
            paused ? begin_ns_ : schedule_.due_ns(system, speed_.load(std::memory_order_relaxed));
        std::size_t submitted = 0;
        while (submitted < k_commands_a_turn && !stopped && exchange.ready()) {
            const auto due = playback_.next(due_ns);
            if (!due) break;
            advance_to(due->time_ns);
            stopped = !exchange.submit(due->command, Playback::origin_of(*due), system);
            ++submitted;
        }
        end_turn(due_ns);
        return submitted;
    }
    /// At a restart: the journal has a record of this time.
    void note_reached(Timestamp time);
    /// At a restart: plays each of its own commands in the journal again, before its events. False:
    /// the command belongs to another day, or to one that began with other books.
    [[nodiscard]] bool replay(const Command& command, const Origin& origin);
    void on_event(const Event& event, const Origin& origin) { playback_.on_event(event, origin); }
    void on_command_end(const Origin& origin) { playback_.on_command_end(origin); }
    /// How long a turn may wait for clients, at most `wait_ms`.
    [[nodiscard]] int patience_ms(int wait_ms) const;

    // For any thread:

    void pause(bool paused) { paused_.store(paused, std::memory_order_relaxed); }
    /// Above zero, or k_fastest.
    void set_speed(double speed) { speed_.store(speed, std::memory_order_relaxed); }
    /// Requests that the owner of the exchange restart the day at this time, see
    /// exchange/recorded_market.hpp. False: the day ends before it.
    [[nodiscard]] bool seek(std::int64_t time_ns) {
        if (time_ns < 0 || time_ns >= end_ns_) return false;
        sought_ns_.store(time_ns, std::memory_order_relaxed);
        return true;
    }
    [[nodiscard]] bool is_sought() const {
        return sought_ns_.load(std::memory_order_relaxed) != k_not_sought;
    }
    /// End of the window or of the day.
    [[nodiscard]] std::int64_t end_ns() const { return end_ns_; }
    [[nodiscard]] ReplayStatus status() const;
    [[nodiscard]] Timestamp at(std::int64_t time_ns) const { return {midnight_.value + time_ns}; }

  private:
    /// Clients are served between two turns.
    static constexpr std::size_t k_commands_a_turn = 256;
    static constexpr std::int64_t k_not_sought = -1;

    ReplayedDay(DayToReplay file, std::unique_ptr<archive::Day> day, RecordedMessages messages,
                const ReplaySettings& settings, const ReplayRoom& room);
    void advance_to(std::int64_t time_ns);
    void end_turn(std::int64_t due_ns);

    std::filesystem::path file_;
    std::optional<modify::Changes> changes_;
    std::unique_ptr<archive::Day> day_;
    std::vector<archive::Instrument> instruments_;
    std::int64_t begin_ns_;  ///< of the window; zero: of the day
    std::int64_t end_ns_;    ///< of the window or the day
    Timestamp midnight_;
    Playback playback_;
    Schedule schedule_;
    sequencer::MarketClock clock_;
    std::atomic<std::int64_t> time_ns_;
    std::atomic<double> speed_;
    std::atomic<bool> paused_;
    std::atomic<std::int64_t> sought_ns_{k_not_sought};
    std::atomic<bool> over_{false};
    bool has_first_books_;  ///< some of the orders that it begins with are to be played
};

/// Parses a speed: a number, or max. The error says what is wrong with it.
[[nodiscard]] archive::Result<double> parse_speed(const std::string& text);

}  // namespace damrak::recorded_market
