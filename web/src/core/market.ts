// What the page knows of the market: one instrument in full, and the exchange. Panels read it, and
// hear when a part of it has changed.
import { DepthBook, type LevelListener } from "./book.js";
import { CandleSeries, candleOfRow } from "./candles.js";
import type {
  Auction,
  CandlesUpdate,
  DepthUpdate,
  ErrorMessage,
  ExchangeUpdate,
  HaltCause,
  Hello,
  OrderMessage,
  OrdersUpdate,
  StateUpdate,
  TradingState,
  StatisticsUpdate,
  Trade,
  TradesUpdate,
  Update,
} from "./messages.js";
import { OwnOrders } from "./orders.js";
import { Signal } from "./signal.js";
import { Stream, type Socket, type StreamState } from "./stream.js";
import { Tape } from "./tape.js";
import { MarketClock } from "./time.js";

export interface Connection {
  state: StreamState;
  retryInMs: number;
}

export interface DepthListener {
  /** The book is about to change at this time. */
  before(timeNs: number): void;
  change: LevelListener;
}

export class Market {
  symbol: string | undefined;
  hello: Hello | undefined;
  connection: Connection = { state: "connecting", retryInMs: 0 };
  readonly clock = new MarketClock();
  readonly book = new DepthBook();
  readonly tape = new Tape();
  readonly candles = new CandleSeries();
  readonly orders: OwnOrders;
  statistics: StatisticsUpdate | undefined;
  state: TradingState = "trading";
  cause: HaltCause | undefined;
  collar: [number, number] | undefined;
  /** While orders are collected for it. */
  auction: Auction | undefined;
  exchange: ExchangeUpdate | undefined;
  gaps = 0;
  candleSeconds = 10;

  readonly onConnection = new Signal<Connection>();
  readonly onHello = new Signal<{ hello: Hello; newSession: boolean }>();
  readonly onSymbol = new Signal();
  /** True: the whole book is new. */
  readonly onBook = new Signal<boolean>();
  readonly onTrades = new Signal<Trade[]>();
  readonly onCandles = new Signal();
  /** The stream begins, or left something out: the archive has what was before. */
  readonly onTradesMissing = new Signal();
  readonly onCandlesMissing = new Signal();
  readonly onState = new Signal();
  readonly onStatistics = new Signal();
  readonly onExchange = new Signal<ExchangeUpdate>();
  readonly onOrder = new Signal<OrderMessage>();
  readonly onQueues = new Signal();
  readonly onError = new Signal<ErrorMessage>();
  /** Hears of each level that changes, before onBook. */
  depthListener: DepthListener | undefined;

  private readonly stream: Stream;

  constructor(open: () => Socket) {
    this.stream = new Stream(open, {
      state: (state, retryInMs) => {
        this.connection = { state, retryInMs };
        this.onConnection.emit(this.connection);
      },
      hello: (hello) => this.greet(hello),
      order: (order) => {
        this.orders.hear(order);
        this.followQueues();
        this.onOrder.emit(order);
      },
      error: (error) => this.onError.emit(error),
      gap: () => (this.gaps += 1),
    });
    this.orders = new OwnOrders((message) => this.stream.send(message));
    this.stream.subscribe("exchange", undefined, {}, (update) => {
      // Kept runs are shown without an exchange.
      if (!("uptime_s" in update)) return;
      this.exchange = update as ExchangeUpdate;
      this.onExchange.emit(this.exchange);
    });
  }

  /** What is known is of a time before the connection was lost. */
  get isStale(): boolean {
    return this.connection.state !== "live" && this.clock.lastNs > 0;
  }

  /** Kept runs are shown without an exchange. */
  get hasExchange(): boolean {
    return this.exchange !== undefined || Boolean(this.hello?.session);
  }

  connect(): void {
    this.stream.connect();
  }
  reconnect(): void {
    this.stream.reconnect();
  }

  select(symbol: string): void {
    if (this.symbol !== undefined)
      for (const channel of [
        "depth",
        "trades",
        "candles",
        "state",
        "statistics",
        "orders",
      ] as const)
        this.stream.unsubscribe(channel, this.symbol);
    this.symbol = symbol;
    this.forget();
    this.subscribe(symbol);
    this.onSymbol.emit();
  }

  /** An instrument of an archived day need not be one of today. */
  private get streamed(): boolean {
    return this.hello?.instruments.some(({ symbol }) => symbol === this.symbol) ?? false;
  }

  private subscribe(symbol: string): void {
    if (!this.streamed) return;
    this.stream.subscribe("depth", symbol, { levels: 1_000, interval_ms: 50 }, (update) =>
      this.depth(update as DepthUpdate),
    );
    this.stream.subscribe("trades", symbol, { interval_ms: 50 }, (update) =>
      this.trades(update as TradesUpdate),
    );
    this.stream.subscribe("state", symbol, {}, (update) => {
      const { state, cause, collar, auction } = update as StateUpdate;
      this.state = state;
      this.cause = cause ?? undefined;
      this.collar = collar ?? undefined;
      this.auction = auction ?? undefined;
      this.onState.emit();
    });
    this.stream.subscribe("statistics", symbol, { interval_ms: 250 }, (update) => {
      this.statistics = update as StatisticsUpdate;
      this.onStatistics.emit();
    });
    this.selectCandles(this.candleSeconds);
    this.followQueues();
  }

  selectCandles(seconds: number): void {
    this.candleSeconds = seconds;
    this.candles.clear();
    if (this.symbol === undefined || !this.streamed) return;
    this.stream.subscribe("candles", this.symbol, { seconds, interval_ms: 250 }, (update) => {
      const { type, candle, candles, omitted } = update as CandlesUpdate;
      for (const row of candle ? [candle] : (candles ?? [])) this.candles.put(candleOfRow(row));
      if (type === "snapshot" || omitted) this.onCandlesMissing.emit();
      this.onCandles.emit();
    });
  }

  /** Orders one by one are asked for only while there is an own order to find among them. */
  private followedQueues: string | undefined;
  private followQueues(): void {
    const wanted = this.symbol && this.orders.of(this.symbol).length ? this.symbol : undefined;
    if (wanted === this.followedQueues) return;
    if (this.followedQueues) this.stream.unsubscribe("orders", this.followedQueues);
    this.followedQueues = wanted;
    if (!wanted) return;
    this.stream.subscribe("orders", wanted, { levels: 200, interval_ms: 100 }, (update) => {
      const { type, rows } = update as OrdersUpdate;
      if (type === "snapshot") this.orders.queues.clear();
      for (const { side, reference, price, quantity } of rows)
        this.orders.queues.set(side, reference, price, quantity);
      this.onQueues.emit();
    });
  }

  private greet(hello: Hello): void {
    const newSession = this.hello !== undefined && this.hello.session !== hello.session;
    this.hello = hello;
    this.orders.clear();
    this.followQueues();
    if (newSession) this.forget();
    this.onHello.emit({ hello, newSession });
  }

  private forget(): void {
    this.clock.reset();
    this.book.clear();
    this.tape.clear();
    this.candles.clear();
    this.statistics = undefined;
    this.state = "trading";
    this.cause = undefined;
    this.collar = undefined;
    this.auction = undefined;
    this.onBook.emit(true);
  }

  private tell(update: Update): void {
    this.clock.tell(update.timeNs, performance.now());
  }

  private depth(update: DepthUpdate): void {
    const whole = update.type === "snapshot";
    this.book.sequence = update.sequence;
    this.book.timeNs = update.timeNs;
    this.tell(update);
    if (whole) this.book.clear();
    else this.depthListener?.before(update.timeNs);
    const listener = whole ? undefined : this.depthListener?.change;
    for (const row of update.rows) this.book.set(row.side, row, listener);
    this.onBook.emit(whole);
  }

  private trades(update: TradesUpdate): void {
    this.tell(update);
    if (update.type === "snapshot" || update.omitted > 0) {
      this.tape.clear();
      this.onTradesMissing.emit();
    }
    this.tape.add(update.trades);
    this.onTrades.emit(update.trades);
  }
}
