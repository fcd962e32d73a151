// QuickFIX as Debian packages it, beside our encoder in the same run: a session of its own with its
// file store, logged on, that sends the order of the benchmark. Its headers end with C++14, so that
// this one does too; quickfix_row.cpp is a target of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace damrak_quickfix {

/// Fields that change from message to message.
struct Order {
    std::uint64_t sequence;
    double quantity;
    double price;
    std::int64_t seconds;  ///< of the transaction time, since 1970
    int nanoseconds;
};

class Row {
  public:
    /// Is given what the session would write to its socket; `receiver` comes with it.
    using Send = void (*)(void* receiver, const char* bytes, std::size_t count);

    Row(const std::string& folder, Send to, void* receiver);
    Row(const Row&) = delete;
    Row& operator=(const Row&) = delete;
    ~Row();

    /// Whether the session accepts orders; if not, this row is invalid.
    bool logged_on() const;
    /// Encodes, keeps and sends one order.
    void send(const Order& order);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace damrak_quickfix
