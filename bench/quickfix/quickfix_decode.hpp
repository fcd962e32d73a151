// QuickFIX reading the same ExecutionReport as our decoder. Its headers are of C++14, so this one
// knows nothing of them, nor of C++23.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace damrak_quickfix {

class Decoder {
  public:
    /// From the XML of the dictionaries; throws what QuickFIX throws if it does not like them.
    Decoder(const std::string& transport_xml, const std::string& application_xml);
    ~Decoder();
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    /// Parses the message and reads 11, 37, 38, 44, 150, 39, 31 and 32; returns what depends on
    /// all of them.
    std::uint64_t read(const char* bytes, std::size_t size, bool validate) const;

  private:
    struct Dictionaries;
    std::unique_ptr<Dictionaries> dictionaries_;
};

}  // namespace damrak_quickfix
