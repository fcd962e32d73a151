// Bytes of a stream to FIX messages: one pass, without copies, and without allocation after
// construction. Total: any bytes are a message, a request for more, or a named fault with the
// number of bytes to skip. Sessions call it with the received bytes; after need_more they call
// again with the same bytes and those that arrived since. A decoder belongs to one thread and
// handles one message at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/fix_codec/message.hpp>

namespace damrak::fix_codec {

/// The delimiter of fields.
inline constexpr char k_soh = '\x01';
/// The last field, 10=nnn and the delimiter.
inline constexpr std::size_t k_trailer_bytes = 7;

/// Why bytes are not a message. FIX requires to ignore such bytes and to continue with the next
/// message.
enum class Garbled : std::uint8_t {
    none,
    no_begin_string,  ///< bytes before "8="
    begin_string,     ///< 8 is not followed by a value and 9
    body_length,      ///< 9 is not a number, or CheckSum is not where it says
    too_long,         ///< more bytes than the maximum
    check_sum,        ///< 10 does not have three digits, or they do not match
    msg_type,         ///< the third field is not 35 with a value
    malformed_field,  ///< no tag, no "=", or no number before it
    data_length,      ///< the stated length of a data field does not end at a delimiter
    too_many_fields,  ///< more than the decoder's capacity
};
[[nodiscard]] std::string_view text(Garbled reason);

/// What a scan found at the beginning of the bytes.
struct Scan {
    /// too_long: the message has more bytes or fields than the decoder takes. `out` has only the
    /// fields at its beginning. The caller must check whether the message is complete and its
    /// CheckSum right.
    enum class Status : std::uint8_t { message, need_more, garbled, too_long };
    Status status = Status::need_more;
    /// Length of the message, including bytes not received yet; or the number of bytes to skip; 0
    /// if more are needed.
    std::size_t bytes = 0;
    Garbled reason = Garbled::none;
};

/// Finds and splits the messages of a stream. Keeps the table of fields of the last one.
class Decoder {
  public:
    static constexpr std::size_t k_maximum_fields = 65'535;
    /// Bytes examined in a message that is too long.
    static constexpr std::size_t k_front_bytes = 4'096;

    explicit Decoder(std::size_t maximum_fields = 1'024,
                     std::size_t maximum_bytes = std::size_t{1} << 16);
    ~Decoder();
    Decoder(Decoder&&) noexcept;
    Decoder& operator=(Decoder&&) noexcept;
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    /// Scans the first message in `bytes`. Sets `out` for Status::message and too_long; it is valid
    /// until the next scan.
    [[nodiscard]] Scan scan(std::span<const char> bytes, Message& out);
    /// Reads the complete fields at the beginning of a message.
    [[nodiscard]] Garbled read_front(std::span<const char> bytes, Message& out);
    [[nodiscard]] std::size_t maximum_bytes() const { return maximum_bytes_; }
    [[nodiscard]] std::size_t maximum_fields() const { return fields_.size(); }

    /// Adds a pair of a data field and its length field, which precedes it, to those of the
    /// specification. The decoder forgets the message shapes that it has learnt.
    void add_data_field(Tag length, Tag data);

  private:
    struct Envelope;
    static constexpr Tag k_near_tags = 4'096;
    static constexpr std::size_t k_shapes = 16;

    /// The start of a message as bytes to compare: "8=FIX.4.4", a delimiter and "9=".
    struct Prefix {
        std::array<std::uint64_t, 2> bytes{};
        std::array<std::uint64_t, 2> mask{};
        std::size_t length = 0;  ///< zero: nothing is remembered
        BeginString version = BeginString::unknown;
    };

    [[nodiscard]] std::size_t scan_known(std::span<const char> bytes, Message& out);
    void learn(Message& message, std::size_t body_begin);
    [[nodiscard]] detail::Shape& shape_for(std::span<const char> message, std::size_t body_begin);
    [[nodiscard]] Scan open(std::string_view text, Envelope& envelope) const;
    [[nodiscard]] Scan close(std::string_view text, const Envelope& envelope) const;
    [[nodiscard]] Scan scan_long(std::span<const char> bytes, std::size_t message_bytes,
                                 Message& out);
    [[nodiscard]] Garbled split(std::span<const char> message, const Envelope& envelope);
    [[nodiscard]] Garbled add_field(std::string_view text, std::size_t end_of_data,
                                    std::size_t& at);
    void start_fields();
    void give(std::span<const char> bytes, Message& out) const;
    [[nodiscard]] Tag length_of(Tag data) const;

    std::vector<Field> fields_;
    std::size_t count_ = 0;
    detail::TagIndex index_;
    std::vector<Tag> near_lengths_;  ///< by tag of a data field: the tag of its length, or 0
    std::vector<std::pair<Tag, Tag>> far_lengths_;
    std::size_t maximum_bytes_;
    bool has_data_ = false;  ///< the message just split has a data field
    bool has_empty_value_ = false;
    Prefix prefix_;
    std::vector<detail::Shape> shapes_;  ///< indexed by a few bits of the message type
};

}  // namespace damrak::fix_codec
