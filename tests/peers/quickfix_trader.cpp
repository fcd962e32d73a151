// A third-party client: QuickFIX's initiator with two sessions, ALICE and BOB, that trade a
// script against an acceptor and print what they receive, a line a message (of market data and
// securities all but the header). What they refuse themselves is printed as well. A program of its
// own, in the C++14 that QuickFIX's headers are written in.
//
//   quickfix_trader PORT VERSION DICTIONARY_FOLDER < script
//
// A script's lines: `ALICE 35=D|11=a|55=TEST|…` sends, `wait N` waits until N messages of the
// application have come since the last wait (5 seconds at most).
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

#include <quickfix/Application.h>
#include <quickfix/DataDictionary.h>
#include <quickfix/Log.h>
#include <quickfix/MessageStore.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketInitiator.h>

#include "quickfix_settings.hpp"

namespace {

// That of tests/support/eventually.hpp, which is not for QuickFIX's version of C++.
std::chrono::seconds patience() {
    const char* const text = std::getenv("DAMRAK_TEST_PATIENCE");
    return std::chrono::seconds(text == nullptr ? 600 : std::atoi(text));
}

// In the order in which they are printed.
const int k_shown[] = {45,  371, 373, 380, 20, 150, 39, 103, 434, 102, 530, 531,
                       533, 11,  41,  54,  38, 44,  32, 31,  14,  151, 6,   58};

// The body with its groups, as QuickFIX would write it.
std::string body_of(const FIX::Message& message) {
    std::istringstream fields(message.toString());
    std::string line;
    for (std::string field; std::getline(fields, field, '\x01');) {
        const int tag = std::atoi(field.c_str());
        if (!FIX::Message::isHeaderField(tag) && !FIX::Message::isTrailerField(tag))
            line += " " + field;
    }
    return line;
}

std::string shown(const FIX::Message& message) {
    std::string line = message.getHeader().getField(35);
    if (line.size() == 1 && std::string("WXYyd").find(line) != std::string::npos)
        return line + body_of(message);
    for (const int tag : k_shown)
        if (message.isSetField(tag))
            line += " " + std::to_string(tag) + "=" + message.getField(tag);
    return line;
}

class Trader : public FIX::Application {
  public:
    void onCreate(const FIX::SessionID&) override {}
    void onLogon(const FIX::SessionID&) override { count(logons_); }
    void onLogout(const FIX::SessionID&) override {}
    void toAdmin(FIX::Message& message, const FIX::SessionID& session) override {
        const std::string type = message.getHeader().getField(35);
        if (type == "3") print("REFUSES", session, message);
        if (type == "A") message.setField(141, "Y");
    }
    void toApp(FIX::Message& message, const FIX::SessionID& session) noexcept override {
        if (message.getHeader().getField(35) == "j") print("REFUSES", session, message);
    }
    void fromAdmin(const FIX::Message& message, const FIX::SessionID& session) noexcept override {
        if (message.getHeader().getField(35) == "3") print("IS REFUSED", session, message);
    }
    void fromApp(const FIX::Message& message, const FIX::SessionID& session) noexcept override {
        print("", session, message);
        count(messages_);
    }

    /// False: they did not come in time.
    bool wait_for_logons(int number) { return wait(logons_, number); }
    bool wait_for_messages(int number) {
        const bool came = wait(messages_, number);
        const std::lock_guard<std::mutex> lock(mutex_);
        messages_ -= number;
        return came;
    }

  private:
    void print(const char* what, const FIX::SessionID& session, const FIX::Message& message) {
        const std::lock_guard<std::mutex> lock(mutex_);
        std::printf("%s %s%s%s\n", session.getSenderCompID().getString().c_str(), what,
                    *what == '\0' ? "" : " ", shown(message).c_str());
    }
    void count(int& counter) {
        const std::lock_guard<std::mutex> lock(mutex_);
        ++counter;
        changed_.notify_all();
    }
    bool wait(const int& counter, int number) {
        std::unique_lock<std::mutex> lock(mutex_);
        return changed_.wait_for(lock, patience(), [&] { return counter >= number; });
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    int logons_ = 0;
    int messages_ = 0;
};

// The dictionaries tell what the groups of a message are.
struct Dictionaries {
    Dictionaries(const std::string& version, const std::string& folder)
        : begin_string(begin_string_of(version)),
          session(folder + "/" + dictionary_name(begin_string) + ".xml"),
          application(folder + "/" + dictionary_name(version) + ".xml") {}

    std::string begin_string;
    FIX::DataDictionary session;
    FIX::DataDictionary application;
};

std::string settings_text(const std::string& port, const std::string& version,
                          const std::string& folder) {
    return "[DEFAULT]\nConnectionType=initiator\nSocketConnectHost=127.0.0.1\nSocketConnectPort=" +
           port + "\nHeartBtInt=30\nReconnectInterval=1\nTargetCompID=DAMRAK\n" +
           version_settings(version, folder) +
           "[SESSION]\nSenderCompID=ALICE\n[SESSION]\nSenderCompID=BOB\n";
}

void send(const std::string& line, const Dictionaries& dictionaries) {
    const std::size_t space = line.find(' ');
    std::string fields = line.substr(space + 1);
    while (!fields.empty() && fields.back() == '|') fields.pop_back();
    // Length and checksum are not looked at, and computed again.
    std::string text = "8=" + dictionaries.begin_string + "|9=0|" + fields + "|10=000|";
    for (char& c : text)
        if (c == '|') c = '\x01';
    FIX::Message message(text, dictionaries.session, dictionaries.application, false);
    FIX::Session::sendToTarget(
        message, FIX::SessionID(dictionaries.begin_string, line.substr(0, space), "DAMRAK"));
}

int trade(const std::string& port, const std::string& version, const std::string& folder) {
    Trader trader;
    std::istringstream text(settings_text(port, version, folder));
    const FIX::SessionSettings settings(text);
    FIX::MemoryStoreFactory store;
    FIX::SocketInitiator initiator(trader, store, settings);
    initiator.start();
    int failed = trader.wait_for_logons(2) ? 0 : 1;
    if (failed != 0) std::printf("no logon\n");
    const Dictionaries dictionaries(version, folder);
    for (std::string line; failed == 0 && std::getline(std::cin, line);) {
        if (line.compare(0, 5, "wait ") != 0) {
            send(line, dictionaries);
        } else if (!trader.wait_for_messages(std::atoi(line.c_str() + 5))) {
            std::printf("nothing more came\n");
            failed = 1;
        }
    }
    initiator.stop();
    return failed;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: quickfix_trader PORT VERSION DICTIONARY_FOLDER < script\n");
        return 2;
    }
    try {
        return trade(argv[1], argv[2], argv[3]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
