// Throughput of a run by the second: a row has the differences between two readings of the
// counters. For the collector's thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include <damrak/telemetry/detail/counters.hpp>
#include <damrak/telemetry/log_file.hpp>

namespace damrak::telemetry {

struct ThroughputRow {
    static constexpr std::string_view k_name = "throughput";
    std::int64_t time_ns = 0;      ///< end of the interval, since the Unix epoch
    std::int64_t interval_ns = 0;  ///< slightly more than a second
    std::uint64_t messages = 0;
    std::uint64_t new_orders = 0;
    std::uint64_t cancels = 0;
    std::uint64_t modifies = 0;
    std::uint64_t trades = 0;
    std::uint64_t connections = 0;  ///< open at the end
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::uint64_t received_bytes = 0;
    std::uint64_t sent_bytes = 0;
    std::uint64_t lost_records = 0;

    constexpr void fields(auto&& see) const {
        see("time_ns", time_ns);
        see("interval_ns", interval_ns);
        see("messages", messages);
        see("new_orders", new_orders);
        see("cancels", cancels);
        see("modifies", modifies);
        see("trades", trades);
        see("connections", connections);
        see("reads", reads);
        see("writes", writes);
        see("received_bytes", received_bytes);
        see("sent_bytes", sent_bytes);
        see("lost_records", lost_records);
    }
};

class ThroughputLog {
  public:
    explicit ThroughputLog(const std::filesystem::path& folder)
        : file_(folder / "throughput.csv", csv::header<ThroughputRow>()) {}

    [[nodiscard]] const LogFile& file() const { return file_; }

    /// The first call only sets the baseline.
    void add(std::int64_t now_utc_ns, const Counters& now) {
        if (last_ns_ != 0) {
            file_.add(
                ThroughputRow{.time_ns = now_utc_ns,
                              .interval_ns = now_utc_ns - last_ns_,
                              .messages = now.messages() - last_.messages(),
                              .new_orders = since(now, RequestKind::new_order),
                              .cancels = since(now, RequestKind::cancel),
                              .modifies = since(now, RequestKind::modify),
                              .trades = now.trades() - last_.trades(),
                              .connections = now.accepted_connections - now.closed_connections,
                              .reads = now.reads - last_.reads,
                              .writes = now.writes - last_.writes,
                              .received_bytes = now.received_bytes - last_.received_bytes,
                              .sent_bytes = now.sent_bytes - last_.sent_bytes,
                              .lost_records = now.lost_records - last_.lost_records});
        }
        file_.flush();
        last_ns_ = now_utc_ns;
        last_ = now;
    }

  private:
    [[nodiscard]] std::uint64_t since(const Counters& now, RequestKind kind) const {
        return now.count_of(kind) - last_.count_of(kind);
    }

    LogFile file_;
    std::int64_t last_ns_ = 0;
    Counters last_;
};

}  // namespace damrak::telemetry
