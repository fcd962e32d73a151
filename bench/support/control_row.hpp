// The two rows that need nothing of ours: the control book, and the harness with no book at all.
#pragma once

#include <span>
#include <vector>

#include "support/control_book.hpp"
#include "support/message.hpp"
#include "support/row_events.hpp"

namespace damrak::bench {

// A control book per symbol.
template <class Sink>
class ControlRow {
  public:
    ControlRow(const StreamInfo& info, Sink& sink) {
        books_.reserve(info.symbols);
        for (std::uint32_t symbol = 0; symbol < info.symbols; ++symbol) {
            books_.emplace_back(static_cast<std::uint16_t>(symbol), sink);
        }
    }

    void run(std::span<const Message> records) {
        for (const Message& record : records) apply(record);
    }

    void apply(const Message& record) {
        ControlBook<Sink>& book = books_[record.symbol];
        switch (record.op) {
            case Nw1Op::add:
                return book.add({record.order_id, record.side, record.price_ticks, record.quantity},
                                record.ioc != 0);
            case Nw1Op::cancel:
                return book.cancel(record.order_id);
            case Nw1Op::replace:
                return book.replace(record.order_id, record.price_ticks, record.quantity);
        }
    }

    [[nodiscard]] const ControlBook<Sink>& book(std::uint16_t symbol) const {
        return books_[symbol];
    }

  private:
    std::vector<ControlBook<Sink>> books_;
};

// Reads each record and writes one event: what the harness itself costs.
template <class Sink>
class NullRow {
  public:
    NullRow(const StreamInfo& /*info*/, Sink& sink) : sink_(&sink) {}

    void run(std::span<const Message> records) {
        for (const Message& record : records) {
            sink_->write({RowEventKind::acknowledged, record.side, record.symbol, record.quantity,
                          record.order_id, 0, record.price_ticks, 0});
        }
    }

  private:
    Sink* sink_;
};

}  // namespace damrak::bench
