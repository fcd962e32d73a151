// How a book reports its trades. A policy of the book (books/book.hpp): each action creates a
// Collector, passes it each trade, and gets its result at the end. All variants end on the same
// tape.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <damrak/lab/books/action.hpp>

namespace damrak::lab {

/// Each action returns a vector of its trades, which the caller reads.
struct ReturnedVector {
    explicit ReturnedVector(Tape& to) : tape(&to) {}
    /// Collects the trades of an action.
    class Collector {
      public:
        explicit Collector(ReturnedVector&) {}
        void trade(const Trade& trade) { trades_.push_back(trade); }
        [[nodiscard]] std::vector<Trade> result() { return std::move(trades_); }

      private:
        std::vector<Trade> trades_;
    };
    /// The caller's use of the returned trades.
    void receive(const std::vector<Trade>& trades) const {
        for (const Trade& trade : trades) tape->write(trade);
    }
    Tape* tape;
};

namespace detail {

/// Result type of outputs that report each trade at once.
struct Nothing {};

template <class Output>
class ImmediateCollector {
  public:
    explicit ImmediateCollector(Output& output) : output_(&output) {}
    void trade(const Trade& trade) { output_->trade(trade); }
    [[nodiscard]] Nothing result() const { return {}; }

  private:
    Output* output_;
};

}  // namespace detail

/// A listener with a virtual function.
class VirtualListener {
  public:
    /// Who learns of trades.
    class Listener {
      public:
        virtual ~Listener() = default;
        virtual void on_trade(const Trade& trade) = 0;
    };
    explicit VirtualListener(Tape& tape);
    using Collector = detail::ImmediateCollector<VirtualListener>;
    void trade(const Trade& trade) { listener_->on_trade(trade); }
    void receive(detail::Nothing) {}

  private:
    std::unique_ptr<Listener> listener_;
};

/// A `std::function`.
class Callback {
  public:
    explicit Callback(Tape& tape);
    using Collector = detail::ImmediateCollector<Callback>;
    void trade(const Trade& trade) { on_trade_(trade); }
    void receive(detail::Nothing) {}

  private:
    std::function<void(const Trade&)> on_trade_;
};

/// The tape is a template parameter.
class DirectOutput {
  public:
    explicit DirectOutput(Tape& tape) : tape_(&tape) {}
    using Collector = detail::ImmediateCollector<DirectOutput>;
    void trade(const Trade& trade) { tape_->write(trade); }
    void receive(detail::Nothing) {}

  private:
    Tape* tape_;
};

}  // namespace damrak::lab
