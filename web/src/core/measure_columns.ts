// Columns of /v1/measures: those of the present are fetched only as far as they are new.
import { api, type ApiMeasures } from "./api.js";

export interface MeasureQuery {
  symbol: string;
  day: string | undefined;
  from: number;
  until: number;
  columnSeconds: number;
}

type Column = Map<string, number>;

export class MeasureColumns {
  /** By begin, oldest first. */
  private columns = new Map<number, Column>();
  private key = "";
  lengthNs = 0;

  /** Those of the window; the last one is asked for again, as it may have been under way. */
  async fetch({ symbol, day, from, until, columnSeconds }: MeasureQuery): Promise<void> {
    const interval = columnSeconds;
    const key = [symbol, day, interval].join();
    const lengthNs = interval * 1e9;
    const first = Math.floor(from / lengthNs) * lengthNs;
    const last = [...this.columns.keys()].at(-1);
    const goesOn =
      key === this.key && last !== undefined && this.columns.has(first) && last <= until;
    const answer = await api.measures({
      symbol,
      day,
      from: goesOn ? last : from,
      until,
      interval,
    });
    if (!goesOn) this.columns.clear();
    this.key = key;
    this.lengthNs = lengthNs;
    this.put(answer);
    for (const begin of this.columns.keys()) if (begin < first) this.columns.delete(begin);
  }

  put({ from_ns, interval_s, columns, measures }: ApiMeasures): void {
    this.lengthNs = interval_s * 1e9;
    for (let i = 0; i < columns; i++) {
      const column: Column = new Map();
      for (const { name, values } of measures) {
        const value = values[i];
        if (value !== null && value !== undefined) column.set(name, value);
      }
      this.columns.set(from_ns + i * this.lengthNs, column);
    }
  }

  clear(): void {
    this.columns.clear();
    this.key = "";
  }

  /** At the middle of each column; a gap where it has no observation. */
  points(name: string, scale = 1): [number, number | undefined][] {
    return [...this.columns].map(([begin, column]) => {
      const value = column.get(name);
      return [begin + this.lengthNs / 2, value === undefined ? undefined : value * scale];
    });
  }
}
