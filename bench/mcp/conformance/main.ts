/**
 * Runs the conformance suite of the Model Context Protocol: `npm run conformance:mcp`. It tests
 * Mneme's own server, and a fixture with the tools that most scenarios call, on the same HTTP
 * server. Fails if a scenario fails that is not in `notApplicable`.
 */

import { spawn } from 'node:child_process';
import fs from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { readConfig } from '../../../packages/server/src/kernel/config.ts';
import { serve } from '../../../packages/server/src/serve.ts';
import { createFixtureServer } from './fixture.ts';

const suite = '@modelcontextprotocol/conformance@0.2.0-alpha.11';
const revisions = ['2025-11-25', '2026-07-28'] as const;
const targets = ['Mneme', 'fixture'] as const;
type Target = (typeof targets)[number];

/** Scenarios of what Mneme does not offer, and says so in its capabilities; with the reason. */
const notApplicable: readonly (readonly [names: RegExp, reason: string])[] = [
  [/^logging-|with-logging$/, 'no capability `logging`: no tool logs to the client'],
  [/^completion-/, 'no capability `completions`'],
  [/sampling|elicitation|list-roots|^input-required/, 'no tool asks the client for anything'],
  [/^resources-(un)?subscribe$/, 'no capability `resources.subscribe`'],
  [/with-progress$|^server-sse/, 'each call is answered by one JSON message, without a stream'],
  [/^tasks-/, 'no extension `tasks`'],
  [/^server-session-/, 'no sessions: each request stands for itself'],
  [/^http-custom-header/, 'no tool takes arguments from headers'],
];

/** Checks of `server-stateless` about what Mneme does not offer, by the end of their ids. */
const notApplicableChecks: readonly (readonly [ids: RegExp, reason: string])[] = [
  [/undeclared-capability$|capability-http-400$/, 'no tool needs a capability of the client'],
  [/independent-requests-on-stream$/, 'no streams'],
  [/no-log-without-loglevel$/, 'no tool logs to the client'],
  [/subscription-(ack|id)$/, 'no subscriptions'],
];

/** Scenarios that need what only the fixture has. */
const needsFixture = /^(tools-call|resources-read|resources-templates|prompts-get|json-schema)-/;

const reasonFor = (
  reasons: readonly (readonly [RegExp, string])[],
  name: string,
): string | undefined => reasons.find(([names]) => names.test(name))?.[1];

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** Adds the key to each request, because the suite sends none. */
async function startProxy(url: string, key: string): Promise<http.Server> {
  const { hostname, port } = new URL(url);
  const proxy = http.createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${key}` };
    const { method, url: target } = request;
    const forwarded = http.request({ hostname, port, method, path: target, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}

async function runSuite(url: string, revision: string, folder: string): Promise<void> {
  const parameters = ['--yes', suite, 'server', '--url', url];
  const child = spawn('npx', [...parameters, '--requirements', revision, '-o', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
}

/** The checks of each scenario. */
async function readResults(folder: string): Promise<Map<string, Check[]>> {
  const results = new Map<string, Check[]>();
  for (const name of await fs.readdir(folder)) {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    const checks = await fs.readFile(path.join(folder, name, 'checks.json'), 'utf8');
    results.set(scenario, JSON.parse(checks));
  }
  return results;
}

async function test(target: Target, revision: string): Promise<Map<string, Check[]>> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-conformance-'));
  const { config } = readConfig({
    MNEME_PORT: '0',
    MNEME_DATA_DIR: path.join(folder, 'data'),
    MNEME_LOG_LEVEL: 'error',
    MNEME_EMBEDDING_PROVIDER: 'static',
  });
  const isFixture = target === 'fixture';
  const overrides = isFixture ? { createProtocolServer: createFixtureServer } : {};
  const running = await serve(config, '0.0.0', overrides);
  const proxy = await startProxy(running.url, running.context.firstKey?.key ?? '');
  try {
    const { port } = proxy.address() as AddressInfo;
    await runSuite(`http://127.0.0.1:${port}/mcp`, revision, path.join(folder, 'results'));
    return await readResults(path.join(folder, 'results'));
  } finally {
    proxy.closeAllConnections();
    proxy.close();
    await running.stop();
    await fs.rm(folder, { recursive: true });
  }
}

const missing: readonly Check[] = [{ id: 'result', status: 'FAILURE', errorMessage: 'is missing' }];

/** Failures that apply to Mneme. */
const failuresOf = (checks: readonly Check[] = []): Check[] =>
  checks.filter(
    ({ id, status }) => status === 'FAILURE' && reasonFor(notApplicableChecks, id) === undefined,
  );

/** The checks that do not apply to Mneme, with the reasons. */
const exceptionsOf = (checks: readonly Check[] = []): string[] =>
  checks.flatMap(({ id, status }) => {
    const reason = reasonFor(notApplicableChecks, id);
    return status === 'FAILURE' && reason !== undefined ? [`    ${id}: ${reason}`] : [];
  });

type Results = Readonly<Record<Target, ReadonlyMap<string, readonly Check[]>>>;

/** Prints a line for each scenario; returns how many fail that apply. */
function report(revision: string, results: Results): number {
  let failed = 0;
  const scenarios = [...new Set(targets.flatMap((target) => [...results[target].keys()]))].sort();
  for (const scenario of scenarios) {
    const tested = needsFixture.test(scenario) ? (['fixture'] as const) : targets;
    const checks = tested.flatMap((target) => results[target].get(scenario) ?? missing);
    const reason = reasonFor(notApplicable, scenario);
    const failures = reason === undefined ? failuresOf(checks) : [];
    if (failures.length > 0) failed += 1;
    const how = reason ?? (failures.length > 0 ? 'FAILS' : `passes (${tested.join(', ')})`);
    const details =
      reason === undefined
        ? [
            ...failures.map(({ id, errorMessage }) => `    ${id}: ${errorMessage}`),
            ...new Set(exceptionsOf(checks)),
          ]
        : [];
    process.stdout.write(`${[`${revision} ${scenario}: ${how}`, ...details].join('\n')}\n`);
  }
  return failed;
}

let failed = 0;
for (const revision of revisions) {
  const Mneme = await test('Mneme', revision);
  const fixture = await test('fixture', revision);
  failed += report(revision, { Mneme, fixture });
}
process.exitCode = failed === 0 ? 0 : 1;
