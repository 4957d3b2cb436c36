/** Names the part of the service that a stop waits for. */
export class ShutdownStages {
  readonly #names: string[] = [];

  /**
   * Everything that is put into the stack from now on, up to the next stage, belongs to this stage:
   * a stack disposes in reverse order.
   */
  begin(stack: AsyncDisposableStack, name: string): void {
    this.#names.push(name);
    stack.defer(() => {
      this.#names.pop();
    });
  }

  /** The stage that is being disposed, or will be first; null: all are disposed. */
  get current(): string | null {
    return this.#names.at(-1) ?? null;
  }
}
