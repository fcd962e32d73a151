"""What participants in Python do in a market, and what they are told."""

from __future__ import annotations

import math

import pytest
from test_market import Maker, busy, quiet

import damrak
from damrak import DamrakError, Market, OrderError, Participant, participants


class Careless(Participant):
    def __init__(self, price: float) -> None:
        self.price = price
        self.reasons: list[str] = []

    def on_start(self, m: damrak.MarketAccess) -> None:
        m.limit("buy", 100, self.price)

    def on_reject(self, m: damrak.MarketAccess, order: damrak.SentOrder, reason: str) -> None:
        assert order.state == "done"
        self.reasons.append(reason)


@pytest.mark.parametrize("price", [99.995, float("nan"), float("inf"), 99.001])
def test_a_price_off_the_ticks_is_an_error(price: float) -> None:
    market = Market(quiet)
    market.add(Careless(price))
    with pytest.raises(OrderError, match=r"tick|no price"):
        market.run("1s")


def test_what_the_rules_refuse_is_told() -> None:
    market = Market(quiet)
    careless = Careless(-1.0)
    market.add(careless)
    market.run("1s")
    assert len(careless.reasons) == 1


def test_random_streams_depend_on_seed_and_purpose_alone() -> None:
    class Draws(Participant):
        def on_start(self, m: damrak.MarketAccess) -> None:
            self.drawn = [m.random("a").random(), m.random("a").random(), m.random("b").random()]

    market = Market("noise_and_makers")
    one = Draws()
    market.add(one)
    market.run("1s", seed=7)
    first = one.drawn
    market.run("1s", seed=7)
    assert one.drawn == first and len(set(first)) == 3
    market.run("1s", seed=8)
    assert one.drawn != first


def test_a_class_is_made_anew_for_each_run() -> None:
    class Counts(Participant):
        def __init__(self) -> None:
            self.calls = 0

        def on_bbo(self, m: damrak.MarketAccess) -> None:
            self.calls += 1

    market = Market("noise_and_makers")
    market.add(Counts)
    one, other = (market.run("2s").participant("Counts").participant for _ in range(2))
    assert isinstance(one, Counts) and isinstance(other, Counts)
    assert one is not other and one.calls == other.calls > 0


def test_several_instruments_have_a_market_each() -> None:
    class Both(Participant):
        def on_start(self, m: damrak.MarketAccess) -> None:
            assert m.symbols == ["AAA", "BBB"]
            m.limit("buy", 10, 99.0)
            m.of("BBB").limit("sell", 10, 51.0)
            with pytest.raises(DamrakError, match="CCC"):
                m.of("CCC")
            m.at("1s")

        def on_timer(self, m: damrak.MarketAccess) -> None:
            self.seen = (m.bid, m.ask, m.of("BBB").bid, m.of("BBB").ask, m.book()[0][0].price)
            assert [order.symbol for order in m.of("BBB").orders] == ["BBB"]

        def on_book(self, m: damrak.MarketAccess) -> None:
            pass

    market = Market(
        {"instrument": [{"symbol": "AAA", "price": 100}, {"symbol": "BBB", "price": 50}]}
    )
    both = Both()
    market.add(both)
    market.run("2s")
    assert both.seen == (99.0, None, None, 51.0, 99.0)


def test_order_objects_are_orders_too() -> None:
    class Sends(Participant):
        def on_start(self, m: damrak.MarketAccess) -> None:
            bid = damrak.Limit("SIM", "buy", 30, 99.0, display=10, self_trade="cancel_oldest")
            self.orders = [m.submit(bid), m.submit(damrak.MarketOrder("SIM", "buy", 5))]
            with pytest.raises(TypeError, match=r"damrak\.Limit"):
                m.submit(damrak.Cancel("SIM", 1))  # type: ignore[arg-type]
            with pytest.raises(OrderError, match="expire"):
                m.submit(damrak.Limit("SIM", "buy", 1, 99.0, expire="12:00"))
            m.after("1s")

        def on_timer(self, m: damrak.MarketAccess) -> None:
            assert (m.bid, m.bid_quantity, len(m.orders)) == (99.0, 10, 1)
            bid, bought = self.orders
            assert bid is not None and bought is not None
            assert m.replace(bid, quantity=20) and m.cancel(bid, 5) and not m.cancel(bought)
            for change in (m.cancel, m.replace):
                with pytest.raises(TypeError, match=r"order=None: an order that limit\(\)"):
                    change(None)  # type: ignore[arg-type]

    market = Market(quiet)
    sends = Sends()
    market.add(sends)
    market.run("2s")
    first, second = sends.orders
    assert first is not None and second is not None
    assert (first.state, first.quantity, first.open, first.price) == ("open", 15, 15, 99.0)
    assert (second.state, second.price, second.number) == ("done", None, 2)


@pytest.mark.parametrize("quantity", [0, -5])
def test_an_impossible_quantity_is_refused(quantity: int) -> None:
    class Sends(Participant):
        def on_start(self, m: damrak.MarketAccess) -> None:
            for send in (
                lambda: m.limit("buy", quantity, 99.0),
                lambda: m.market("sell", quantity),
                lambda: m.quote(98.0, None, quantity),
                lambda: m.submit(damrak.Limit(m.symbol, "buy", quantity, 99.0)),
            ):
                with pytest.raises(ValueError, match=r"quantity=.*from 1"):
                    send()
            self.done = True

    market = Market(quiet)
    sends = Sends()
    market.add(sends)
    market.run("1s")
    assert sends.done


def test_a_quantity_beyond_all_limits_is_rejected_by_the_exchange() -> None:
    class Sends(Participant):
        def on_start(self, m: damrak.MarketAccess) -> None:
            self.reasons: list[str] = []
            m.limit("buy", 10**12, 99.0)
            m.market("sell", 10**12)

        def on_reject(self, m: damrak.MarketAccess, order: damrak.SentOrder, reason: str) -> None:
            self.reasons.append(reason)

    market = Market(quiet)
    sends = Sends()
    market.add(sends)
    market.run("1s")
    assert len(sends.reasons) == 2


def test_what_is_no_price_or_order_is_an_error_of_the_callback() -> None:
    class Wrong(Participant):
        def on_start(self, m: damrak.MarketAccess) -> None:
            for price in (math.nan, math.inf, 1e300):
                with pytest.raises(OrderError, match="no price"):
                    m.quote(price, None, 1)
            with pytest.raises(TypeError):
                m.cancel("first")  # type: ignore[arg-type]
            with pytest.raises(ValueError, match="side"):
                m.limit("bid", 1, 99.0)  # type: ignore[arg-type]
            with pytest.raises(ValueError, match="tif"):
                m.limit("buy", 1, 99.0, tif="soon")
            with pytest.raises(ValueError, match="interval"):
                m.every("soon")
            with pytest.raises(ValueError, match="from 1"):
                m.every(0)
            self.done = True

    market = Market(quiet)
    wrong = Wrong()
    market.add(wrong)
    market.run("1s")
    assert wrong.done


def test_native_kinds_have_the_parameters_of_market_files() -> None:
    market = Market(quiet)
    noise = participants.Noise(count=5, rate="120/min")
    assert market.add(noise, instrument="SIM", latency="1ms") == "noise"
    assert market.add(noise) == "noise 2"
    assert 'kind = "noise"' in market.text and "orders_per_s = 2" in market.text
    assert "orders_per_s" in (participants.Noise.__doc__ or "")
    with pytest.raises(TypeError, match="orders_per_s"):
        participants.Noise(order_per_s=1)
    with pytest.raises(DamrakError, match="orders_per_s"):
        market.add(participants.Noise(orders_per_s=-1))
    assert market.groups == ["noise", "noise 2"]
    with pytest.raises(AttributeError, match="FixedMaker"):
        participants.Nobody  # noqa: B018


def test_mistakes_are_told_when_they_are_made() -> None:
    with pytest.raises(DamrakError, match="noise_and_makers"):
        Market("no_such_market")
    market = busy()
    with pytest.raises(DamrakError, match="no instrument"):
        market.add(Maker(), instrument="XYZ")
    with pytest.raises(DamrakError, match="latency"):
        market.add(Maker(), latency="soon")
    with pytest.raises(TypeError, match="a participant is"):
        market.add(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no such group"):
        market.run("1s", explain="Nobody")
    assert market.groups == ["noise", "makers", "Maker"]
    with pytest.raises(DamrakError, match="needs participants"):
        Market(quiet).run("1s")
