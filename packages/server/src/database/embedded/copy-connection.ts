import type { CopyConnection } from '../backup/copy-connection.ts';
import { EngineClosed } from '../errors.ts';
import type { SessionHandle } from './driver.ts';

/** The one connection, for COPY statements; `release` gives it back. */
export function createCopyConnection(
  conversation: SessionHandle,
  release: () => void,
): CopyConnection {
  let isOpen = true;
  function opened(): SessionHandle {
    if (!isOpen) throw new EngineClosed();
    return conversation;
  }
  return {
    query: async <R>(sql: string) => (await opened().query(sql, [])).rows as R[],
    copyOut: (sql) => opened().copyOut(sql),
    async copyIn(sql, content) {
      const { tag } = await opened().copyIn(sql, await readAll(content));
      return Number(/^COPY (\d+)$/.exec(tag)?.[1] ?? 0);
    },
    async [Symbol.asyncDispose]() {
      if (!isOpen) return;
      isOpen = false;
      try {
        // No effect outside of a transaction but a notice.
        if (!conversation.isLost) await conversation.query('rollback', []);
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
