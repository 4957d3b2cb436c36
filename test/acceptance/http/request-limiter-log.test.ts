import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService('embedded', { env: { MNEME_REQUESTS_MAX: '1' } });
});
afterAll(() => service.stop());

it('who is turned away where too many are inside fills the log with no faults', async () => {
  const ask = () => service.client().request({ method: 'GET', path: '/memories' });
  const answers = await Promise.all(Array.from({ length: 50 }, ask));
  const away = answers.filter(({ status }) => status === 503);
  expect(away.length).toBeGreaterThan(0);
  const lines = await eventually(
    async () =>
      service.logLines.map((line) => JSON.parse(line) as { level: string; status?: number }),
    (found) => found.filter(({ status }) => status === 503).length === away.length,
  );
  expect(lines.filter(({ level }) => ['error', 'fatal'].includes(level))).toEqual([]);
});
