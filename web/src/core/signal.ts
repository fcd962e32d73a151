/** Something that happens, and who wants to know. */
export class Signal<Value = void> {
  private readonly listeners: ((value: Value) => void)[] = [];

  subscribe(listener: (value: Value) => void): void {
    this.listeners.push(listener);
  }
  emit(value: Value): void {
    for (const listener of this.listeners) listener(value);
  }
}
