// The FIX codec alone, without session, socket or engine: writes an order, finds it in a stream
// that arrives in pieces, checks it by the dictionary of its version, and reads its fields and a
// repeating group. docs/how-to/fix-codec.md explains it.
//
//   build/release/examples/read_and_write_fix
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <damrak/fix_codec/decode.hpp>
#include <damrak/fix_codec/dictionary.hpp>
#include <damrak/fix_codec/encode.hpp>

namespace {

using namespace damrak;
using namespace damrak::fix_codec;

constexpr Timestamp k_now{1'767'205'296'457'000'000};

/// A NewOrderSingle for two parties. Its memory is the caller's.
std::span<const char> write_order(std::span<char> memory, int number, std::string_view side) {
    TimestampCache times;
    MessageWriter order{memory, times};
    order.begin(BeginString::fix44, "D");
    order.put(tag::sender_comp_id, "CLIENT1").put(tag::target_comp_id, "DAMRAK");
    order.put(tag::msg_seq_num, number);
    order.put_timestamp(tag::sending_time, k_now, TimePrecision::milliseconds);
    order.put(tag::cl_ord_id, number).put(tag::symbol, "TEST").put(tag::side, side);
    order.put_timestamp(tag::transact_time, k_now, TimePrecision::milliseconds);
    order.put(tag::order_qty, 100).put_char(tag::ord_type, '2');
    order.put_decimal(tag::price, 10'015, 3);  // 10.015, exactly
    order.put(tag::no_party_ids, 2);
    order.put(tag::party_id, "ALICE").put_char(tag::party_role, '3');
    order.put(tag::party_id, "BANK").put_char(tag::party_role, '1');
    return order.finish();  // with BodyLength and CheckSum; empty: it did not fit
}

void print_order(const Message& message, const Dictionary& dictionary) {
    fmt::print("{} {}:", dictionary.message_name(message.msg_type()), message.sequence());
    for (const Tag field : {tag::side, tag::order_qty, tag::price})
        fmt::print(" {}={}", dictionary.field_name(field), message.text_or_empty(field));
    // In units of 0.0001; an error for a text that is no such number.
    fmt::print(", {} units", message.decimal(tag::price, 4).value_or(0));
    if (const GroupLayout* const parties = dictionary.group(message.msg_type(), tag::no_party_ids))
        for (const Group party : message.groups(*parties))
            fmt::print(", party {}", party.text_or_empty(tag::party_id));
    fmt::print("\n");
}

class Reader {
  public:
    /// Takes all complete messages out of the bytes that have arrived.
    void on_bytes(std::span<const char> bytes) {
        buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
        std::size_t taken = 0;
        for (;;) {
            Message message;  // a view into the buffer: use it before the buffer changes
            const Scan scan = decoder_.scan(std::span{buffer_}.subspan(taken), message);
            if (scan.status == Scan::Status::need_more) break;
            taken = std::min(taken + scan.bytes, buffer_.size());
            if (scan.status == Scan::Status::message)
                on_message(message);
            else
                fmt::print("skips {} bytes: {}\n", scan.bytes, text(scan.reason));
        }
        buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(taken));
    }
    [[nodiscard]] int orders() const { return orders_; }
    [[nodiscard]] int faults() const { return faults_; }

  private:
    void on_message(const Message& message) {
        const Dictionary& dictionary = Dictionary::of(message.begin_string());
        if (const std::optional<Violation> fault = dictionary.validate(message)) {
            ++faults_;
            fmt::print("fault: {}, field {} ({})\n", text(fault->reason), shown(fault->tag),
                       dictionary.field_name(fault->tag));
            return;
        }
        ++orders_;
        print_order(message, dictionary);
    }

    Decoder decoder_;
    std::vector<char> buffer_;
    int orders_ = 0;
    int faults_ = 0;
};

}  // namespace

int main() {
    std::array<char, 512> memory{};
    std::string stream;
    const auto append = [&](std::span<const char> bytes) {
        stream.append(bytes.begin(), bytes.end());
    };
    append(write_order(memory, 1, "1"));
    stream += "noise";
    append(write_order(memory, 2, "Z"));  // no such side
    append(write_order(memory, 3, "2"));

    Reader reader;
    for (std::size_t at = 0; at < stream.size(); at += 100)  // as a socket could deliver it
        reader.on_bytes(
            std::span{stream}.subspan(at, std::min<std::size_t>(100, stream.size() - at)));
    return reader.orders() == 2 && reader.faults() == 1 ? 0 : 1;
}
