import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { findFreePort } from '../../support/free-port.ts';
import { alertRulesFile, dashboardQueries } from '../../support/monitoring-queries.ts';
import { isAvailable } from '../../support/requirements.ts';
import { engines, type Service, startService } from '../../support/service.ts';

const run = promisify(execFile);

/** Without data here: nothing waits, has failed, been evicted or backed up; one process. */
const maybeEmpty =
  /mneme_jobs|live_processes|webhook_attempt|last_backup|database_connections|status=~"5/;

interface QueryAnswer {
  readonly status: string;
  readonly error?: string;
  readonly data: { readonly result: readonly unknown[] };
}

describe.runIf(isAvailable('prometheus'))('a Prometheus that reads the metrics', () => {
  let service: Service;
  let folder = '';
  let prometheus: ChildProcess;
  let url = '';
  beforeAll(async () => {
    const engine = engines.at(-1) ?? 'embedded';
    service = await startService(engine, { env: { MNEME_METRICS_PORT: '0' } });
    const client = service.client();
    await client.memories.create({ body: { content: 'The oboe is in Ghent.' } });
    await client.search.get({ query: { q: 'oboe' } });
    folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-prometheus-'));
    const target = `127.0.0.1:${service.running.metricsPort}`;
    const config = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [alertRulesFile],
      scrape_configs: [{ job_name: 'mneme', static_configs: [{ targets: [target] }] }],
    };
    const configFile = path.join(folder, 'prometheus.yml');
    await writeFile(configFile, JSON.stringify(config));
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    const data = `--storage.tsdb.path=${path.join(folder, 'data')}`;
    const listen = `--web.listen-address=127.0.0.1:${port}`;
    prometheus = spawn('prometheus', [`--config.file=${configFile}`, data, listen], {
      stdio: 'ignore',
    });
    await eventually(
      () => query('min(count_over_time(up{job="mneme"}[1m]))').catch(() => null),
      (answer) => Number((answer?.data.result[0] as { value?: string[] })?.value?.[1]) >= 4,
    );
  });
  afterAll(async () => {
    prometheus?.kill('SIGKILL');
    if (prometheus?.exitCode === null) await once(prometheus, 'exit');
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const query = async (expression: string): Promise<QueryAnswer> => {
    const response = await fetch(
      `${url}/api/v1/query?${new URLSearchParams({ query: expression })}`,
    );
    return (await response.json()) as QueryAnswer;
  };

  it.each(dashboardQueries())('answers %s: %s', async (_, expression) => {
    const { status, error, data } = await query(expression);
    expect({ status, error }).toEqual({ status: 'success', error: undefined });
    if (!maybeEmpty.test(expression)) expect(data.result.length).toBeGreaterThan(0);
  });

  it('evaluates all alert rules, and none fires for a healthy service', async () => {
    type Rule = { readonly name: string; readonly health: string; readonly state: string };
    const readRules = async (): Promise<Rule[]> => {
      const response = await fetch(`${url}/api/v1/rules`);
      const { data } = (await response.json()) as { data: { groups: { rules: Rule[] }[] } };
      return data.groups.flatMap(({ rules }) => rules);
    };
    const rules = await eventually(readRules, (all) =>
      all.every(({ health }) => health !== 'unknown'),
    );
    expect(rules.length).toBeGreaterThan(10);
    expect(rules.filter(({ health, state }) => health !== 'ok' || state === 'firing')).toEqual([]);
  });

  it('finds nothing to criticise in the metrics and the rules', async () => {
    await run('promtool', ['check', 'rules', alertRulesFile]);
    const response = await fetch(`http://127.0.0.1:${service.running.metricsPort}/metrics`);
    const file = path.join(folder, 'metrics.txt');
    await writeFile(file, await response.text());
    const { stdout, stderr } = await run('sh', ['-c', `promtool check metrics < '${file}'`]);
    expect(`${stdout}${stderr}`).toBe('');
  });
});
