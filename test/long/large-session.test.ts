import { describe, expect, it } from 'vitest';
import { ask, largeSession, reads } from '../acceptance/activation/large.ts';
import { makePlace, startProcess } from '../support/process.ts';
import { engines } from '../support/service.ts';

describe.each(engines)('A session of many large memories on %s', (engine) => {
  it('is exported and reported by a process that could never hold it', async () => {
    const place = await makePlace(engine);
    try {
      const count = 150;
      const env = { MNEME_LOG_LEVEL: 'warn' };
      let id = '';
      {
        await using server = await startProcess(place, { env });
        id = await largeSession(server.client(), count);
        await server.kill('SIGTERM');
      }
      const small = { ...env, NODE_OPTIONS: '--max-old-space-size=100' };
      await using server = await startProcess(place, { env: small });
      for (const read of reads) {
        const answer = await ask(server.url, server.adminKey, `${id}/${read}`);
        expect(answer.status).toBe(200);
        expect(await answer.length(), read).toBeGreaterThan(count * 1_000_000);
      }
    } finally {
      await place.remove();
    }
  }, 240_000);
});
