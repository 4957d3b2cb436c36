import type { CopyConnection } from '../backup/copy-connection.ts';
import { EngineClosed } from '../errors.ts';
import type { SessionHandle } from './driver.ts';

/** Wraps the only connection for COPY statements; `release` returns it. */
export function createCopyConnection(session: SessionHandle, release: () => void): CopyConnection {
  let isOpen = true;
  function requireOpen(): SessionHandle {
    if (!isOpen) throw new EngineClosed();
    return session;
  }
  return {
    query: async <R>(sql: string) => (await requireOpen().query(sql, [])).rows as R[],
    copyOut: (sql) => requireOpen().copyOut(sql),
    async copyIn(sql, content) {
      const { tag } = await requireOpen().copyIn(sql, await readAll(content));
      return Number(/^COPY (\d+)$/.exec(tag)?.[1] ?? 0);
    },
    async [Symbol.asyncDispose]() {
      if (!isOpen) return;
      isOpen = false;
      try {
        // Outside a transaction this only causes a notice.
        if (!session.isLost) await session.query('rollback', []);
      } finally {
        release();
      }
    },
  };
}

async function readAll(content: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return chunks;
}
