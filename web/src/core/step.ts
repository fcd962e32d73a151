// Pages that show markets beside each other look at the same time: each tells the others where it
// is. Times are those of the day, so the days may differ.
export interface Moment {
  endNs: number;
  spanNs: number;
}

export class Step {
  private readonly channel: BroadcastChannel | undefined;

  constructor(active: boolean, moved: (moment: Moment) => void) {
    if (!active) return;
    this.channel = new BroadcastChannel("damrak-step");
    this.channel.onmessage = ({ data }) => moved(data as Moment);
  }

  tell({ endNs, spanNs }: Moment): void {
    this.channel?.postMessage({ endNs, spanNs });
  }
}
