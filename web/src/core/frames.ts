// One place where the page draws: at most once a frame, and only what has changed. It measures what
// a frame costs the main thread, messages that arrived before it included.

const kept = 1_200;

export class Frames {
  /** Milliseconds of the latest frames in which there was work. */
  readonly times: number[] = [];
  private readonly waiting = new Set<() => void>();
  private messagesMs = 0;
  private requested = false;

  /** Has the drawing called in the next frame, once, however often it is asked for. */
  request(draw: () => void): void {
    this.waiting.add(draw);
    if (this.requested) return;
    this.requested = true;
    requestAnimationFrame(() => this.run());
  }

  /** Counts work outside of a frame to the next one. */
  measured(work: () => void): void {
    const begin = performance.now();
    work();
    this.messagesMs += performance.now() - begin;
  }

  private run(): void {
    const begin = performance.now();
    this.requested = false;
    const drawings = [...this.waiting];
    this.waiting.clear();
    for (const draw of drawings) draw();
    this.times.push(performance.now() - begin + this.messagesMs);
    this.messagesMs = 0;
    if (this.times.length > 2 * kept) this.times.splice(0, kept);
  }
}
