// A file in the Databento Binary Encoding, built byte by byte from its description: metadata of
// each version, then records.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <damrak/wire/dbn/records.hpp>

namespace damrak::testing {

class DbnFile {
  public:
    static constexpr std::uint64_t k_midnight = 18'624ULL * 86'400'000'000'000;  ///< 2020-12-28
    static constexpr std::uint64_t k_day_ns = 86'400'000'000'000;
    static constexpr std::uint32_t k_instrument = 5482;  ///< ESH1

    explicit DbnFile(wire::dbn::Schema schema, int version = 3) {
        const std::size_t text = version == 1 ? 22 : 71;
        std::string rest;
        put_text(rest, "GLBX.MDP3", 16);
        put(rest, schema);
        put<std::uint64_t>(rest, k_midnight);
        put<std::uint64_t>(rest, ~std::uint64_t{0});
        put<std::uint64_t>(rest, 0);
        if (version == 1) put<std::uint64_t>(rest, 2);
        rest += std::string("\1\0\0", 3);
        if (version > 1) put<std::uint16_t>(rest, 71);
        rest.append(version == 1 ? 47 : 53, '\0');
        put<std::uint32_t>(rest, 0);  // definition
        put<std::uint32_t>(rest, 1);  // symbols
        put_text(rest, "ESH1", text);
        put<std::uint32_t>(rest, 0);
        put<std::uint32_t>(rest, 0);
        put<std::uint32_t>(rest, 1);  // mappings
        put_text(rest, "ESH1", text);
        put<std::uint32_t>(rest, 1);
        put<std::uint32_t>(rest, 20'201'228);
        put<std::uint32_t>(rest, 20'201'229);
        put_text(rest, "5482", text);
        if (version == 3) rest.append((8 - rest.size() % 8) % 8, '\0');
        content_ = "DBN";
        content_.push_back(static_cast<char>(version));
        put(content_, static_cast<std::uint32_t>(rest.size()));
        content_ += rest;
    }

    /// Its length and type are filled in; so is the instrument, if it is 0.
    template <class Record>
    DbnFile& add(Record record, std::uint8_t type = Record::k_type) {
        auto& header = header_of(record);
        header.words = sizeof record / 4;
        header.type = type;
        if (header.instrument == 0) header.instrument = k_instrument;
        put(content_, record);
        return *this;
    }

    [[nodiscard]] const std::string& content() const { return content_; }

  private:
    static wire::dbn::RecordHeader& header_of(auto& record) {
        if constexpr (requires { record.header; })
            return record.header;
        else
            return record.change.header;
    }
    template <class T>
    static void put(std::string& to, const T& value) {
        to.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    static void put_text(std::string& to, std::string_view text, std::size_t bytes) {
        to += text;
        to.append(bytes - text.size(), '\0');
    }

    std::string content_;
};

}  // namespace damrak::testing
