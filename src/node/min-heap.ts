/** Numbers of which the smallest comes out first. Its room is kept: it is filled and emptied over and over. */
export class MinHeap {
  #items = new Float64Array(256);
  #size = 0;

  push(value: number): void {
    if (this.#size === this.#items.length) this.#grow();
    const items = this.#items;
    let at = this.#size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent] ?? 0;
      if (above <= value) break;
      items[at] = above;
      at = parent;
    }
    items[at] = value;
  }

  pop(): number | undefined {
    if (this.#size === 0) return undefined;
    const items = this.#items;
    const smallest = items[0];
    const value = items[--this.#size] ?? 0;
    let at = 0;
    for (let child = 1; child < this.#size; child = 2 * at + 1) {
      const other = child + 1;
      if (other < this.#size && (items[other] ?? 0) < (items[child] ?? 0)) child = other;
      const below = items[child] ?? 0;
      if (below >= value) break;
      items[at] = below;
      at = child;
    }
    items[at] = value;
    return smallest;
  }

  #grow(): void {
    const larger = new Float64Array(this.#items.length * 2);
    larger.set(this.#items);
    this.#items = larger;
  }
}
