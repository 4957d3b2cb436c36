import { useEffect, useRef, useState } from 'react';
import { createLayoutWorker } from './create-layout-worker.ts';
import type { Point } from './direction.ts';
import type { LayoutPositions } from './layout-messages.ts';
import type { Graph } from './merge-graph.ts';

export interface Layout {
  readonly positions: ReadonlyMap<string, Point>;
  readonly isSettled: boolean;
}

const noLayout: Layout = { positions: new Map(), isSettled: false };

/** Positions of the nodes, which a worker computes while the graph is shown. */
export function useLayout(graph: Graph): Layout {
  const [layout, setLayout] = useState(noLayout);
  const worker = useRef<Worker | undefined>(undefined);
  const requested = useRef<{ readonly version: number; readonly ids: readonly string[] }>({
    version: 0,
    ids: [],
  });
  useEffect(() => {
    const created = createLayoutWorker();
    worker.current = created;
    created.onmessage = ({ data }: MessageEvent<LayoutPositions>) => {
      const { version, ids } = requested.current;
      if (data.version !== version) return;
      const positions = new Map(
        ids.map((id, i) => [
          id,
          { x: data.positions[2 * i] ?? 0, y: data.positions[2 * i + 1] ?? 0 },
        ]),
      );
      setLayout({ positions, isSettled: data.isSettled });
    };
    return () => created.terminate();
  }, []);
  useEffect(() => {
    const ids = graph.nodes.map(({ id }) => id);
    if (ids.length === 0) return;
    const indexes = new Map(ids.map((id, i) => [id, i]));
    const version = requested.current.version + 1;
    requested.current = { version, ids };
    const links = graph.edges.map(
      ({ source_id, target_id }) =>
        [indexes.get(source_id) ?? 0, indexes.get(target_id) ?? 0] as const,
    );
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    worker.current?.postMessage({ version, ids, links, isStill });
    setLayout((before) => ({ ...before, isSettled: false }));
  }, [graph]);
  return layout;
}
