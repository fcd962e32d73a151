// Settings per FIX version for the programs based on QuickFIX. C++14, like QuickFIX's headers.
#pragma once

#include <string>

/// "FIX.5.0SP2" has its dictionary in FIX50SP2.xml.
inline std::string dictionary_name(std::string version) {
    for (std::size_t dot = version.find('.'); dot != std::string::npos; dot = version.find('.'))
        version.erase(dot, 1);
    return version;
}

inline std::string begin_string_of(const std::string& version) {
    return version.compare(0, 5, "FIX.5") == 0 ? "FIXT.1.1" : version;
}

/// The lines of its settings: everything is checked against the dictionaries of `folder`.
inline std::string version_settings(const std::string& version, const std::string& folder) {
    const std::string begin_string = begin_string_of(version);
    const std::string file = folder + "/" + dictionary_name(version) + ".xml\n";
    return "StartTime=00:00:00\nEndTime=00:00:00\nBeginString=" + begin_string +
           "\nUseDataDictionary=Y\n" +
           (begin_string == version
                ? "DataDictionary=" + file
                : "TransportDataDictionary=" + folder + "/" + dictionary_name(begin_string) +
                      ".xml\nAppDataDictionary=" + file + "DefaultApplVerID=" + version + "\n");
}
