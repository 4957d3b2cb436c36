import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddingEndpoint } from '../../support/embedding-endpoint.ts';
import { eventually } from '../../support/eventually.ts';
import { startLanguageEndpoint } from '../../support/language-endpoint.ts';
import type { OtlpSink, OtlpSpan } from '../../support/otlp-sink.ts';
import { oneEngine } from '../../support/service.ts';
import { call, type Installation, install, post, words } from './otlp-server.ts';

const kinds = { internal: 1, server: 2, client: 3, consumer: 5 } as const;
const failed = 2;
const callerTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpan = '00f067aa0ba902b7';

/** Waits for a span, which arrives with the next batch. */
const waitForSpan = async (sink: OtlpSink, matches: (span: OtlpSpan) => boolean) =>
  (await eventually(
    async () => sink.spans().find(matches),
    (span) => span !== undefined,
  )) as OtlpSpan;

const childrenOf = (sink: OtlpSink, parent: OtlpSpan): OtlpSpan[] =>
  sink.spans().filter(({ parentSpanId }) => parentSpanId === parent.spanId);

const descendantsOf = (sink: OtlpSink, parent: OtlpSpan): OtlpSpan[] =>
  childrenOf(sink, parent).flatMap((child) => [child, ...descendantsOf(sink, child)]);

describe.each(oneEngine)('OTLP of a server on %s', (engine) => {
  let installed: Installation;
  let memory: { id: string };
  let space: { id: string };
  beforeAll(async () => {
    installed = await install(engine, {
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=team%20one',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    const { server } = installed;
    space = (await (
      await call(server, '/v1/spaces', post({ name: 'attic' }))
    ).json()) as typeof space;
    const created = await call(server, '/v1/memories', {
      ...post({ content: words, space_id: space.id, user_id: 'acme-user', tags: ['reed'] }),
      headers: { traceparent: `00-${callerTrace}-${callerSpan}-01` },
    });
    memory = (await created.json()) as typeof memory;
    await call(server, `/v1/search?q=${encodeURIComponent('where is the oboe?')}`);
    await call(server, `/v1/memories/${memory.id}`, {
      method: 'PATCH',
      body: JSON.stringify({ content: `${words} Still.` }),
    });
    await call(server, '/v1/memories/not-an-id');
    await call(server, '/nowhere/Zerbinetta');
    await call(server, '/livez');
    const tool = { name: 'recall', arguments: { query: 'where is the oboe?' } };
    await call(server, '/mcp', {
      ...post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }),
      headers: {
        'mcp-protocol-version': '2025-11-25',
        accept: 'application/json, text/event-stream',
      },
    });
    await call(server, `/v1/memories/${memory.id}`, { method: 'DELETE' });
    await waitForSpan(
      installed.sink,
      ({ name, parentSpanId }) => name.startsWith('DELETE /') && parentSpanId === '',
    );
  });
  afterAll(() => installed[Symbol.asyncDispose]());

  const rootOf = (name: string): Promise<OtlpSpan> =>
    waitForSpan(installed.sink, (span) => span.name === name && span.kind === kinds.server);

  it('has a span of each request, named after its route', async () => {
    const span = await rootOf('PATCH /v1/memories/:id');
    expect(span).toMatchObject({ parentSpanId: '', status: 0 });
    expect(span.attributes).toEqual({
      'http.request.method': 'PATCH',
      'http.route': '/v1/memories/:id',
      'http.response.status_code': 200,
      'url.scheme': 'http',
      'network.protocol.version': '1.1',
    });
  });

  it('continues the trace of traceparent', async () => {
    const span = await rootOf('POST /v1/memories');
    expect([span.traceId, span.parentSpanId]).toEqual([callerTrace, callerSpan]);
    const inner = descendantsOf(installed.sink, span);
    expect(inner.length).toBeGreaterThan(2);
    expect(new Set(inner.map(({ traceId }) => traceId))).toEqual(new Set([callerTrace]));
  });

  it.each([
    ['POST /v1/memories', 'create_memory'],
    ['GET /v1/search', 'search_memory'],
    ['PATCH /v1/memories/:id', 'update_memory'],
    ['DELETE /v1/memories/:id', 'delete_memory'],
    ['POST /v1/spaces', 'create_memory_store'],
    ['POST /mcp', 'search_memory'],
  ])('has the operation of %s by the conventions for memory: %s', async (request, name) => {
    const span = childrenOf(installed.sink, await rootOf(request)).find((one) => one.name === name);
    expect(span?.kind).toBe(kinds.internal);
    const isStore = name === 'create_memory_store';
    expect(span?.attributes).toEqual({
      'gen_ai.operation.name': name,
      ...(isStore ? {} : { 'gen_ai.memory.record.count': 1 }),
      ...(isStore || name === 'search_memory' ? {} : { 'gen_ai.memory.record.id': memory.id }),
    });
  });

  it('has spans of transactions, statements and stages of a search', async () => {
    const created = descendantsOf(installed.sink, await rootOf('POST /v1/memories'));
    const transaction = created.find(({ name }) => name === 'transaction');
    expect(transaction?.kind).toBe(kinds.client);
    expect(transaction?.attributes).toEqual({
      'db.system.name': 'postgresql',
      'db.operation.name': 'TRANSACTION',
      'mneme.db.statements': expect.any(Number),
    });
    expect(transaction?.attributes['mneme.db.statements']).toBeGreaterThan(1);
    const read = created.find(({ name }) => name === 'SELECT account_positions');
    expect(read?.attributes).toEqual({
      'db.system.name': 'postgresql',
      'db.operation.name': 'SELECT',
      'db.collection.name': 'account_positions',
      'db.query.summary': 'SELECT account_positions',
    });
    const searched = descendantsOf(installed.sink, await rootOf('GET /v1/search'));
    const names = searched.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['search embed', 'search rank', 'search read']));
    const embedding = searched.find(({ attributes }) => 'gen_ai.request.model' in attributes);
    expect(embedding?.attributes['gen_ai.operation.name']).toBe('embeddings');
    expect(embedding?.name).toBe(`embeddings ${embedding?.attributes['gen_ai.request.model']}`);
  });

  it('has a trace of each job, outside of the requests that queue it', async () => {
    const job = await waitForSpan(installed.sink, ({ name }) => name.startsWith('job '));
    expect(job).toMatchObject({ kind: kinds.consumer, parentSpanId: '' });
    expect(job.attributes).toEqual({
      'mneme.job.kind': job.name.replace('job ', ''),
      'mneme.job.outcome': expect.stringMatching(/^(?:completed|continued|retried)$/),
    });
  });

  it('links a job with the request that queued it', async () => {
    const { sink, server } = installed;
    await call(server, '/v1/admin/verifications', post({}));
    const request = await rootOf('POST /v1/admin/verifications');
    const job = await waitForSpan(sink, ({ links }) => links[0]?.traceId === request.traceId);
    expect(job).toMatchObject({ name: 'job operations.verify', parentSpanId: '' });
    expect(job.traceId).not.toBe(request.traceId);
    const spans = [request, ...descendantsOf(sink, request)].map(({ spanId }) => spanId);
    expect(spans).toContain(job.links[0]?.spanId);
  });

  it('has no span of a probe, and no path of a request without a route', () => {
    const names = installed.sink.spans().map(({ name }) => name);
    expect(names.filter((name) => name.includes('livez'))).toEqual([]);
    expect(names).toContain('GET');
  });

  it('has each line of the log as a record with the ids of its trace', async () => {
    const span = await rootOf('POST /v1/memories');
    const record = await eventually(
      async () => installed.sink.logs().find((one) => one.spanId === span.spanId),
      (one) => one !== undefined,
    );
    expect(record).toMatchObject({ traceId: callerTrace, severity: 9, body: 'request' });
    expect(record?.attributes).toMatchObject({ method: 'POST', status: 201 });
    const line = installed.server
      .output()
      .split('\n')
      .find((one) => one.includes(callerTrace));
    expect(JSON.parse(line ?? '')).toMatchObject({
      msg: 'request',
      trace_id: callerTrace,
      span_id: span.spanId,
    });
  });

  it('says which service it is, and sends the headers of the collector', () => {
    const { sink } = installed;
    for (const attributes of sink.resources()) {
      expect(attributes).toEqual({
        'service.name': 'mneme',
        'service.version': expect.stringMatching(/^\d+\.\d+\.\d+/),
        'service.instance.id': expect.any(String),
        'deployment.environment.name': 'test',
      });
    }
    const [request] = sink.requests;
    expect(request?.headers).toMatchObject({
      'x-tenant': 'team one',
      'content-type': 'application/x-protobuf',
    });
  });

  it('sends what is left when it stops: the metrics of /metrics, and the last line', async () => {
    const { server, sink } = installed;
    expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 });
    expect(sink.logs().some(({ body }) => body === 'stopping')).toBe(true);
    const metrics = sink.metrics();
    const byName = (name: string) => metrics.find((one) => one.name === name);
    const requests = byName('mneme_http_request_duration_seconds');
    expect(requests).toMatchObject({ kind: 'histogram', unit: 's' });
    const created = requests?.points.find(
      ({ attributes }) => attributes.operation === 'memories.create',
    );
    expect(created).toMatchObject({
      attributes: { operation: 'memories.create', status: '201' },
      count: 1,
    });
    expect(created?.buckets).toHaveLength((created?.bounds.length ?? 0) + 1);
    expect(created?.buckets.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(created?.value).toBeGreaterThan(0);
    expect(byName('mneme_events_total')).toMatchObject({ kind: 'sum', isMonotonic: true });
    expect(byName('process_resident_memory_bytes')).toMatchObject({ kind: 'gauge', unit: 'By' });
  });

  it('sends no texts, and no names or ids of tenants, in any signal', async () => {
    const text = installed.sink.text();
    expect(text).toContain(memory.id);
    expect(text).not.toMatch(/oboe|Zerbinetta|attic|acme|reed/i);
    expect(text).not.toContain(space.id);
    expect(text).not.toContain(installed.server.adminKey);
    const output = installed.server.output();
    for (const [, account] of output.matchAll(/"account(?:Id)?":"([^"]+)"/g)) {
      expect(text).not.toContain(account);
    }
  });
});

describe.each(oneEngine)('OTLP on %s', (engine) => {
  it('is JSON with http/json, and has contents if they are asked for', async () => {
    await using language = await startLanguageEndpoint();
    await using embedding = await startEmbeddingEndpoint();
    await using installed = await install(engine, {
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      MNEME_LLM_URL: language.url,
      MNEME_LLM_MODEL: 'model-l',
      MNEME_EMBEDDING_PROVIDER: 'openai',
      MNEME_EMBEDDING_URL: embedding.url,
      MNEME_EMBEDDING_MODEL: 'model-e',
      MNEME_EMBEDDING_RESET: 'true',
    });
    const { server, sink } = installed;
    await call(server, '/v1/memories', post({ content: words }));
    await call(server, '/v1/search?q=where+is+the+oboe&rewrite=true');
    const search = await waitForSpan(sink, ({ name }) => name === 'search_memory');
    expect(search.attributes).toMatchObject({
      'gen_ai.memory.query.text': 'where is the oboe',
      'gen_ai.memory.records': expect.stringContaining(words),
    });
    const calls = descendantsOf(sink, search).filter(({ kind, attributes }) => {
      return kind === kinds.client && 'gen_ai.operation.name' in attributes;
    });
    const { hostname, port } = new URL(embedding.url);
    const byName = new Map(calls.map((span) => [span.name, span.attributes]));
    expect(byName.get('embeddings model-e')).toEqual({
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'model-e',
      'server.address': hostname,
      'server.port': Number(port),
    });
    expect(byName.get('chat model-l')).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'model-l',
      'gen_ai.usage.input_tokens': 21,
      'gen_ai.usage.output_tokens': 4,
    });
    expect(new Set(sink.requests.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
    expect(sink.requests[0]?.headers['content-type']).toBe('application/json');
  });

  it('names the trace of a delivery to the webhook', async () => {
    const received: IncomingHttpHeaders[] = [];
    const receiver = createServer((request, response) => {
      received.push(request.headers);
      response.writeHead(received.length === 1 ? 200 : 500).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    await using installed = await install(engine, {
      MNEME_WEBHOOK_ALLOW_HTTP: 'true',
      MNEME_WEBHOOK_ALLOW_PRIVATE: 'true',
    });
    const { server, sink } = installed;
    const url = `http://127.0.0.1:${port}/hook`;
    await call(server, '/v1/webhooks', post({ url, events: ['memory.created'] }));
    await call(server, '/v1/memories', post({ content: words }));
    await call(server, '/v1/memories', post({ content: `${words} Again.` }));
    const delivery = await waitForSpan(sink, ({ name }) => name === 'webhook delivery');
    expect(delivery).toMatchObject({ kind: kinds.client, parentSpanId: '', status: 0 });
    expect(delivery.attributes).toMatchObject({
      'http.response.status_code': 200,
      'mneme.event.type': 'memory.created',
    });
    expect(received[0]?.traceparent).toBe(`00-${delivery.traceId}-${delivery.spanId}-01`);
    const other = await waitForSpan(
      sink,
      ({ name, spanId }) => name === 'webhook delivery' && spanId !== delivery.spanId,
    );
    expect(other).toMatchObject({ status: failed, attributes: { 'error.type': '500' } });
    receiver.closeAllConnections();
    receiver.close();
  });

  it('does not stop the service when the collector fails, and logs the outage once', async () => {
    await using installed = await install(engine, {
      OTEL_METRIC_EXPORT_INTERVAL: '100',
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    });
    const { server, sink } = installed;
    sink.respondWith(400);
    const count = (): number => server.output().split('telemetry export failed').length - 1;
    await server.waitForOutput(/telemetry export failed/);
    for (let i = 0; i < 20; i += 1) {
      const created = await call(server, '/v1/memories', post({ content: `${words} ${i}` }));
      expect(created.status).toBe(201);
    }
    const before = sink.requests.length;
    await eventually(
      async () => sink.requests.length,
      (requests) => requests > before + 5,
    );
    expect(count()).toBe(1);
    sink.respondWith(200);
    await server.waitForOutput(/telemetry export resumed/);
    await waitForSpan(sink, ({ name }) => name !== '');
  });

  it.each([
    ['no collector listens', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }],
    ['the collector does not respond', {}],
  ])('works, and ends in time, when %s', async (_, settings) => {
    await using installed = await install(engine, settings);
    const { server, sink } = installed;
    sink.respondWith(null);
    const created = await call(server, '/v1/memories', post({ content: words }));
    expect(created.status).toBe(201);
    const startedMs = performance.now();
    expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 });
    // Without a limit, exports are tried for ten seconds, one after the other.
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });

  it('records no trace that the sampler leaves out', async () => {
    await using installed = await install(engine, { OTEL_TRACES_SAMPLER: 'always_off' });
    const { server, sink } = installed;
    expect((await call(server, '/v1/memories', post({ content: words }))).status).toBe(201);
    expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 });
    expect(sink.spans()).toEqual([]);
    expect(server.output()).not.toContain('"trace_id"');
    expect(sink.metrics().length).toBeGreaterThan(10);
  });
});
