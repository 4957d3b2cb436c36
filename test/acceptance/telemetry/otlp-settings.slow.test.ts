import { describe, expect, it } from 'vitest';
import { oneEngine } from '../../support/service.ts';
import { call, install, post, words } from './otlp-server.ts';

/**
 * Reports the modules of OpenTelemetry that are loaded, alone or in the bundled program.
 * prom-client loads the API, not the SDK.
 */
const reportModules = `import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    if (/@opentelemetry\\/(?!api\\/)|\\/otlp-telemetry-/.test(url)) console.error('loaded ' + url);
    return next(url, context);
  },
});`;
const reporting = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(reportModules)}`,
};

describe.each(oneEngine)('invalid variables of OpenTelemetry on %s', (engine) => {
  it('are named once in the output, and their defaults are used', async () => {
    await using installed = await install(engine, {
      ...reporting,
      OTEL_TRACES_SAMPLER: 'sometimes',
      OTEL_BSP_SCHEDULE_DELAY: '0',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'GZIP',
      OTEL_LOGS_EXPORTER: 'none',
    });
    const { server, sink } = installed;
    expect((await call(server, '/v1/memories', post({ content: words }))).status).toBe(201);
    expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 });
    expect(sink.spans().map(({ name }) => name)).toContain('POST /v1/memories');
    expect(sink.requests[0]?.headers['content-encoding']).toBe('gzip');
    // What the tests below find nowhere is found with a collector.
    expect(server.output()).toContain('loaded file:');
    expect(server.output()).toContain('"trace_id"');
    const warnings = server.output().match(/^mneme: OTEL_.*$/gm);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^mneme: OTEL_TRACES_SAMPLER must be .*: parentbased_always_on is used/,
      ),
      expect.stringMatching(/^mneme: OTEL_BSP_SCHEDULE_DELAY must be .*: 5000 is used instead$/),
    ]);
  });
});

describe.each(oneEngine)('without a collector on %s', (engine) => {
  it.each([
    ['no endpoint is set', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    ['OTEL_SDK_DISABLED=true', { OTEL_SDK_DISABLED: 'true' }],
  ])('no modules of OpenTelemetry are loaded: %s', async (_, settings) => {
    await using installed = await install(engine, { ...reporting, ...settings });
    const { server, sink } = installed;
    expect((await call(server, '/v1/memories', post({ content: words }))).status).toBe(201);
    expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 });
    expect(server.output()).not.toContain('loaded file:');
    expect(sink.requests).toEqual([]);
    expect(server.output()).not.toContain('"trace_id"');
  });
});
