// Misuse of each kind of pointer, detected by the address sanitizer. Skipped in builds without it,
// where such a program would continue.

#include <cstdint>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace damrak::lab::tick_to_trade::misuse_test {
namespace {

#if defined(__SANITIZE_ADDRESS__)

// NOLINTBEGIN: each of these is a mistake, and meant.

struct Order {
    std::uint32_t quantity = 100;
    std::shared_ptr<Order> next;
};

// Kept from the optimiser, which would see through them.
void use(const Order* order) {
    volatile std::uint32_t quantity = order->quantity;
    static_cast<void>(quantity);
}

TEST(PointerMisuseDeathTest, ARawPointerIsUsedAfterItsOrderWasDeleted) {
    EXPECT_DEATH(
        {
            auto* order = new Order;
            Order* const kept_in_the_book = order;
            delete order;
            use(kept_in_the_book);
        },
        "heap-use-after-free");
}

TEST(PointerMisuseDeathTest, ARawPointerIsDeletedTwice) {
    EXPECT_DEATH(
        {
            auto* order = new std::uint32_t{100};
            std::uint32_t* volatile again = order;
            delete order;
            delete again;
        },
        "double-free");
}

// Many, as the address of the last one may still lie on the stack.
template <class F>
void leak_and_look(F leak) {
    for (int i = 0; i < 100; ++i) leak();
    __lsan_do_leak_check();
}

TEST(PointerMisuseDeathTest, ARawPointerIsForgotten) {
    EXPECT_DEATH(leak_and_look([] {
                     auto* volatile order = new Order;
                     order = nullptr;
                 }),
                 "detected memory leaks");
}

TEST(PointerMisuseDeathTest, AUniquePointerIsUsedAfterItWasMovedFrom) {
    EXPECT_DEATH(
        {
            auto order = std::make_unique<Order>();
            const auto in_the_book = std::move(order);
            use(order.get());
        },
        "null pointer|SEGV");
}

TEST(PointerMisuseDeathTest, AUniquePointerGivesAwayWhatItGoesOnToOwn) {
    EXPECT_DEATH(
        {
            const Order* observed = nullptr;
            {
                const auto order = std::make_unique<Order>();
                observed = order.get();
            }
            use(observed);
        },
        "heap-use-after-free");
}

TEST(PointerMisuseDeathTest, TwoSharedPointersAreMadeOfOneRawPointer) {
    EXPECT_DEATH(
        {
            auto* const raw = new Order;
            std::shared_ptr<Order> first{raw};
            std::shared_ptr<Order> second{raw};
            first.reset();
            second.reset();
        },
        "heap-use-after-free|double-free");
}

TEST(PointerMisuseDeathTest, SharedPointersThatHoldEachOtherAreNeverFreed) {
    EXPECT_DEATH(leak_and_look([] {
                     const auto one = std::make_shared<Order>();
                     const auto other = std::make_shared<Order>();
                     one->next = other;
                     other->next = one;
                 }),
                 "detected memory leaks");
}

// NOLINTEND

#else

TEST(PointerMisuse, IsSeenByTheAddressSanitizer) {
    GTEST_SKIP() << "this build has no address sanitizer: see the preset asan";
}

#endif

}  // namespace
}  // namespace damrak::lab::tick_to_trade::misuse_test
