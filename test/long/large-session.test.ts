import { describe, expect, it } from 'vitest';
import {
  createLargeSession,
  requestStream,
  streamedReads,
} from '../acceptance/activation/large-session.ts';
import { createDataLocation, startServerProcess } from '../support/server-process.ts';
import { engines } from '../support/service.ts';

describe.each(engines)('A session of many large memories on %s', (engine) => {
  it('is exported and reported by a process that could never hold it', async () => {
    const place = await createDataLocation(engine);
    try {
      const count = 150;
      const env = { MNEME_LOG_LEVEL: 'warn', MNEME_EMBEDDING_PROVIDER: '' };
      let id = '';
      {
        await using server = await startServerProcess(place, { env });
        id = await createLargeSession(server.client(), count);
        await server.kill('SIGTERM');
      }
      const small = { ...env, NODE_OPTIONS: '--max-old-space-size=100' };
      await using server = await startServerProcess(place, { env: small });
      for (const read of streamedReads) {
        const answer = await requestStream(server.url, server.adminKey, `${id}/${read}`);
        expect(answer.status).toBe(200);
        expect(await answer.byteLength(), read).toBeGreaterThan(count * 1_000_000);
      }
    } finally {
      await place.remove();
    }
  }, 240_000);
});
