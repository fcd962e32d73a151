#include <damrak/what_if/what_if.hpp>

#include <algorithm>
#include <ctime>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/duration_text.hpp>
#include <damrak/market_runs/timeline.hpp>
#include <damrak/what_if/detail/background.hpp>

namespace damrak::what_if {
namespace {

constexpr InstrumentId k_instrument{1};
constexpr std::int64_t k_stretches = 20;
constexpr std::int64_t k_checks = 100;
constexpr std::uint32_t k_least_orders = 400'000;

double cpu_of_thread_s() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::vector<std::string> groups_of(const market_runs::MarketFile& file) {
    std::vector<std::string> names;
    for (const market_runs::GroupDescription& group : file.groups)
        names.insert(names.end(), group.count, group.name);
    return names;
}

market_kernel::MarketSetup setup_of(const OpenDay& day, const market_runs::MarketFile& file,
                                    std::uint64_t seed) {
    market_kernel::MarketSetup setup = market_runs::make_setup(file, seed);
    setup.begin = {day.midnight_ns + day.begin_ns};
    setup.takes_any_price = true;
    setup.exchange.maximum_orders = std::max(setup.exchange.maximum_orders, k_least_orders);
    const std::uint32_t most = setup.exchange.maximum_orders;
    const auto add_background = [&](const char* name) {
        market_kernel::Seat background;
        background.participant = std::make_unique<market_kernel::Participant>();
        background.group = name;
        background.maximum_orders = most;
        background.is_background = true;
        setup.seats.push_back(std::move(background));
    };
    add_background("record");
    if (file.reaction) add_background("reaction");
    return setup;
}

class Replay final : private market_kernel::MarketWatcher {
  public:
    Replay(const OpenDay& day, const market_runs::MarketFile& file, const Options& options,
           recorded_market::RecordedMessages played, recorded_market::RecordedMessages recorded)
        : day_(&day),
          file_(&file),
          options_(&options),
          actions_(market_runs::actions_of(file)),
          record_(std::move(recorded), day.locate),
          own_(groups_of(file), record_),
          background_(std::move(played), ParticipantId{file.participants() + 1},
                      std::max(file.exchange.maximum_orders, k_least_orders)),
          meter_(std::max<std::int64_t>(file.duration_ns / k_stretches + 1, k_second_ns)),
          reaction_(file.reaction.value_or(market_runs::ReactionDescription{}),
                    ParticipantId{file.participants() + 2}, ParticipantId{file.participants() + 1}),
          at_ns_(day.begin_ns),
          end_ns_(day.begin_ns + std::min(file.duration_ns, day.given.duration_ns)) {}

    [[nodiscard]] std::expected<Result, std::string> operator()() {
        std::vector<market_kernel::MarketWatcher*> watchers = options_->watchers;
        watchers.push_back(&background_);
        watchers.push_back(&own_);
        if (file_->reaction) watchers.push_back(&reaction_);
        watchers.push_back(this);
        const double began_s = cpu_of_thread_s();
        market_kernel::Market market{setup_of(*day_, *file_, options_->seed), std::move(watchers)};
        market_runs::plan_news(*file_, market);
        bool goes_on = true;
        // Behind what is missing the market would be one without its record.
        while (goes_on && at_ns_ < end_ns_ && record_.completeness().is_complete())
            goes_on = step(market);
        return finish(market, goes_on, cpu_of_thread_s() - began_s);
    }

  private:
    [[nodiscard]] std::int64_t next_ns() {
        std::int64_t next = end_ns_;
        if (const auto due = background_.playback().next_time_ns()) next = std::min(next, *due);
        if (action_ < actions_.size())
            next = std::min(next, day_->begin_ns + actions_[action_].at_ns);
        if (file_->reaction) next = std::min(next, answered_ns() + reaction_.interval_ns());
        return std::max(next, at_ns_);
    }

    [[nodiscard]] std::int64_t answered_ns() const {
        return day_->begin_ns + answers_ * reaction_.interval_ns();
    }

    // To the next recorded time, action of the timeline or answer. Own messages that arrive at the
    // same time come before the recorded ones.
    bool step(market_kernel::Market& market) {
        const std::int64_t to_ns = next_ns();
        if (!market.run_until({day_->midnight_ns + to_ns})) return false;
        note_until(to_ns);
        own_.settle({day_->midnight_ns + to_ns});
        at_ns_ = to_ns;
        for (; action_ < actions_.size() && day_->begin_ns + actions_[action_].at_ns <= at_ns_;
             ++action_)
            act(market, actions_[action_]);
        background_.play(market, at_ns_);
        record_.advance(at_ns_);
        if (file_->reaction && at_ns_ == answered_ns() + reaction_.interval_ns()) {
            reaction_.answer(market, record_);
            ++answers_;
        }
        if (options_->compare) options_->compare(market, record_);
        return tell();
    }

    void on_change(InstrumentId /*instrument*/, const views::PublicChange& change) override {
        note_until(change.time.value - day_->midnight_ns);
        top_ = {.bid = change.bid,
                .ask = change.ask,
                .bid_quantity = change.bid_quantity,
                .ask_quantity = change.ask_quantity};
    }

    // The best prices of both markets were the current ones up to this time.
    void note_until(std::int64_t to_ns) {
        if (const std::int64_t acted_ns = first_action_ns(); acted_ns < to_ns)
            meter_.note(std::max(acted_ns, noted_ns_), to_ns, top_, record_.top());
        noted_ns_ = to_ns;
    }

    // False: the replay is to end early.
    bool tell() {
        const std::int64_t all_ns = end_ns_ - day_->begin_ns;
        const std::int64_t done_ns = at_ns_ - day_->begin_ns;
        if (done_ns < all_ns / k_checks * checks_) return true;
        ++checks_;
        if (options_->progress)
            options_->progress(static_cast<double>(done_ns) / static_cast<double>(all_ns),
                               background_.playback().drift().total().messages);
        return !options_->stop || !options_->stop();
    }

    void act(market_kernel::Market& market, const market_runs::TimelineAction& action) {
        const bool halts = action.entry->kind == market_runs::TimelineEntry::Kind::halt;
        recorded_market::Playback& playback = background_.playback();
        if (halts && action.begins) playback.hold(k_instrument);
        if (halts && !action.begins) {
            playback.release(k_instrument);
            if (playback.is_halted(k_instrument)) return;  // by the record, too
        }
        market_runs::act(market, action, file_->exchange);
    }

    [[nodiscard]] std::int64_t first_action_ns() const {
        const auto acted = own_.first_action();
        return acted ? acted->value - day_->midnight_ns : std::numeric_limits<std::int64_t>::max();
    }

    [[nodiscard]] Result finish(const market_kernel::Market& market, bool goes_on, double cpu_s) {
        own_.settle({std::numeric_limits<std::int64_t>::min()});
        Result result;
        result.hash = market.hash();
        result.counts = market.counts();
        result.cpu_s = cpu_s;
        result.completeness = record_.completeness();
        result.is_complete = goes_on && result.completeness.is_complete();
        result.recorded_messages = record_.messages();
        result.recorded_trades = record_.trades();
        result.drift = background_.playback().drift().total();
        result.has_acted = own_.first_action().has_value();
        if (result.has_acted) result.first_action_ns = first_action_ns();
        result.distance = meter_.total();
        result.series = meter_.series();
        result.groups = own_.groups();
        if (file_->reaction) result.reaction = reaction_.counts();
        for (std::uint32_t i = 1; i <= file_->participants(); ++i) {
            const auto group =
                std::ranges::find(result.groups, market.seat({i}).group, &GroupTrading::group);
            group->cash += market.account({i}).cash;
        }
        for (const market_kernel::MarketFault& fault : market.faults()) {
            const market_kernel::Seat& seat = market.seat(fault.participant);
            result.faults.push_back(fmt::format(
                "{} {} of {} at {}: {}", seat.group, seat.member + 1, seat.members,
                duration_text(fault.time.value - day_->midnight_ns - day_->begin_ns), fault.what));
        }
        return result;
    }

    const OpenDay* day_;
    const market_runs::MarketFile* file_;
    const Options* options_;
    std::vector<market_runs::TimelineAction> actions_;
    std::size_t action_ = 0;
    RecordedMarket record_;
    OwnTrading own_;
    Background background_;
    DriftMeter meter_;
    Reaction reaction_;
    std::int64_t answers_ = 0;  ///< of the reaction
    std::int64_t at_ns_;
    std::int64_t end_ns_;
    std::int64_t noted_ns_ = 0;
    std::int64_t checks_ = 1;
    Top top_{};  ///< of the replayed market
};

}  // namespace

std::expected<Result, std::string> run(const OpenDay& day, const market_runs::MarketFile& file,
                                       const Options& options) {
    auto played = recorded_market::RecordedMessages::make(*day.day, day.window);
    if (!played) return std::unexpected{std::move(played.error())};
    auto recorded = recorded_market::RecordedMessages::make(*day.day, day.window);
    if (!recorded) return std::unexpected{std::move(recorded.error())};
    return Replay{day, file, options, *std::move(played), *std::move(recorded)}();
}

}  // namespace damrak::what_if
