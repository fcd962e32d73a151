// Every command that reads an archived day, with every kind of damage to it: none takes a part for
// the whole, and with --partial each says how far its answer goes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/day_damage.hpp"
#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::damaged_day_test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using testing::run_program;
using Words = std::vector<std::string>;

struct Command {
    std::string name;
    Words words;
    /// Its answer needs every message, or at least every header, whatever the damage.
    enum class Needs : std::uint8_t { messages, headers, some } needs = Needs::messages;
};

class DamagedDay : public ::testing::Test {
  protected:
    void SetUp() override {
        import("day", "1", "40000");
        std::filesystem::rename(folder_ / "day.dar", folder_ / "sound.dar");
        import("day", "2", "40000");
        std::filesystem::rename(folder_ / "day.dar", folder_ / "same.dar");
        import("other", "3", "40000");
    }
    void import(const std::string& name, const std::string& seed, const std::string& messages) {
        const std::string file = folder_ / (name + ".itch");
        ASSERT_EQ(run_program({"generate", file, "--messages", messages, "--symbols", "1", "--live",
                               "300", "--seed", seed})
                      .exit_code,
                  0);
        const auto imported =
            run_program({"archive", "import", file, "--out", folder_.path().string()});
        ASSERT_EQ(imported.exit_code, 0) << imported.err;
    }
    [[nodiscard]] std::vector<Command> commands(const std::string& day) {
        const Json book = Json::parse(
            run_program({"book", folder_ / "sound.dar", "--at", "23:59:59", "--orders", "--json"})
                .out);
        const auto open = book["bids"][0]["reference"].get<std::uint64_t>();
        const std::string own = folder_.write(
            "own.toml",
            "[[participants]]\nkind = \"scripted\"\nname = \"own\"\norders = [\"1s buy 5 limit "
            "1\"]\n");
        using Needs = Command::Needs;
        return {
            {"book --at", {"book", day, "--at", "23:59:59", "--json"}, Needs::some},
            {"book --trades", {"book", day, "--trades", "--json"}},
            {"book --between", {"book", day, "--between", "00:00", "23:59:59", "--json"}},
            {"book --order", {"book", day, "--order", fmt::to_string(open), "--json"}},
            {"book --plot", {"book", day, "--plot", folder_ / "map.svg"}},
            {"archive export",
             {"archive", "export", day, "--to", "csv", "--out", folder_ / "out.csv", "--json"}},
            {"archive export bbo",
             {"archive", "export", day, "--to", "csv", "--table", "bbo", "--every", "10s", "--out",
              folder_ / "out.csv", "--json"}},
            {"archive info", {"archive", "info", day, "--json"}, Needs::headers},
            {"archive verify", {"archive", "verify", day, "--json"}},
            {"lab queue", {"lab", "queue", day, "--json"}},
            {"sim measure", {"sim", "measure", day, "--json"}},
            {"sim calibrate", {"sim", "calibrate", day, "--model", "zero-intelligence", "--json"}},
            {"sim whatif", {"sim", "whatif", day, "--with", own, "--json"}},
        };
    }
    /// One of each kind: in the second block of messages, the checkpoint after it, and the end.
    /// Before them enough is known for every command.
    [[nodiscard]] std::vector<testing::DayDamage> damages() const {
        const auto blocks = testing::blocks_of(folder_ / "sound.dar");
        std::vector<std::string> places;
        for (std::size_t i = 2; i < blocks.size() && places.size() < 2; ++i)
            places.push_back(" " + std::to_string(i));
        std::vector<testing::DayDamage> chosen;
        for (auto& damage : testing::damages_of(folder_ / "sound.dar", folder_ / "same.dar",
                                                folder_ / "other.dar")) {
            const bool is_chosen = std::ranges::any_of(
                places, [&](const std::string& place) { return damage.name.ends_with(place); });
            if (is_chosen || damage.name.ends_with("end")) chosen.push_back(std::move(damage));
        }
        return chosen;
    }

    testing::ScratchFolder folder_;
};

}  // namespace

TEST_F(DamagedDay, IsNeverTakenForAWholeOne) {
    const std::string day = folder_ / "day.dar";
    const auto asked = commands(day);
    const std::string bytes = testing::bytes_of_file(folder_ / "sound.dar");
    std::filesystem::copy_file(folder_ / "sound.dar", day);
    std::vector<std::string> right;
    for (const Command& command : asked) {
        const auto ran = run_program(command.words);
        EXPECT_EQ(ran.exit_code, 0) << command.name << ": " << ran.err;
        right.push_back(ran.out);
    }
    const auto chosen = damages();
    EXPECT_GT(chosen.size(), 10U);
    for (const auto& damage : chosen) {
        std::filesystem::remove(day);
        std::ofstream{day, std::ios::binary} << damage.make(bytes);
        const bool is_in_payload = damage.name.find("in the payload of block") != std::string::npos;
        for (std::size_t i = 0; i < asked.size(); ++i) {
            const Command& command = asked[i];
            SCOPED_TRACE(command.name + ": " + damage.name);
            const auto ran = run_program(command.words);
            const bool may_be_whole = command.needs == Command::Needs::some ||
                                      (command.needs == Command::Needs::headers && is_in_payload);
            if (may_be_whole && ran.exit_code == 0) {
                if (command.needs == Command::Needs::some) {
                    EXPECT_EQ(ran.out, right[i]);
                }
                continue;
            }
            EXPECT_EQ(ran.exit_code, 1) << ran.out.substr(0, 200);
            EXPECT_THAT(ran.err, HasSubstr("day.dar"));
            Words words = command.words;
            words.emplace_back("--partial");
            const auto part = run_program(words);
            EXPECT_EQ(part.exit_code, 0) << part.err;
            EXPECT_THAT(part.err, HasSubstr("it is known until "));
            if (command.words.back() != "--json") continue;
            const Json object = Json::parse(part.out);
            EXPECT_FALSE(object["complete"].get<bool>());
            EXPECT_TRUE(object.contains("known_until"));
            EXPECT_FALSE(object["missing"].empty());
        }
    }
}

TEST_F(DamagedDay, IsNotReplayedAsAWholeOne) {
    const std::string day = folder_ / "day.dar";
    const std::string bytes = testing::bytes_of_file(folder_ / "sound.dar");
    for (const auto& damage : damages()) {
        if (damage.name.find("in the payload of block") != std::string::npos) continue;
        SCOPED_TRACE(damage.name);
        std::filesystem::remove(day);
        std::ofstream{day, std::ios::binary} << damage.make(bytes);
        const auto ran = testing::run_shell(
            fmt::format("timeout $patience \"$DAMRAK_PROGRAM\" serve --replay {} --data {}", day,
                        (folder_ / "data").string()));
        EXPECT_EQ(ran.exit_code, 1) << ran.err;
        EXPECT_THAT(ran.err, HasSubstr("day.dar"));
    }
}

}  // namespace damrak::damaged_day_test
