import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { findFreePort } from '../../support/free-port.ts';
import { type OtlpSink, type OtlpSpan, startOtlpSink } from '../../support/otlp-sink.ts';
import { waitForPeers } from '../../support/peer-processes.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';

/** Several processes need PostgreSQL; without it, the test is defined and does not run. */
const onServer = engines.includes('PostgreSQL');
const callerSpan = '00f067aa0ba902b7';

/** The span, what it is a part of, and so on. */
function pathTo(span: OtlpSpan, spans: readonly OtlpSpan[]): OtlpSpan[] {
  const parent = spans.find(
    ({ spanId, traceId }) => spanId === span.parentSpanId && traceId === span.traceId,
  );
  return [span, ...(parent === undefined ? [] : pathTo(parent, spans))];
}

describe.runIf(onServer).each(['PostgreSQL'] as const)(
  'traces of two processes on one %s',
  (engine) => {
    const cleanup = new AsyncDisposableStack();
    const clock = createFakeClock();
    let sink: OtlpSink;
    let services: readonly Service[];
    beforeAll(async () => {
      sink = cleanup.use(await startOtlpSink());
      const otel = { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url, OTEL_BSP_SCHEDULE_DELAY: '50' };
      // The exporter reads them itself.
      for (const [name, value] of Object.entries(otel)) vi.stubEnv(name, value);
      cleanup.defer(() => void vi.unstubAllEnvs());
      const startPeer = async (env: Record<string, string> = {}): Promise<Service> => {
        const port = String(await findFreePort());
        const own = { MNEME_PORT: port, MNEME_PEER_URL: `http://127.0.0.1:${port}` };
        const options = { env: { ...env, ...own, ...otel }, overrides: { clock } };
        const service = await startService(engine, options);
        cleanup.defer(() => service.stop());
        return service;
      };
      const first = await startPeer();
      const second = await startPeer({
        MNEME_DATABASE_URL: first.config.databaseUrl ?? '',
        MNEME_SECRET_KEY: first.running.context.app.secretKey,
      });
      services = [first, second];
      await waitForPeers(clock, services, 2);
    });
    afterAll(() => cleanup.disposeAsync());

    it('continue in the process that a search is forwarded to', async () => {
      const { key, client } = await (services[0] as Service).createAccount();
      await createMemory(client, 'The heron waits at the pond.');
      const traces = ['a', 'b'].map((digit) => digit.repeat(32));
      for (const [i, { url }] of services.entries()) {
        const headers = {
          authorization: `Bearer ${key}`,
          traceparent: `00-${traces[i]}-${callerSpan}-01`,
        };
        const response = await fetch(`${url}/v1/search?q=heron`, { headers });
        expect(((await response.json()) as { results: object[] }).results).toHaveLength(1);
      }

      // One of both forwards its search, of memories and of recordings.
      const spans = await eventually(
        async () => sink.spans().filter(({ traceId }) => traces.includes(traceId)),
        (all) =>
          all.filter(({ parentSpanId }) => parentSpanId === callerSpan).length === 2 &&
          all.filter(({ name }) => name === 'POST /internal/search').length === 2,
      );
      for (const span of spans.filter(({ name }) => name === 'POST /internal/search')) {
        const path = pathTo(span, spans);
        expect(path[1]?.name).toBe('forward search');
        expect(path.at(-1)).toMatchObject({ name: 'GET /v1/search', parentSpanId: callerSpan });
      }
    });
  },
);
