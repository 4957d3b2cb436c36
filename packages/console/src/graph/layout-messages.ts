/** A graph to lay out; the first node stays in the middle. */
export interface LayoutRequest {
  readonly version: number;
  readonly ids: readonly string[];
  /** Indexes of nodes. */
  readonly links: readonly (readonly [source: number, target: number])[];
  /** Sends only the final positions. */
  readonly isStill: boolean;
}

export interface LayoutPositions {
  readonly version: number;
  /** x and y of each node, in the order of the request. */
  readonly positions: Float32Array<ArrayBuffer>;
  readonly isSettled: boolean;
}
