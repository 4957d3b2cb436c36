import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runInProcess, type SentRequest } from '../testing.ts';

const account = { limits: { content_bytes: 1_000 } };
const report = (id: string) => ({
  id,
  status: 'completed',
  progress: 1,
  error: null,
  dry_run: false,
  records: [{ kind: 'memories', created: 1, updated: 0, unchanged: 0, skipped: 0 }],
  reasons: [],
  skipped: [],
});

describe('mneme import <format>', () => {
  let file = '';
  beforeAll(async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-format-'));
    file = path.join(folder, 'notes.csv');
    await fs.writeFile(file, 'id,text\n1,Tea\n2,\n');
  });
  afterAll(() => fs.rm(path.dirname(file), { recursive: true }));

  test('waits for an import that runs, and sends its archive again', async () => {
    let sent = 0;
    const respond = ({ method, path: url }: SentRequest) => {
      if (url.startsWith('/v1/account')) return account;
      if (method === 'GET') return report(url.split('/').at(-1) ?? '');
      sent += 1;
      if (sent > 1) return Response.json({ import_id: 'mine' }, { status: 202 });
      const error = { code: 'conflict', message: 'It runs.', details: { import_id: 'other' } };
      return Response.json({ error }, { status: 409 });
    };
    const { code, requests, stdout } = await runInProcess(['import', 'csv', file, '--json'], {
      respond,
    });
    expect(code).toBe(0);
    expect(requests.map(({ method, path: url }) => `${method} ${url.split('?')[0]}`)).toEqual([
      'GET /v1/account',
      'POST /v1/import',
      'GET /v1/imports/other',
      'POST /v1/import',
      'GET /v1/imports/mine',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ import_id: 'mine', read: { memories: 1 } });
  });

  test('reports what was read, redacted and skipped, with places', async () => {
    const respond = ({ method, path: url }: SentRequest) => {
      if (url.startsWith('/v1/account')) return account;
      if (method === 'GET') return report('mine');
      return Response.json({ import_id: 'mine' }, { status: 202 });
    };
    const { stdout } = await runInProcess(['import', 'csv', file], { respond });
    expect(stdout.split('\n')).toEqual([
      'Read: 1 memory.',
      'Redacted secrets: none.',
      '          created  updated  unchanged  skipped',
      'memories  1        0        0          0',
      'skipped 1: content missing',
      '  notes.csv:3',
      '',
    ]);
  });

  test('names the fields and encodings that it accepts', async () => {
    const map = await runInProcess(['import', 'csv', file, '--map', 'body=text'], {});
    expect(map).toMatchObject({ code: 2, requests: [] });
    expect(map.stderr).toContain('with one of id, content');
    const encoding = await runInProcess(['import', 'csv', file, '--encoding', 'x'], {});
    expect(encoding.stderr).toContain('windows-1252');
  });
});
