// A third-party exchange: QuickFIX's acceptor with one session, EXCHANGE to TRADER, whose
// messages and numbers are in files and outlive it. It prints the orders it takes and the reports
// it gives, what either side refuses, and who asks for messages again, and runs until it is killed.
// A program of its own, in the C++14 that QuickFIX's headers are written in.
//
//   quickfix_exchange PORT VERSION DICTIONARY_FOLDER STORE_FOLDER
//
// There is one symbol, TEST, and no other side: the last digit of the quantity decides. 1: one of
// it trades at once; 2: all of it; 5: all of it, but when the connection is lost; 9: it is
// rejected; others rest.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

#include <quickfix/Application.h>
#include <quickfix/FileStore.h>
#include <quickfix/Log.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketAcceptor.h>
#include <unistd.h>

#include "quickfix_settings.hpp"

namespace {

enum Tag {
    k_avg_px = 6,
    k_cl_ord_id = 11,
    k_cum_qty = 14,
    k_exec_id = 17,
    k_exec_trans_type = 20,
    k_last_px = 31,
    k_last_qty = 32,
    k_order_id = 37,
    k_order_qty = 38,
    k_ord_status = 39,
    k_orig_cl_ord_id = 41,
    k_poss_dup_flag = 43,
    k_price = 44,
    k_side = 54,
    k_symbol = 55,
    k_text = 58,
    k_cxl_rej_reason = 102,
    k_ord_rej_reason = 103,
    k_exec_type = 150,
    k_leaves_qty = 151,
    k_cxl_rej_response_to = 434,
};

std::string text_of(const FIX::Message& message, int tag) {
    return message.isSetField(tag) ? message.getField(tag) : std::string();
}
std::string type_of(const FIX::Message& message) { return message.getHeader().getField(35); }

FIX::Message message_of_type(const std::string& type) {
    FIX::Message message;
    message.getHeader().setField(35, type);
    return message;
}

struct Order {
    std::string id;
    std::string side;
    std::string price;
    int quantity;
    int traded;
    char status;

    bool is_open() const { return status == '0' || status == '1'; }
};

class Exchange : public FIX::Application {
  public:
    /// FIX.4.2 and earlier say in ExecType what an execution made of its order.
    explicit Exchange(bool is_old) : is_old_(is_old) {}

    void onCreate(const FIX::SessionID&) override {}
    void onLogon(const FIX::SessionID&) override { std::puts("logged on"); }
    void onLogout(const FIX::SessionID& session) override {
        std::puts("logged out");
        for (auto& each : orders_)
            if (each.second.is_open() && each.second.quantity % 10 == 5)
                trade(each.first, each.second, each.second.quantity, session);
    }
    void toAdmin(FIX::Message& message, const FIX::SessionID&) override {
        tell(message, "REFUSES", "asks for messages again");
    }
    void toApp(FIX::Message& message, const FIX::SessionID&) noexcept override {
        tell(message, "REFUSES", "");
    }
    void fromAdmin(const FIX::Message& message, const FIX::SessionID&) noexcept override {
        tell(message, "IS REFUSED", "is asked for messages again");
    }
    void fromApp(const FIX::Message& message, const FIX::SessionID& session) noexcept override {
        tell(message, "IS REFUSED", "");
        const std::string type = type_of(message);
        if (type == "D") enter(message, session);
        if (type == "F" || type == "G") change(message, type, session);
    }

  private:
    static void tell(const FIX::Message& message, const char* refuses, const char* asks) {
        const std::string type = type_of(message);
        if (type == "3" || type == "j")
            std::printf("%s %s\n", refuses, message.toString().c_str());
        else if (type == "2")
            std::puts(asks);
    }

    void enter(const FIX::Message& message, const FIX::SessionID& session) {
        const std::string name = text_of(message, k_cl_ord_id);
        std::printf("order %s%s\n", name.c_str(),
                    message.getHeader().isSetField(k_poss_dup_flag) ? " again" : "");
        Order order{new_id(),
                    text_of(message, k_side),
                    text_of(message, k_price),
                    std::atoi(text_of(message, k_order_qty).c_str()),
                    0,
                    '0'};
        const std::string symbol = text_of(message, k_symbol);
        if (symbol != "TEST" || order.quantity % 10 == 9) {
            order.status = '8';
            FIX::Message rejection = report(name, order, '8');
            rejection.setField(k_symbol, symbol);
            rejection.setField(k_ord_rej_reason, symbol != "TEST" ? "1" : "0");
            rejection.setField(k_text, "not here");
            return send(rejection, session);
        }
        send(report(name, order, '0'), session);
        if (order.quantity % 10 == 1) trade(name, order, 1, session);
        if (order.quantity % 10 == 2) trade(name, order, order.quantity, session);
        orders_.emplace(name, order);
    }

    void change(const FIX::Message& message, const std::string& type,
                const FIX::SessionID& session) {
        const std::string from = text_of(message, k_orig_cl_ord_id);
        const std::string name = text_of(message, k_cl_ord_id);
        const int quantity = std::atoi(text_of(message, k_order_qty).c_str());
        const auto found = orders_.find(from);
        if (found == orders_.end() || !found->second.is_open() ||
            (type == "G" && quantity <= found->second.traded))
            return send(rejection(name, from, type), session);
        Order order = found->second;
        orders_.erase(found);
        if (type == "F") {
            order.status = '4';
        } else {
            order.quantity = quantity;
            order.price = text_of(message, k_price);
        }
        FIX::Message answer = report(name, order, type == "F" ? '4' : '5');
        answer.setField(k_orig_cl_ord_id, from);
        send(answer, session);
        orders_.emplace(name, order);
    }

    FIX::Message rejection(const std::string& name, const std::string& from,
                           const std::string& type) const {
        const auto found = orders_.find(from);
        const bool known = found != orders_.end();
        FIX::Message answer = message_of_type("9");
        answer.setField(k_order_id, known ? found->second.id : "NONE");
        answer.setField(k_cl_ord_id, name);
        answer.setField(k_orig_cl_ord_id, from);
        answer.setField(k_ord_status, std::string(1, known ? found->second.status : '8'));
        answer.setField(k_cxl_rej_response_to, type == "F" ? "1" : "2");
        answer.setField(k_cxl_rej_reason, known ? "0" : "1");
        return answer;
    }

    void trade(const std::string& name, Order& order, int quantity, const FIX::SessionID& session) {
        order.traded += quantity;
        order.status = order.traded == order.quantity ? '2' : '1';
        FIX::Message fill = report(name, order, is_old_ ? order.status : 'F');
        fill.setField(k_last_qty, std::to_string(quantity));
        fill.setField(k_last_px, order.price);
        send(fill, session);
    }

    FIX::Message report(const std::string& name, const Order& order, char what) {
        FIX::Message message = message_of_type("8");
        const bool is_over = order.status == '4' || order.status == '8';
        message.setField(k_order_id, order.id);
        message.setField(k_exec_id, new_id());
        if (is_old_) message.setField(k_exec_trans_type, "0");
        message.setField(k_exec_type, std::string(1, what));
        message.setField(k_ord_status, std::string(1, order.status));
        message.setField(k_cl_ord_id, name);
        message.setField(k_symbol, "TEST");
        message.setField(k_side, order.side);
        message.setField(k_order_qty, std::to_string(order.quantity));
        message.setField(k_price, order.price);
        message.setField(k_cum_qty, std::to_string(order.traded));
        message.setField(k_leaves_qty, std::to_string(is_over ? 0 : order.quantity - order.traded));
        message.setField(k_avg_px, order.traded == 0 ? "0" : order.price);
        return message;
    }

    static void send(FIX::Message message, const FIX::SessionID& session) {
        FIX::Session::sendToTarget(message, session);
        // From here on it has to arrive.
        if (message.isSetField(k_exec_id))
            std::printf("report %s\n", message.getField(k_exec_id).c_str());
    }

    /// Not one that an earlier life gave.
    std::string new_id() { return std::to_string(::getpid()) + "-" + std::to_string(++last_id_); }

    bool is_old_;
    int last_id_ = 0;
    std::map<std::string, Order> orders_;
};

void serve(const std::string& port, const std::string& version, const std::string& folder,
           const std::string& store_folder) {
    Exchange exchange(version <= "FIX.4.2");
    std::istringstream text(
        "[DEFAULT]\nConnectionType=acceptor\nSocketAcceptPort=" + port +
        "\nSocketReuseAddress=Y\nSenderCompID=EXCHANGE\nFileStorePath=" + store_folder + "\n" +
        version_settings(version, folder) + "[SESSION]\nTargetCompID=TRADER\n");
    const FIX::SessionSettings settings(text);
    FIX::FileStoreFactory store(settings);
    FIX::SocketAcceptor acceptor(exchange, store, settings);
    acceptor.block();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) {
        std::fprintf(stderr,
                     "usage: quickfix_exchange PORT VERSION DICTIONARY_FOLDER STORE_FOLDER\n");
        return 2;
    }
    // Line-buffered, so that output is in the file before the process is killed.
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    try {
        serve(argv[1], argv[2], argv[3], argv[4]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
