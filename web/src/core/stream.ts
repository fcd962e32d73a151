// The client of /v1/stream: subscriptions that survive gaps, lost connections and restarts of the
// exchange. A subscriber gets a snapshot, then changes without a gap, perhaps a snapshot again.
import { decode } from "./decoder.js";
import type { Channel, ErrorMessage, Hello, OrderMessage, Update } from "./messages.js";

export type Parameters = Record<string, number>;
export type Subscriber = (update: Update) => void;

export type StreamState = "connecting" | "live" | "reconnecting";

export interface StreamEvents {
  state(state: StreamState, retryInMs: number): void;
  hello(hello: Hello): void;
  order(order: OrderMessage): void;
  error(error: ErrorMessage): void;
  /** A subscription missed changes and asks for a new snapshot. */
  gap(channel: Channel): void;
}

interface Subscription {
  channel: Channel;
  symbol: string | undefined;
  parameters: Parameters;
  subscriber: Subscriber;
  /** State of the subscriber; undefined until the snapshot arrives. */
  sequence: number | undefined;
}

/** What the client needs of a WebSocket; tests give their own. */
export interface Socket {
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

const firstRetryMs = 250;
const longestRetryMs = 5_000;
/**
 * The `exchange` channel speaks every second: a connection that is silent for ten is lost. Kept runs
 * are shown without an exchange and a session; there silence is no loss.
 */
const checkMs = 2_500;
const mostSilentChecks = 4;

const keyOf = (channel: string, symbol: string | undefined) => `${channel} ${symbol ?? ""}`;

export class Stream {
  private socket: Socket | undefined;
  private readonly subscriptions = new Map<string, Subscription>();
  private symbols = new Map<number, string>();
  private retryMs = firstRetryMs;
  private greeted = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private watch: ReturnType<typeof setInterval> | undefined;
  private silentChecks = 0;
  /** Of this connection: whether a session runs, and how many updates came. */
  private session: string | null = null;
  private updates = 0;

  constructor(
    private readonly open: () => Socket,
    private readonly events: StreamEvents,
  ) {}

  connect(): void {
    clearTimeout(this.retry);
    const socket = this.open();
    this.socket = socket;
    this.greeted = false;
    socket.onmessage = ({ data }) => {
      if (socket === this.socket) this.receive(data);
    };
    socket.onclose = () => {
      if (socket === this.socket) this.lost();
    };
    this.silentChecks = this.updates = 0;
    clearInterval(this.watch);
    this.watch = setInterval(() => this.check(socket), checkMs);
  }

  /** Ends this connection and makes another, as after a login. */
  reconnect(): void {
    const old = this.socket;
    this.connect();
    old?.close();
  }

  subscribe(
    channel: Channel,
    symbol: string | undefined,
    parameters: Parameters,
    subscriber: Subscriber,
  ): void {
    const subscription = { channel, symbol, parameters, subscriber, sequence: undefined };
    this.subscriptions.set(keyOf(channel, symbol), subscription);
    if (this.greeted) this.ask(subscription);
  }

  unsubscribe(channel: Channel, symbol: string | undefined): void {
    if (this.subscriptions.delete(keyOf(channel, symbol)) && this.greeted)
      this.send({ op: "unsubscribe", channel, symbol });
  }

  /** False while there is no connection. */
  send(message: object): boolean {
    if (!this.greeted) return false;
    this.socket?.send(JSON.stringify(message));
    return true;
  }

  private ask(subscription: Subscription): void {
    const { channel, symbol, parameters } = subscription;
    subscription.sequence = undefined;
    this.send({ op: "subscribe", channel, symbol, ...parameters });
  }

  private receive(data: unknown): void {
    this.silentChecks = 0;
    if (typeof data !== "string") {
      this.receiveFrame(data as ArrayBuffer);
      return;
    }
    const message = JSON.parse(data);
    switch (message.type) {
      case "hello":
        this.hello(message as Hello);
        break;
      case "snapshot":
      case "changes":
        this.update({ ...message, timeNs: message.time_ns } as Update);
        break;
      case "order":
        this.events.order(message as OrderMessage);
        break;
      case "error":
        this.events.error(message as ErrorMessage);
        break;
    }
  }

  private receiveFrame(bytes: ArrayBuffer): void {
    let update;
    try {
      update = decode(bytes, (locate) => this.symbols.get(locate));
    } catch (error) {
      console.error("the stream is not what it should be; connecting again:", error);
      this.socket?.close();
      this.lost();
      return;
    }
    this.update(update);
  }

  private hello(hello: Hello): void {
    this.symbols = new Map(hello.instruments.map(({ locate, symbol }) => [locate, symbol]));
    this.session = hello.session;
    const first = !this.greeted;
    this.greeted = true;
    this.retryMs = firstRetryMs;
    if (first) this.events.state("live", 0);
    // At another hello, those that were refused before the session began.
    for (const subscription of this.subscriptions.values())
      if (first || subscription.sequence === undefined) this.ask(subscription);
    // Who hears of it subscribes to more, which is asked for at once.
    this.events.hello(hello);
  }

  private update(update: Update): void {
    this.updates += 1;
    const subscription = this.subscriptions.get(keyOf(update.channel, update.symbol));
    if (!subscription) return;
    if (update.type === "changes") {
      // Between asking for a snapshot and its arrival, changes to the old state still come.
      if (subscription.sequence === undefined) return;
      if (update.previous !== subscription.sequence) {
        this.events.gap(update.channel);
        this.ask(subscription);
        return;
      }
    }
    subscription.sequence = update.sequence;
    subscription.subscriber(update);
  }

  private check(socket: Socket): void {
    this.silentChecks += 1;
    const mayBeSilent = this.greeted && this.session === null && this.updates < 2;
    if (mayBeSilent) return;
    if (this.silentChecks < mostSilentChecks) return;
    socket.close();
    this.lost();
  }

  private lost(): void {
    clearInterval(this.watch);
    this.socket = undefined;
    this.greeted = false;
    this.events.state("reconnecting", this.retryMs);
    this.retry = setTimeout(() => this.connect(), this.retryMs);
    this.retryMs = Math.min(this.retryMs * 2, longestRetryMs);
  }
}
