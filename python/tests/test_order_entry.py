"""Orders at a real exchange, and its feed, over each protocol."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator

import pytest

import damrak
from damrak import Limit, OrderError, Stop


@pytest.fixture(scope="module")
def exchange() -> Iterator[damrak.Exchange]:
    with damrak.serve() as running:
        yield running


@pytest.fixture(params=["binary", "ouch", "fix"])
def me(exchange: damrak.Exchange, request: pytest.FixtureRequest) -> Iterator[damrak.OrderEntry]:
    with exchange.connect(request.param, user="" if request.param == "binary" else "ME") as entry:
        yield entry


def test_an_order_is_entered_replaced_and_cancelled(me: damrak.OrderEntry) -> None:
    number = me.buy("AAPL", 100, 9.5)
    accepted = me.wait("accepted").order
    assert accepted is not None
    assert (accepted.number, accepted.symbol, accepted.side) == (number, "AAPL", "buy")
    assert (accepted.price, accepted.open, accepted.state) == (9.5, 100, "open")
    assert [one.number for one in me.orders] == [number]
    me.replace(number, 60, 9.51)
    replaced = me.wait("replaced").order
    assert replaced is not None and (replaced.open, replaced.price) == (60, 9.51)
    me.cancel(number)
    cancelled = me.wait("cancelled").order
    assert cancelled is not None and cancelled.state == "ended"
    assert me.orders == []


def test_a_fill_has_price_and_quantity(exchange: damrak.Exchange, me: damrak.OrderEntry) -> None:
    with exchange.connect("binary") as other:
        other.sell("MSFT", 100, 20.25)
        other.wait("accepted")
        me.buy("MSFT", 40, 20.30)
        fill = me.wait("filled")
        assert (fill.quantity, fill.price) == (40, 20.25)
        sold = other.wait("filled")
        assert sold.order is not None and (sold.order.open, sold.order.filled) == (60, 40)
        other.cancel(sold.order.number)
        other.wait("cancelled")


def test_a_refusal_says_why(me: damrak.OrderEntry) -> None:
    me.submit(Limit("AAPL", "buy", 9_999_999, 9.5))
    refused = me.wait("refused")
    assert refused.why


def test_what_a_protocol_cannot_say_is_not_sent(exchange: damrak.Exchange) -> None:
    with exchange.connect("ouch") as me:
        with pytest.raises(OrderError, match="stop"):
            me.submit(Stop("AAPL", "buy", 100, stop=10.0))
        with pytest.raises(OrderError, match="for an Engine"):
            me.submit(Limit("AAPL", "buy", 100, 9.5, participant=7))
        with pytest.raises(OrderError):
            me.buy("AAPL", 100, 9.505)  # half a cent
        with pytest.raises(OrderError, match="not open"):
            me.cancel(99)
        assert me.orders == []


def test_news_come_in_an_event_loop(me: damrak.OrderEntry) -> None:
    async def trade() -> list[str]:
        kinds: list[str] = []
        number = me.buy("SPY", 100, 9.5)
        async for news in me:
            kinds.append(news.kind)
            if news.kind == "accepted":
                me.cancel(number)
            if news.kind == "cancelled":
                break
        return kinds

    assert asyncio.run(trade()) == ["accepted", "cancelled"]


@pytest.mark.parametrize("closed_by", ["the loop", "another thread"])
def test_who_waits_in_an_event_loop_is_told_of_the_end(
    exchange: damrak.Exchange, closed_by: str
) -> None:
    async def wait_and_close() -> list[object]:
        me = exchange.connect()
        waiting = [asyncio.ensure_future(me.get()) for _ in range(2)]
        waiting.append(asyncio.ensure_future(_all_of(me)))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        if closed_by == "the loop":
            me.close()
        else:
            await asyncio.to_thread(me.close)
        return await asyncio.gather(*waiting, return_exceptions=True)

    async def _all_of(me: damrak.OrderEntry) -> None:
        async for _ in me:
            pass

    told = asyncio.run(asyncio.wait_for(wait_and_close(), 60))
    assert not any(isinstance(one, TimeoutError) for one in told)
    # The farewell is news for one of them at most.
    assert sum(isinstance(one, damrak.ConnectionLost) for one in told) >= 1


def test_what_is_closed_says_so_at_once(exchange: damrak.Exchange) -> None:
    me, feed = exchange.connect(), exchange.feed()
    with pytest.raises(ValueError, match=r"kind='abc': one of logged_in, .*filled"):
        me.wait("abc", timeout=600)  # type: ignore[arg-type]
    me.close()
    feed.close()
    with pytest.raises(damrak.ConnectionLost):
        feed.wait(timeout=600)
    assert not feed.is_live
    with pytest.raises(damrak.DamrakError, match="not connected: ended"):
        me.buy("AAPL", 1, 1.0)


def test_nothing_for_a_while_is_none(me: damrak.OrderEntry) -> None:
    assert me.next(timeout=0.01) is None
    with pytest.raises(TimeoutError, match="filled"):
        me.wait("filled", timeout=0.01)


def test_it_connects_again_after_a_crash(tmp_path: object) -> None:
    with damrak.serve(data=f"{tmp_path}/data") as first:
        me = first.connect("ouch", user="ME")
        number = me.buy("AAPL", 100, 9.5)
        me.wait("accepted")
        port = first.ports["ouch"]
        first.kill()
    with damrak.serve(data=f"{tmp_path}/data", ports={"ouch": port}):
        while me.state != "up" or me.losses == 0:
            me.next(0.1)
        assert [one.number for one in me.orders] == [number]
        me.cancel(number)
        me.wait("cancelled")
        me.close()
    with pytest.raises(damrak.ConnectionLost):
        me.next()


def test_nobody_there_is_told() -> None:
    with pytest.raises(damrak.ConnectionLost, match=r"cannot connect to 127\.0\.0\.1:1"):
        damrak.connect("127.0.0.1:1", timeout=0.2)
    with pytest.raises(damrak.ConnectionLost, match="lists no instruments"):
        damrak.connect("127.0.0.1:1", http=1)
    with pytest.raises(ValueError, match="from 1 to 65535"):
        damrak.connect("127.0.0.1:65536")
    with pytest.raises(ValueError, match="one of binary, ouch, fix"):
        damrak.connect(protocol="telex")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="comp id"):
        damrak.connect(protocol="fix")
    with pytest.raises(damrak.DamrakError, match="OUCH user"):
        damrak.connect(protocol="ouch", user="TOOLONG")


def test_ctrl_c_ends_a_wait(exchange: damrak.Exchange) -> None:
    with exchange.connect("binary") as me:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        before = signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
        try:
            with pytest.raises(KeyboardInterrupt):
                me.next(timeout=600)
        finally:
            signal.signal(signal.SIGALRM, before)


def test_the_feed_has_the_book_and_the_messages(exchange: damrak.Exchange) -> None:
    with exchange.feed() as feed, exchange.connect("binary") as me:
        assert feed.symbols[:2] == ["AAPL", "MSFT"]
        for _ in feed.messages():
            pass
        number = me.buy("TEST", 300, 9.25)
        me.wait("accepted")
        while not (book := feed.book("TEST")).bids:
            feed.wait(after=book.sequence, timeout=60)
        assert book.bids == (damrak.Level(9.25, 300, 1),)
        assert "A" in [message.type for message in feed.messages()]
        with exchange.connect("binary") as other:
            other.sell("TEST", 100, 9.25)
            other.wait("filled")
        me.cancel(number)
        me.wait("cancelled")
        while (book := feed.book("TEST")).bids:
            feed.wait(after=book.sequence, timeout=60)
        trade = feed.last_trade("TEST")
        assert trade is not None and (trade.price, trade.size) == (9.25, 100)
        with pytest.raises(damrak.DamrakError, match="NOPE"):
            feed.book("NOPE")


def test_a_feed_that_is_not_there_is_told() -> None:
    with pytest.raises(TimeoutError, match="no feed"):
        damrak.follow(port=1, timeout=0.1)


def test_a_halt_is_on_the_feed_and_ends() -> None:
    with damrak.serve() as exchange, exchange.feed() as feed:
        seen = feed.sequence
        exchange.halt("AAPL")
        while not feed.status("AAPL").startswith("halted"):
            seen = feed.wait(after=seen, timeout=60)
        with exchange.connect("binary") as me:
            me.buy("AAPL", 100, 9.5)
            assert me.wait("accepted", "refused").kind == "refused"
            exchange.resume("AAPL")
            me.buy("AAPL", 100, 9.5)
            assert me.wait("accepted", "refused").kind == "accepted"
        with pytest.raises(damrak.ExchangeError, match="no instrument NOPE"):
            exchange.halt("NOPE")
