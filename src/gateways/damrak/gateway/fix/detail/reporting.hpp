// Reports to clients about their orders, and copies for sessions that watch the orders of others:
// from events to messages, which the sessions store and send. On the thread of the gateways; no
// allocation.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <damrak/domain/event.hpp>
#include <damrak/gateway/fix/detail/quotes.hpp>
#include <damrak/gateway/fix/detail/usual_reports.hpp>
#include <damrak/gateway/fix/detail/watermark.hpp>
#include <damrak/gateway/fix/session_table.hpp>

namespace damrak::gateway::fix {

template <class Exchange, class Store>
class FixReporting {
  public:
    using Context = FixContext<Exchange, Store>;
    using Client = ConnectedClient<Exchange, Store>;
    using Sessions = FixSessionTable<Exchange, Store>;
    using Message = fix_codec::Message;
    using Applied = FixOrders::Applied;

    FixReporting(Context& context, Sessions& sessions) : context_(&context), sessions_(&sessions) {}

    [[nodiscard]] std::expected<void, std::string> open(journal::FileSystem& files,
                                                        const std::filesystem::path& folder);
    /// What is behind this record is to be reported again after a restart.
    /// Any thread.
    [[nodiscard]] std::uint64_t reported_position() const {
        return reported_.load(std::memory_order_relaxed);
    }
    void note_reported(std::uint64_t sequence) {
        const std::uint64_t reported = std::min(sequence, stored_);
        watermark_->set(reported);
        reported_.store(reported, std::memory_order_relaxed);
    }

    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp);
    /// Keeps the report of an event that has none yet.
    void report_missing(const Event& event, const Origin& origin, const CommandStamp& stamp,
                        const Applied& applied);
    [[nodiscard]] std::uint64_t missing_reported() const { return missing_reported_; }
    /// Of no event: what answers a request at once, and goes back the way that it came.
    template <class Fill>
    void reply_to(Client& client, const Message& request, std::string_view msg_type, Fill&& fill);
    /// The same where the request is not at hand; `fields` are those kept of it.
    template <class Fill>
    void tell(Client& client, std::string_view msg_type, std::string_view fields, Fill&& fill);
    [[nodiscard]] static std::optional<detail::UsualReports> usual_for(const Client& client);
    /// As far as its entries are answered.
    [[nodiscard]] static detail::QuoteAnswer answer_to_quotes(const Client& client,
                                                              const FixNote& note);

  private:
    [[nodiscard]] FixRequest asked_by(const Origin& origin);
    void report(const Event& event, const Origin& origin, const CommandStamp& stamp,
                const Applied& applied);
    void report_order(const Event& event, const Origin& origin, const CommandStamp& stamp,
                      const Applied& applied);
    void report_rejected(const Event& event, const Origin& origin, const CommandStamp& stamp,
                         const Applied& applied);
    void report_mass_cancel(const Event& event, const Origin& origin, const CommandStamp& stamp,
                            const Applied& applied);
    void report_quotes(const Event& event, const Origin& origin, const Applied& applied);
    void copy(const Event& event, const Origin& origin, const CommandStamp& stamp,
              const Applied& applied);
    [[nodiscard]] bool is_due(const Client& client, const session::fix::EventPosition& position);
    /// If the report of this event could not be stored, the next start makes it again.
    void note_stored(const Client& client) {
        if (client.session.lacks_reports()) [[unlikely]]
            stored_ = std::min(stored_, sequence_.value - 1);
    }
    void put_fee(const Event& event, detail::Execution& execution) const;
    template <class Fill>
    void send(Client& client, std::string_view msg_type, std::string_view fields, Fill&& fill);
    template <class Fill>
    void send_routed(Client& client, std::string_view msg_type,
                     const session::fix::Routing& routing, Fill&& fill);
    void send_usual(Client& client, const Event& event, const CommandStamp& stamp,
                    const Applied& applied);
    void note_instrument(InstrumentId id) {
        context_->instruments.note(*context_->exchange->definition(id));
        recent_.orders.forget();
    }
    void count(const CommandStamp& stamp) {
        index_ = stamp.sequence == sequence_ ? index_ + 1 : 0;
        sequence_ = stamp.sequence;
    }

    Context* context_;
    Sessions* sessions_;
    std::optional<FixWatermark> watermark_;
    std::uint64_t stored_ = UINT64_MAX;  ///< the last record whose reports are all stored
    std::atomic<std::uint64_t> reported_{UINT64_MAX};
    detail::RecentTexts recent_;
    // Of the event that is reported.
    SequenceNumber sequence_{};
    std::uint32_t index_ = 0;
    std::uint64_t mass_cancelled_ = 0;  ///< orders, by the commands of one request
    std::uint64_t missing_reported_ = 0;
    bool reports_missing_ = false;  ///< of before a restart
};

}  // namespace damrak::gateway::fix

#include <damrak/gateway/fix/detail/execution_reports.hpp>
#include <damrak/gateway/fix/detail/other_reports.hpp>
