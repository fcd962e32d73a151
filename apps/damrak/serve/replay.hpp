// `damrak serve --replay`: the recorded day that is the market, its options, its answers by HTTP,
// and what is reported at the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include <damrak/http/server.hpp>
#include <damrak/recorded_market/replayed_day.hpp>

#include "serve/settings.hpp"

namespace CLI {
class App;
}

namespace damrak::app {

inline constexpr const char* k_replay_path = "/v1/replay";
inline constexpr const char* k_replay_orders_path = "/v1/replay/orders";

struct RecordedDayOptions {
    std::filesystem::path file;  ///< empty: no day is replayed
    std::string speed = "1";
    std::string from;
    std::string until;
    std::filesystem::path modification;  ///< empty: the day is played as recorded
    bool trust_messages = false;
    bool partial = false;  ///< also a day that lacks messages, up to there
};

/// How a day begins to be played.
struct Pace {
    double speed = 1;
    bool paused = false;
};
[[nodiscard]] Pace pace_of(const RecordedDayOptions& options);

/// `options` must outlive the parsing.
void add_replay_options(CLI::App& command, RecordedDayOptions& options);

/// Opens the day, if there is one, and makes it the market of these settings. It is also an error
/// if the data directory is that of another market.
[[nodiscard]] archive::Result<void> open_replay(const RecordedDayOptions& options, const Pace& pace,
                                                ServeSettings& settings);
/// GET: how far the day is, and the drift. POST, with a JSON object: `paused` (true, false),
/// `speed` (a number, or "max"), `seek` (a time of day).
[[nodiscard]] http::Answer answer_replay(recorded_market::ReplayedDay* day,
                                         const http::Request& request, bool is_operator);
/// The recorded orders in the market: which reference of the recording is which order.
[[nodiscard]] http::Answer answer_replay_orders(const recorded_market::ReplayedDay* day,
                                                const http::Request& request);
/// Describes both for OpenAPI: their methods, and the schemas that these name.
struct ReplayDescription {
    std::string_view methods;
    std::string_view orders_methods;
    std::string_view schemas;
};
[[nodiscard]] ReplayDescription replay_description();
/// In Prometheus' format.
[[nodiscard]] std::string replay_metrics(const recorded_market::ReplayedDay& day);

void tell_replay(const recorded_market::ReplayedDay& day);
/// Says once of each instrument when its market begins to differ from the recording.
class DifferenceTeller {
  public:
    /// Null: no day is replayed.
    explicit DifferenceTeller(const recorded_market::ReplayedDay* day) : day_{day} {}
    void look() {
        if (day_ != nullptr && day_->drift().differing() != told_.size()) tell();
    }

  private:
    void tell();
    const recorded_market::ReplayedDay* day_;
    std::set<std::uint16_t> told_;  ///< locate codes
};
/// After the end: how far the market was from the recording.
void tell_drift(const recorded_market::ReplayedDay& day);

}  // namespace damrak::app
