// The dictionaries that are part of the library.
#pragma once

#include <string>

#include <pugixml.hpp>

#include <damrak/fix_codec/versions.hpp>

namespace damrak::fix_codec {

/// Under FIXT.1.1, the dictionary of the transport.
void write_builtin_dictionary(BeginString version, pugi::xml_document& document);
void write_builtin_dictionary(ApplVersion version, pugi::xml_document& document);

/// The same as the text of a file.
[[nodiscard]] std::string builtin_dictionary(BeginString version);
[[nodiscard]] std::string builtin_dictionary(ApplVersion version);

}  // namespace damrak::fix_codec
