// Which charts the dashboard of market quality has, and the columns that they need.
import type { Line, Point } from "../../ui/plot/model.js";

export type Unit = "bp" | "currency";

interface Shown {
  /** Name of a measure, but for its unit. */
  measure: string;
  name: string;
}

export interface Chart {
  title: string;
  help: string;
  /** Of the y axis. */
  axis: string;
  /** From the measure's unit to that of the axis. */
  scale?: number;
  measures: Shown[];
  hasZero?: boolean;
}

/** After so many seconds realised spreads and impact are taken, so that columns have most trades. */
export function horizonOf(columnSeconds: number): number {
  return [60, 10].find((seconds) => 5 * seconds <= columnSeconds) ?? 1;
}

const colours = ["line-bid", "line-ask", "text"] as const;

/** Measures of prices are in basis points of the mid, or in currency for a share. */
export function chartsOf(unit: Unit, columnSeconds: number): Chart[] {
  const after = horizonOf(columnSeconds);
  const per = unit === "bp" ? "Basis points of the mid" : "Currency a share";
  const of = (name: string) => `${name}_${unit}`;
  return [
    {
      title: "Spread",
      help: "Quoted: offer less bid, mean by time. Effective: 2D(P − M), mean of trades. Realised: 2D(P − M later)",
      axis: per,
      hasZero: true,
      measures: [
        { measure: of("quoted_spread"), name: "quoted" },
        { measure: of("effective_spread"), name: "effective" },
        { measure: of(`realised_spread_${after}s`), name: `realised, ${after} s` },
      ],
    },
    {
      title: "Depth",
      help: "Displayed in the best levels, mean of both sides and by time",
      axis: "Shares",
      hasZero: true,
      measures: [
        { measure: "depth_1", name: "best" },
        { measure: "depth_5", name: "5 levels" },
        { measure: "depth_10", name: "10 levels" },
      ],
    },
    {
      title: "Volatility",
      help: "Root of the mean squared change of the mid over a second",
      axis: unit === "bp" ? "Basis points for √second" : "Currency for √second",
      hasZero: true,
      measures: [{ measure: of("volatility"), name: "of a second" }],
    },
    {
      title: "Price impact",
      help: "2D(M later − M), mean of trades: what an aggressor moves the mid",
      axis: per,
      measures: [
        { measure: of("price_impact_1s"), name: "after 1 s" },
        ...(after > 1 ? [{ measure: of(`price_impact_${after}s`), name: `after ${after} s` }] : []),
      ],
    },
    {
      title: "Resilience",
      help: "Of the steps that widened the spread by a trade, those with the old spread back within so many steps",
      axis: "% of widened spreads",
      scale: 100,
      hasZero: true,
      measures: [
        { measure: "resiliency_1", name: "1 step" },
        { measure: "resiliency_10", name: "10 steps" },
      ],
    },
    {
      title: "Half-life of a widened spread",
      help: "Time until half of the extra spread is gone, mean of those within 100 steps",
      axis: "Milliseconds",
      scale: 1_000,
      hasZero: true,
      measures: [{ measure: "resiliency_half_life", name: "mean" }],
    },
  ];
}

/** With two markets each measure has a chart of its own: two lines of one kind can be told apart. */
export function compared(charts: Chart[]): Chart[] {
  return charts.flatMap((chart) =>
    chart.measures.map((one) => ({
      ...chart,
      title: chart.measures.length > 1 ? `${chart.title}: ${one.name}` : chart.title,
      measures: [one],
    })),
  );
}

export interface Market {
  name: string;
  points(measure: string, scale: number): Point[];
}

/** Of one market a line for each measure; of two a line for each market. */
export function linesOf({ measures, scale = 1 }: Chart, markets: Market[]): Line[] {
  return markets.flatMap((market, at) =>
    measures.map(({ measure, name }, i) => ({
      kind: "line" as const,
      name: markets.length > 1 ? market.name : name,
      colour: colours[markets.length > 1 ? at : i]!,
      isDashed: markets.length === 1 && i === 2,
      points: market.points(measure, scale),
    })),
  );
}
