import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openTestEmbedded,
  overrideEngine,
  type TestEngine,
} from '../../../packages/server/src/database/testing.ts';
import { type Service, startService } from '../../support/service.ts';

const migrations = fileURLToPath(new URL('../../../packages/server/migrations', import.meta.url));

describe('a service whose database does not answer', () => {
  let opened: TestEngine;
  let service: Service;
  let answers = true;

  beforeAll(async () => {
    opened = await openTestEmbedded({ migrations });
    const { engine: real } = opened;
    const engine = overrideEngine(real, {
      ping: () => (answers ? real.ping() : Promise.reject(new Error('gone at db:5432'))),
    });
    service = await startService('embedded', { overrides: { engine } });
  });
  afterAll(async () => {
    answers = true;
    await service.stop();
    await opened.cleanup();
  });

  it.each(['/health', '/v1/health'])('answers GET %s with 503 and what is wrong', async (path) => {
    answers = false;
    const response = await fetch(`${service.url}${path}`);
    expect(response.status).toBe(503);
    const body = (await response.json()) as object;
    expect(body).toMatchObject({
      status: 'unavailable',
      checks: { database: { ok: false, detail: expect.any(String) } },
    });
    expect(JSON.stringify(body)).not.toContain('gone at');
  });

  it.each(['/ready', '/v1/ready'])('wants no requests: GET %s is 503', async (path) => {
    answers = false;
    const response = await fetch(`${service.url}${path}`);
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ ready: false });
  });

  it('is well and ready again as soon as the database is', async () => {
    answers = true;
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    expect((await fetch(`${service.url}/ready`)).status).toBe(200);
  });
});
