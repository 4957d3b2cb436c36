import fs from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestFolder } from '../../../packages/server/src/database/testing.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { runCli } from './run-cli.ts';

describe.each(oneEngine)('mneme eval on %s', (engine) => {
  let service: Service;
  let folder = '';
  beforeAll(async () => {
    service = await startService(engine);
    folder = await makeTestFolder();
  });
  afterAll(async () => {
    await service.stop();
    await fs.rm(folder, { recursive: true, force: true });
  });

  it('measures the questions of a file against a service', async () => {
    const { client, key } = await service.createAccount('enterprise');
    const contents = ['Ana prefers tea over coffee.', 'The importer runs at midnight.'];
    const ids: string[] = [];
    for (const content of contents)
      ids.push((await client.memories.create({ body: { content } })).id);
    const file = path.join(folder, 'questions.jsonl');
    const questions = [
      { query: 'Ana prefers tea', expected: [ids[0]] },
      { query: 'importer midnight', expected: ['RUNS at  midnight'] },
      { query: 'stock prices in Tokyo', answerable: false },
    ];
    await fs.writeFile(file, questions.map((one) => JSON.stringify(one)).join('\n'));
    const env = { XDG_STATE_HOME: folder, MNEME_URL: service.url, MNEME_API_KEY: key };
    const run = async (...args: string[]) => {
      const ran = await runCli(['eval', file, '--json', ...args], env);
      expect(ran.code, ran.stderr).toBe(0);
      return JSON.parse(ran.stdout);
    };
    expect(await run('--fail-below', 'recall@1=1')).toMatchObject({
      questions: 3,
      unanswerable: 1,
      metrics: { 'recall@1': 1, mrr: 1, 'ndcg@10': 1, confident_without_answer: 0 },
      compared_with: null,
    });
    await client.memories.remove({ params: { id: ids[0] ?? '' }, query: {} });
    const second = await run('--recall');
    expect(second).toMatchObject({
      metrics: { 'recall@1': 0.5 },
      compared_with: {
        common_questions: 3,
        differences: { 'recall@1': -0.5 },
        changed: [{ line: 1, change: 'worse', before: [1], after: [null] }],
      },
    });
    expect(path.dirname(second.saved_as)).toContain(path.join(folder, 'mneme', 'evaluations'));
  });
});
