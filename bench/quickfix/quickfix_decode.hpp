// QuickFIX reading the same ExecutionReport as our decoder. Its headers are of C++14, so this one
// knows nothing of them, nor of C++23.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace damrak {
namespace bench {  // NOLINT(modernize-concat-nested-namespaces): of C++17

class QuickfixDecoder {
  public:
    /// From the XML of the dictionaries; throws what QuickFIX throws if it does not like them.
    QuickfixDecoder(const std::string& transport_xml, const std::string& application_xml);
    ~QuickfixDecoder();
    QuickfixDecoder(const QuickfixDecoder&) = delete;
    QuickfixDecoder& operator=(const QuickfixDecoder&) = delete;

    /// Parses the message and reads 11, 37, 38, 44, 150, 39, 31 and 32; returns what depends on
    /// all of them.
    std::uint64_t read(const char* bytes, std::size_t size, bool validate) const;

  private:
    struct Dictionaries;
    std::unique_ptr<Dictionaries> dictionaries_;
};

}  // namespace bench
}  // namespace damrak
