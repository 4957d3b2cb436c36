import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openTestEmbedded,
  overrideEngine,
  type TestEngine,
} from '../../../packages/server/src/database/testing.ts';
import { metricDefinitions } from '../../../packages/server/src/kernel/metrics/definitions.ts';
import { alertQueries, dashboardQueries } from '../../support/monitoring-queries.ts';
import {
  type MetricFamily,
  type MetricSample,
  parseMetrics,
} from '../../support/prometheus-text.ts';
import { engines, oneEngine, type Service, startService } from '../../support/service.ts';

const read = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe.each(engines)('metrics on %s', (engine) => {
  let service: Service;
  let key = '';
  beforeAll(async () => {
    service = await startService(engine, { isExclusive: true });
    ({ key } = await service.createAccount());
    const client = service.client(key);
    const content = 'Zerbinetta keeps her oboe in Ghent.';
    await client.memories.create({ body: { content, tags: ['attic'], user_id: 'acme-user' } });
    await client.search.get({ query: { q: 'where is the oboe?' } });
    const unknown = client.memories.get({ params: { id: 'not-an-id' } });
    await expect(unknown).rejects.toMatchObject({ status: 404 });
    await service.running.context.worker.drain();
  });
  afterAll(() => service.stop());

  const readFamilies = async (): Promise<Map<string, MetricFamily>> => {
    const answer = await read(`${service.url}/metrics`, {
      authorization: `Bearer ${service.adminKey}`,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    return parseMetrics(answer.text);
  };
  const samples = (families: Map<string, MetricFamily>, name: string): readonly MetricSample[] =>
    families.get(name.replace(/_count$/, ''))?.samples.filter((one) => one.name === name) ?? [];

  it('have a type and a description each, and buckets that add up', async () => {
    const families = await readFamilies();
    expect([...families.keys()].sort()).toEqual(Object.keys(metricDefinitions).sort());
    for (const { name, type, help, samples: all } of families.values()) {
      const definition = metricDefinitions[name as keyof typeof metricDefinitions];
      expect({ name, type, help }).toEqual({
        name,
        type: definition.kind,
        help: definition.description,
      });
      for (const sample of all.filter((one) => one.name.endsWith('_bucket'))) {
        const { le, ...labels } = sample.labels;
        const count = all.find(
          (one) =>
            one.name === `${name}_count` && JSON.stringify(one.labels) === JSON.stringify(labels),
        );
        expect(sample.value).toBeLessThanOrEqual(count?.value ?? -1);
        if (le === '+Inf') expect(sample.value).toBe(count?.value);
      }
    }
  });

  it('count requests by operation and status, stages of searches, events and jobs', async () => {
    const families = await readFamilies();
    const requests = samples(families, 'mneme_http_request_duration_seconds_count');
    const countOf = (operation: string, status: string): number | undefined =>
      requests.find(({ labels }) => labels.operation === operation && labels.status === status)
        ?.value;
    expect(countOf('memories.create', '201')).toBe(1);
    expect(countOf('search.get', '200')).toBe(1);
    expect(countOf('memories.get', '404')).toBe(1);
    const stages = samples(families, 'mneme_search_stage_duration_seconds_count');
    const stageNames = stages.map(({ labels }) => labels.stage);
    expect(stageNames).toEqual(expect.arrayContaining(['embed', 'rank', 'read']));
    const created = samples(families, 'mneme_events_total').find(
      ({ labels }) => labels.type === 'memory.created',
    );
    expect(created?.value).toBe(1);
    expect(samples(families, 'mneme_index_accounts')[0]?.value).toBe(1);
    const runs = samples(families, 'mneme_job_duration_seconds_count');
    expect(runs.some(({ labels }) => labels.outcome === 'completed')).toBe(true);
  });

  it('describe the process, its checks and its database', async () => {
    const families = await readFamilies();
    const [build] = samples(families, 'mneme_build_info');
    expect(build).toMatchObject({ value: 1, labels: { version: '0.0.0-test' } });
    const checks = samples(families, 'mneme_health_check');
    expect(checks).toContainEqual(
      expect.objectContaining({ labels: { check: 'database' }, value: 1 }),
    );
    const threads = samples(families, 'mneme_thread_heap_bytes').map(({ labels }) => labels.thread);
    expect(threads).toEqual(expect.arrayContaining(['main', 'mneme-search']));
    expect(samples(families, 'process_resident_memory_bytes')[0]?.value).toBeGreaterThan(1e7);
    expect(samples(families, 'mneme_disk_free_bytes')[0]?.value).toBeGreaterThan(0);
    const states = samples(families, 'mneme_database_connections').map(
      ({ labels }) => labels.state,
    );
    expect(states.sort()).toEqual(engine === 'embedded' ? [] : ['busy', 'idle', 'waiting']);
    expect(samples(families, 'mneme_metrics_failures_total')).toMatchObject([{ value: 0 }]);
  });

  it('have no value for what is not there: a backup, or a pool when embedded', async () => {
    const families = await readFamilies();
    expect(samples(families, 'mneme_last_backup_timestamp_seconds')).toEqual([]);
    expect(samples(families, 'mneme_database_connections_max')).toHaveLength(
      engine === 'embedded' ? 0 : 1,
    );
  });

  it('contain nothing of a tenant, only the labels that are documented', async () => {
    const { text } = await read(`${service.url}/v1/metrics`, {
      authorization: `Bearer ${service.adminKey}`,
    });
    expect(text).not.toMatch(/oboe|Zerbinetta|attic|acme|[0-9a-f]{8}-[0-9a-f]{4}-7/i);
    for (const { name, samples: all } of parseMetrics(text).values()) {
      const definition = metricDefinitions[name as keyof typeof metricDefinitions];
      const allowed: readonly string[] = 'labels' in definition ? definition.labels : [];
      const used = new Set(all.flatMap(({ labels }) => Object.keys(labels)));
      used.delete('le');
      expect([...used].filter((label) => !allowed.includes(label))).toEqual([]);
    }
  });

  it('are read by operators alone', async () => {
    for (const path of ['/metrics', '/v1/metrics']) {
      expect((await read(`${service.url}${path}`)).status).toBe(401);
      const asAccount = await read(`${service.url}${path}`, { authorization: `Bearer ${key}` });
      expect(asAccount.status).toBe(403);
    }
  });
});

describe.each(oneEngine)('the port for metrics on %s', (engine) => {
  let service: Service;
  let base = '';
  beforeAll(async () => {
    service = await startService(engine, { env: { MNEME_METRICS_PORT: '0' } });
    base = `http://127.0.0.1:${service.running.metricsPort}`;
  });
  afterAll(() => service.stop());

  it('serves metrics and probes without a key', async () => {
    const metrics = await read(`${base}/metrics`);
    expect(metrics.status).toBe(200);
    expect(parseMetrics(metrics.text).has('mneme_build_info')).toBe(true);
    expect(JSON.parse((await read(`${base}/livez`)).text)).toEqual({ alive: true });
    expect(JSON.parse((await read(`${base}/readyz`)).text)).toMatchObject({ ready: true });
  });

  it('serves nothing else', async () => {
    for (const path of ['/', '/v1/metrics', '/v1/memories', '/health', '/metrics/x']) {
      expect((await read(`${base}${path}`)).status).toBe(404);
    }
    const posted = await fetch(`${base}/metrics`, { method: 'POST', body: 'x' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('probes', () => {
  let opened: TestEngine;
  let service: Service;
  let pings = 0;
  let isDown = false;
  beforeAll(async () => {
    const migrations = new URL('../../../packages/server/migrations', import.meta.url);
    opened = await openTestEmbedded({ migrations: fileURLToPath(migrations) });
    const engine = overrideEngine(opened.engine, {
      ping: () => {
        pings += 1;
        return isDown ? Promise.reject(new Error('gone at db:5432')) : opened.engine.ping();
      },
    });
    service = await startService('embedded', { overrides: { engine } });
  });
  afterAll(async () => {
    await service.stop();
    await opened.cleanup();
  });

  it.each(['', '/v1'])('GET %s/livez responds without the database', async (prefix) => {
    isDown = true;
    pings = 0;
    const { status, text } = await read(`${service.url}${prefix}/livez`);
    expect([status, JSON.parse(text)]).toEqual([200, { alive: true }]);
    expect(pings).toBe(0);
  });

  it.each(['', '/v1'])('GET %s/readyz tells what is not ready', async (prefix) => {
    isDown = true;
    const down = await read(`${service.url}${prefix}/readyz`);
    expect([down.status, JSON.parse(down.text)]).toEqual([
      503,
      {
        ready: false,
        checks: {
          database: { ok: false, detail: 'The database does not respond.' },
          schema: { ok: true },
          shutdown: { ok: true },
        },
      },
    ]);
    isDown = false;
    const up = await read(`${service.url}${prefix}/readyz`);
    expect([up.status, JSON.parse(up.text)]).toEqual([
      200,
      {
        ready: true,
        checks: {
          database: { ok: true, wait_ms: expect.any(Number) },
          schema: { ok: true },
          shutdown: { ok: true },
        },
      },
    ]);
  });
});

const functions = /^(?:sum|max|min|by|rate|increase|time|topk|histogram_quantile|bool|le|and|or)$/;

describe('dashboards and alert rules', () => {
  const all = [...dashboardQueries(), ...alertQueries()];
  it.each(all)('%s queries metrics and labels that exist: %s', (_, query) => {
    const names = query.match(/\b(?:mneme|process)_\w+/g) ?? [];
    const known = names.map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
    const definitions = known.flatMap((name) =>
      name in metricDefinitions ? [metricDefinitions[name as keyof typeof metricDefinitions]] : [],
    );
    expect(definitions).toHaveLength(known.length);
    const labels = definitions.flatMap((one) => ('labels' in one ? [...one.labels] : []));
    const allowed = new Set<string>([...labels, 'instance', 'job', 'up', ...names]);
    const words = query.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/[a-z_]{2,}/g) ?? [];
    expect(words.filter((word) => !allowed.has(word) && !functions.test(word))).toEqual([]);
  });
});
