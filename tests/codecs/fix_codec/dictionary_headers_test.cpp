// Compares the library's dictionaries with the classes of libquickfix-dev, which were made from
// independent tables of the same specifications: every message, field, group, and required field of
// a message. Reported as skipped if the headers are not installed.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/fix_codec/dictionary.hpp>

namespace damrak::fix_codec::dictionary_headers_test {
namespace {

namespace fs = std::filesystem;

const fs::path k_headers = "/usr/include/quickfix";

/// Members of a class: fields and, by their count fields, groups.
struct Declared {
    std::string name;
    std::string type;
    Tag delimiter{};
    std::set<Tag> fields;
    std::set<Tag> required;
    std::map<Tag, Declared> groups;
};

/// The text between two texts; empty if they are missing.
std::string between(const std::string& line, std::string_view before, std::string_view behind) {
    const std::size_t found = line.find(before);
    if (found == std::string::npos) return {};
    const std::size_t begin = found + before.size();
    const std::size_t end = line.find(behind, begin);
    return end == std::string::npos ? std::string{} : line.substr(begin, end - begin);
}

Tag number(const std::string& text) { return static_cast<Tag>(std::stoul(text)); }

std::map<std::string, Tag> tag_numbers() {
    std::map<std::string, Tag> numbers;
    std::ifstream file{k_headers / "FixFieldNumbers.h"};
    for (std::string line; std::getline(file, line);)
        if (const std::string name = between(line, "const int ", " ="); !name.empty())
            numbers[name] = number(between(line, "= ", ";"));
    return numbers;
}

/// Expects each declaration on one line.
class HeaderReader {
  public:
    /// The classes of one file. Header and Trailer have no type.
    std::vector<Declared> read(const fs::path& path) {
        std::ifstream file{path};
        for (std::string line; std::getline(file, line);) take(line);
        return std::move(done_);
    }

  private:
    void take(const std::string& line) {
        if (line.contains("public FIX::") || line.contains("public Message")) {
            std::string name = between(line, "class ", ":");
            name.erase(name.find_last_not_of(' ') + 1);
            open_.emplace_back().name = name;
            return;
        }
        if (open_.empty()) return;
        Declared& inner = open_.back();
        if (const std::string field = between(line, "FIELD_SET(*this, FIX::", ")"); !field.empty())
            inner.fields.insert(numbers_.at(field));
        if (const std::string group = between(line, "FIX::Group(", ","); !group.empty()) {
            inner.type = group;
            inner.delimiter = number(between(line, "FIX::Group(" + group + ",", ","));
        }
        if (const std::string type = between(line, "return FIX::MsgType(\"", "\")"); !type.empty())
            inner.type = type;
        if (const std::string argument = between(line, "const FIX::", "& a");
            numbers_.contains(argument))
            inner.required.insert(numbers_.at(argument));
        if (line.contains("};") && !line.contains("{}")) close();
    }
    void close() {
        Declared closed = std::move(open_.back());
        open_.pop_back();
        if (closed.delimiter != 0) {
            const Tag tag = number(closed.type);
            open_.back().groups.emplace(tag, std::move(closed));
        } else {
            done_.push_back(std::move(closed));
        }
    }

    std::map<std::string, Tag> numbers_ = tag_numbers();
    std::vector<Declared> open_;
    std::vector<Declared> done_;
};

struct Version {
    const char* folder;
    const Dictionary& dictionary;
};
std::vector<Version> versions() {
    return {{"fix40", Dictionary::of(BeginString::fix40)},
            {"fix41", Dictionary::of(BeginString::fix41)},
            {"fix42", Dictionary::of(BeginString::fix42)},
            {"fix43", Dictionary::of(BeginString::fix43)},
            {"fix44", Dictionary::of(BeginString::fix44)},
            {"fixt11", Dictionary::of(BeginString::fixt11)},
            {"fix50", Dictionary::of(ApplVersion::fix50)},
            {"fix50sp1", Dictionary::of(ApplVersion::fix50sp1)},
            {"fix50sp2", Dictionary::of(ApplVersion::fix50sp2)}};
}

std::set<Tag> all_fields(const Declared& group) {
    std::set<Tag> all = group.fields;
    for (const auto& [tag, inner] : group.groups) all.merge(all_fields(inner));
    return all;
}

/// Fields in the text of the specification that the table of the headers lacks.
bool is_known_addition(std::string_view folder, Tag count_tag, Tag tag) {
    return folder == "fix43" && count_tag == tag::no_legs && tag == tag::leg_currency;
}

void compare_group(std::string_view folder, const std::string& where, const Dictionary& dictionary,
                   const Declared& declared, const GroupLayout* group) {
    ASSERT_NE(group, nullptr) << where;
    EXPECT_EQ(group->delimiter, declared.delimiter) << where;
    const std::set<Tag> wanted = all_fields(declared);
    for (const Tag tag : wanted) EXPECT_TRUE(group->has(tag)) << where << ' ' << tag;
    for (const Tag tag : group->members)
        EXPECT_TRUE(wanted.contains(tag) || is_known_addition(folder, group->count_tag, tag))
            << where << " has " << tag;
    for (const auto& [tag, inner] : declared.groups)
        compare_group(folder, fmt::format("{} {}", where, tag), dictionary, inner,
                      dictionary.group(*group, tag));
}

void compare_message(const Version& version, const Declared& declared) {
    const Dictionary& dictionary = version.dictionary;
    const std::string where = fmt::format("{} {}", version.folder, declared.name);
    ASSERT_TRUE(dictionary.has_message(declared.type)) << where;
    for (const Tag tag : declared.fields) {
        EXPECT_TRUE(dictionary.has_field(declared.type, tag)) << where << ' ' << tag;
        EXPECT_NE(dictionary.field_name(tag), "") << where << ' ' << tag;
    }
    for (const Tag tag : declared.required)
        EXPECT_TRUE(dictionary.requires_field(declared.type, tag)) << where << ' ' << tag;
    for (const auto& [tag, inner] : declared.groups)
        compare_group(version.folder, fmt::format("{} {}", where, tag), dictionary, inner,
                      dictionary.group(declared.type, tag));
}

/// Fields that neither a class of the message nor the header or trailer of the version declares.
void compare_strays(const Version& version, const Declared& declared, const std::set<Tag>& frame) {
    // Added by later extension packs, and accepted. FIXT.1.1 session messages have many of them.
    static const std::set<std::pair<std::string, Tag>> k_additions{{"W", tag::last_update_time}};
    if (version.folder == std::string_view{"fixt11"}) return;
    for (Tag tag = 1; tag < 4'096; ++tag)
        EXPECT_FALSE(version.dictionary.has_field(declared.type, tag) &&
                     !declared.fields.contains(tag) && !frame.contains(tag) &&
                     !k_additions.contains({declared.type, tag}))
            << version.folder << ' ' << declared.name << " has " << tag;
}

TEST(FixDictionaryHeaders, HaveTheSameMessagesFieldsAndGroups) {
    if (!fs::exists(k_headers / "FixFieldNumbers.h"))
        GTEST_SKIP() << "libquickfix-dev is not installed";
    HeaderReader reader;
    std::set<Tag> frame;
    for (const Version& version : versions()) {
        std::vector<Declared> classes;
        for (const auto& entry : fs::directory_iterator{k_headers / version.folder})
            if (entry.path().filename() != "MessageCracker.h")
                for (Declared& one : reader.read(entry.path())) classes.push_back(std::move(one));
        const bool over_transport = std::string_view{version.folder}.starts_with("fix50");
        if (!over_transport) frame = {tag::appl_ext_id};  // added later, and accepted
        std::size_t messages = 0;
        for (const Declared& one : classes)
            if (one.name == "Header" || one.name == "Trailer")
                frame.insert(one.fields.begin(), one.fields.end());
        for (const Declared& one : classes) {
            if (one.type.empty()) continue;
            ++messages;
            compare_message(version, one);
            compare_strays(version, one, frame);
        }
        EXPECT_GT(messages, 6U) << version.folder;
    }
}

}  // namespace
}  // namespace damrak::fix_codec::dictionary_headers_test
