import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../testing.ts';

const idOf = (number: number): string => `019b8d1c-0000-7000-8000-00000000000${number}`;
const texts = ['', 'Ana drinks tea.', 'Ben drinks coffee.', 'The cat is grey.'];

/** A service that finds the memories with these numbers, the best first. */
const finding =
  (numbersOf: (query: string) => readonly number[], firstScore = 0.9) =>
  ({ path: address, body }: { path: string; body?: unknown }) => {
    const { q, query } = body as { q?: string; query?: string };
    const found = numbersOf(q ?? query ?? '').map((number, i) => ({
      type: 'memory',
      id: idOf(number),
      score: firstScore - i / 10,
      content: texts[number],
      metadata: { number },
    }));
    return address.endsWith('/recall') ? { memories: found } : { results: found };
  };

const questions = [
  { query: 'Who drinks tea?', expected: [idOf(1)], user_id: 'ana', as_of: '2026-01-01' },
  { query: 'Who drinks coffee?', expected: ['ben  DRINKS'], space: 'work' },
  { query: 'What colour is the cat?', expected: [{ metadata: { number: 3 } }] },
  { query: 'Who drinks milk?', answerable: false },
];
const files = { 'q.jsonl': questions.map((one) => JSON.stringify(one)).join('\n') };

describe('mneme eval', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-eval-'));
  });
  afterAll(() => fs.rm(folder, { recursive: true, force: true }));

  const good = finding((query) => (query.includes('coffee') ? [2, 1, 3] : [1, 2, 3]));
  const run = (args: readonly string[], stateFolder: string, respond = good) =>
    runInProcess(['eval', 'q.jsonl', ...args], { files, stateFolder, respond });

  it('asks each question in its scope and measures the results', async () => {
    const ran = await run(['--json', '--limit', '3'], path.join(folder, 'asks'));
    expect(ran.requests.map(({ path: address, body }) => [address, body])).toEqual([
      ['/v1/search', { q: 'Who drinks tea?', limit: 3, user_id: 'ana', as_of: '2026-01-01' }],
      ['/v1/search', { q: 'Who drinks coffee?', limit: 3, space: 'work' }],
      ['/v1/search', { q: 'What colour is the cat?', limit: 3 }],
      ['/v1/search', { q: 'Who drinks milk?', limit: 3 }],
    ]);
    const report = JSON.parse(ran.stdout);
    expect(report).toMatchObject({ questions: 4, unanswerable: 1, compared_with: null });
    expect(report.metrics['recall@1']).toBeCloseTo(2 / 3);
    expect(report.metrics['recall@5']).toBe(1);
    expect(report.metrics.mrr).toBeCloseTo((1 + 1 + 1 / 3) / 3);
    expect(report.metrics.confident_without_answer).toBe(1);
  });

  it('measures recall on request', async () => {
    const ran = await run(['--recall', '--json'], path.join(folder, 'recall'));
    expect(ran.requests[0]).toMatchObject({
      path: '/v1/recall',
      body: { query: 'Who drinks tea?', max_memories: 10 },
    });
    expect(JSON.parse(ran.stdout).metrics['recall@5']).toBe(1);
  });

  it('prints what changed since the last run of the file', async () => {
    const state = path.join(folder, 'changes');
    const first = await run([], state);
    expect(first.stdout).not.toContain('compared with');
    const changed = finding((query) => (query.includes('tea') ? [2, 1] : [3]), 0.4);
    const second = await run([], state, changed);
    expect(second.stdout).toContain('compared with the run of 2026-03-10T12:00:00.000Z');
    expect(second.stdout).toMatch(/recall@1 +0\.333 +−0\.333/);
    expect(second.stdout).toMatch(/score ≥ \.5 without answer +0\.000 +−1\.000/);
    expect(second.stdout).toMatch(/1 question got better.*\nline 3 +3 → 1 +What colour/);
    expect(second.stdout).toMatch(
      /2 questions got worse.*\nline 1 +1 → 2 +Who drinks tea\?\nline 2 +1 → – +Who drinks coffee/,
    );
  });

  it('saves runs without texts of memories for their owner only, unless told not to', async () => {
    const state = path.join(folder, 'saves');
    const { saved_as: unsaved } = JSON.parse((await run(['--no-save', '--json'], state)).stdout);
    expect(unsaved).toBeNull();
    await expect(fs.readdir(state)).rejects.toThrow('ENOENT');
    const { saved_as: saved } = JSON.parse((await run(['--json'], state)).stdout);
    expect(await fs.readFile(saved, 'utf8')).not.toContain('drinks tea.');
    expect((await fs.stat(saved)).mode & 0o077).toBe(0);
  });

  it('compares with a named run, also of another file', async () => {
    const { saved_as: saved } = JSON.parse(
      (await run(['--json'], path.join(folder, 'named'))).stdout,
    );
    const other = await run(['--json', '--against', saved], path.join(folder, 'other'));
    expect(JSON.parse(other.stdout).compared_with).toMatchObject({
      common_questions: 4,
      changed: [],
    });
    const missing = await run(['--against', 'no.json'], path.join(folder, 'other'));
    expect([missing.code, missing.requests]).toEqual([1, []]);
    expect(missing.stderr).toContain('no.json does not exist');
  });

  it('fails below a required metric, after printing the results', async () => {
    const state = path.join(folder, 'required');
    const passed = await run(['--fail-below', 'recall@5=1', '--fail-below', 'mrr=0.7'], state);
    expect(passed.code).toBe(0);
    const failed = await run(['--fail-below', 'recall@5=1', '--fail-below', 'mrr=0.8'], state);
    expect([failed.code, failed.stderr]).toEqual([
      1,
      'mneme: below_minimum: mrr is 0.778, below 0.8\n',
    ]);
    expect(failed.stdout).toContain('MRR');
  });

  it.each([
    [['--fail-below', 'speed=1'], 'The metrics are recall@1'],
    [['--fail-below', 'mrr=2'], 'such as mrr=0.8'],
    [['--fail-below', 'mrr'], 'such as mrr=0.8'],
    [['--limit', '0'], '--limit must be from 1 to 100'],
  ])('rejects %j before it asks anything', async (args, message) => {
    const ran = await run(args, folder);
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(ran.stderr).toContain(message);
  });

  it('names the line of a question that the service rejects', async () => {
    const reject = () =>
      Response.json(
        { error: { code: 'space_not_found', message: 'Space not found.', details: {} } },
        { status: 404 },
      );
    const ran = await run([], folder, reject as never);
    expect([ran.code, ran.stderr]).toEqual([
      1,
      'mneme: space_not_found: q.jsonl:1: Space not found.\n',
    ]);
  });

  it('passes --rewrite and --rerank on, and says how often the service used them', async () => {
    const state = path.join(folder, 'models');
    let calls = 0;
    const withModels = (request: Parameters<typeof good>[0]) => {
      calls += 1;
      const rewrite = { status: calls === 1 ? 'timeout' : 'applied', queries: [], model: 'm' };
      return { ...good(request), rewrite, rerank: { status: 'applied', model: 'r' } };
    };
    const ran = await run(['--rewrite', '--rerank'], state, withModels);
    expect(ran.requests[0]?.body).toMatchObject({ rewrite: true, rerank: true });
    expect(ran.stdout).toContain('search, limit 10, rewrite, rerank\n');
    expect(ran.stdout).toContain('rewrite: timeout 1, applied 3\nrerank: applied 4\n');
    const without = await run(['--no-rerank', '--recall'], state);
    expect(without.requests[0]?.body).toMatchObject({ rerank: false });
    expect(without.requests[0]?.body).not.toHaveProperty('rewrite');
    expect(without.stdout).toContain('(search, limit 10, rewrite, rerank)');
  });

  it('waits where the limit of a minute is reached', async () => {
    let calls = 0;
    const limited = (request: Parameters<typeof good>[0]) => {
      calls += 1;
      if (calls !== 2) return good(request);
      const error = { code: 'rate_limit_exceeded', message: 'Too many.', details: {} };
      return Response.json({ error }, { status: 429, headers: { 'retry-after': '7' } });
    };
    const ran = await run([], folder, limited as never);
    expect([ran.code, ran.requests.length]).toEqual([0, 5]);
  });
});
