/** A binary heap of numbers that returns the least one first. */
export class MinHeap {
  readonly #items: number[] = [];

  push(item: number): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent] as number;
      if (above <= item) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  /** Removes the least number and returns it; undefined if there is none. */
  pop(): number | undefined {
    const items = this.#items;
    const least = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return least;
    let at = 0;
    for (let child = 1; child < items.length; child = 2 * at + 1) {
      const right = child + 1;
      if (right < items.length && (items[right] as number) < (items[child] as number)) {
        child = right;
      }
      const below = items[child] as number;
      if (last <= below) break;
      items[at] = below;
      at = child;
    }
    items[at] = last;
    return least;
  }
}
