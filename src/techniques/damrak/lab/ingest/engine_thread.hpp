// The engine's side of the ingest study: one thread from datagram to trade, or three connected by
// rings. Takes packets of the public format and returns its trades. Measuring costs a counter and a
// clock read per turn.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <damrak/lab/ingest/study.hpp>
#include <damrak/net/datagram_path.hpp>
#include <damrak/net/network_namespace.hpp>

namespace damrak::lab::ingest {

inline constexpr std::int64_t k_slice_ns = 2'500'000;
inline constexpr unsigned k_sender_core = 0;
inline constexpr unsigned k_engine_core = 1;  ///< three threads use the next two as well

/// Work done in a slice of time.
struct Slice {
    std::uint32_t orders = 0;
    std::uint32_t trades = 0;
};

class EngineThread {
  public:
    /// The path is open on return.
    [[nodiscard]] static std::expected<std::unique_ptr<EngineThread>, std::string> start(
        const Step& step, const Options& options, const net::NetworkNamespace& where,
        double longest_s);
    /// The same engine and threads on recorded packets; running on return.
    [[nodiscard]] static std::unique_ptr<EngineThread> start_on_recorded(const Step& step,
                                                                         const Options& options);
    EngineThread(const EngineThread&) = delete;
    EngineThread& operator=(const EngineThread&) = delete;
    ~EngineThread() { stop(); }

    [[nodiscard]] std::uint16_t port() const { return port_; }
    /// Orders so far; any thread.
    [[nodiscard]] std::uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }
    /// Ends the thread. The members below may be read afterwards.
    void stop();
    [[nodiscard]] const std::vector<Slice>& slices() const { return slices_; }
    [[nodiscard]] std::int64_t begin_ns() const { return begin_ns_; }  ///< of the first slice
    [[nodiscard]] const net::PathCounters& counters() const { return counters_; }
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    EngineThread() = default;
    void run(const Step& step, const Options& options, const net::NetworkNamespace& where);
    template <class Path>
    void serve(const Step& step, const Options& options, Path& path);
    template <class Engine, class Path>
    void match(const Step& step, Engine& engine, Path& path);
    template <class Engine, class Path>
    void match_apart(Engine& engine, Path& path);
    template <class Path>
    void tell_ready(const Path& path, const std::string& threads);
    void count(std::int64_t now_ns, std::uint32_t orders, std::uint32_t trades);

    std::vector<Slice> slices_;
    std::int64_t begin_ns_ = 0;
    std::uint16_t port_ = 0;
    net::PathCounters counters_;
    std::string path_;
    std::string error_;
    std::atomic<std::uint64_t> taken_{0};
    std::atomic<bool> ready_{false};
    std::atomic<bool> stopping_{false};
    std::jthread thread_;  // last member: destroyed first
};

}  // namespace damrak::lab::ingest
