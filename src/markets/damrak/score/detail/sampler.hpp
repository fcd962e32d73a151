// Collects the observations of a day from what its measures see.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include <damrak/measures/measures.hpp>
#include <damrak/measures/watcher.hpp>
#include <damrak/score/sample_set.hpp>

namespace damrak::score::detail {

class Sampler final : public measures::Watcher {
  public:
    explicit Sampler(std::int64_t block_ns) : block_ns_(block_ns) {}

    void on_second(std::int64_t second, const measures::Top& top,
                   const measures::Traded& traded) override;
    void on_best_message(const measures::OrderMessage& message,
                         const measures::Top& before) override;
    void on_cancelled(Timestamp entered, Timestamp time) override;
    void on_trade(const measures::PublicTrade& trade, const measures::Top& before) override;
    void on_stood(const measures::Top& top, Timestamp until) override;

    [[nodiscard]] std::vector<Block> finish();

  private:
    /// What waits for the price after some time.
    struct Open {
        Timestamp time{};
        Feature::Id feature{};
        double sign = 0;
        double mid = 0;
        std::size_t size_class = 0;  ///< of a trade
    };

    Block& block_at(std::int64_t time_ns);
    void respond(Feature::Id feature, Timestamp time, std::int64_t sign,
                 const measures::Top& before, std::size_t size_class = 0);
    void close_path();
    void close_signs();

    std::int64_t block_ns_;
    std::map<std::int64_t, Block> blocks_;
    std::int64_t last_message_ns_ = -1;
    std::optional<std::uint64_t> volume_before_;  ///< this minute
    std::array<std::deque<Open>, 3> open_;        ///< by horizon
    // The price path and the trade signs of the current block, which they do not leave.
    Block* path_block_ = nullptr;
    std::optional<measures::PathStatistics> path_;
    double first_mid_ = 0;
    Block* signs_block_ = nullptr;
    std::optional<measures::Autocorrelation> signs_;
};

}  // namespace damrak::score::detail
