import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInProcess } from './testing.ts';

const run = (...args: string[]) => runInProcess(args);

describe('the requests of commands', () => {
  it('sends arguments and options at their place', async () => {
    const { requests } = await run(
      ...['memories', 'update', 'm1', '--tags', 'a,b', '--metadata', 'year=2026', '--confirm'],
      ...['--occurred-at', '2026-01-05', '--space', 'kitchen'],
    );
    expect(requests).toEqual([
      {
        method: 'PATCH',
        path: '/v1/memories/m1?confirm=true',
        body: {
          tags: ['a', 'b'],
          metadata: { year: 2026 },
          occurred_at: '2026-01-05T00:00:00Z',
          space: 'kitchen',
        },
      },
    ]);
  });

  it('sends filters, relative times and reversed options as a query', async () => {
    const { requests } = await runInProcess(
      [
        'memories',
        'ls',
        '--no-pinned',
        '--created-after',
        '7d',
        '--metadata',
        'a=1',
        '--user',
        'x',
      ],
      { respond: () => ({ data: [], has_more: false, next_cursor: null }) },
    );
    const [request] = requests;
    expect(Object.fromEntries(new URLSearchParams(request?.path.split('?')[1]))).toEqual({
      is_pinned: 'false',
      created_after: '2026-03-03T12:00:00.000Z',
      'metadata.a': '1',
      user_id: 'x',
      limit: '51',
    });
  });

  it('starts with --body, which options replace', async () => {
    const body = '{"description":"old","metadata":{"a":1}}';
    const { requests } = await run(
      'spaces',
      'create',
      'kitchen',
      '--body',
      body,
      '--description',
      'n',
    );
    expect(requests[0]?.body).toEqual({ name: 'kitchen', description: 'n', metadata: { a: 1 } });
    const whole = await runInProcess(['spaces', 'create', '--body', '-'], {
      input: '{"name":"kitchen"}',
    });
    expect(whole.requests[0]?.body).toEqual({ name: 'kitchen' });
  });

  it('sends null for --unset, where it is valid', async () => {
    const sent = await run('clusters', 'update', 'c1', '--unset', 'description,color');
    expect(sent.requests[0]?.body).toEqual({ description: null, color: null });
    const refused = await run('clusters', 'update', 'c1', '--unset', 'name');
    expect(refused).toMatchObject({ code: 2, requests: [] });
    expect(refused.stderr).toMatch(/--unset name is not possible: use description, color\.$/m);
  });

  it('reads lists of JSON values from lines of stdin', async () => {
    const input = '{"role":"user","content":"a"}\n{"role":"user","content":"b"}\n';
    const { requests } = await runInProcess(['sessions', 'add-messages', 's1', '-'], { input });
    expect(requests[0]).toMatchObject({
      path: '/v1/cli-sessions/s1/messages',
      body: { messages: [{ content: 'a' }, { content: 'b' }] },
    });
  });

  it('reads a text from a file, except in the short forms', async () => {
    const files = { 'a.txt': 'from the file' };
    const texts = async (...args: string[]) =>
      Object.values((await runInProcess(args, { files })).requests[0]?.body as object)[0];
    expect(await texts('memories', 'create', '@a.txt')).toBe('from the file');
    expect(await texts('memories', 'search', '@@a.txt')).toBe('@a.txt');
    expect(await texts('recall', '@a.txt')).toBe('@a.txt');
    const { requests } = await runInProcess(['add', '@a.txt', '--pinned'], { files });
    expect(requests[0]?.body).toEqual({ content: '@a.txt', is_pinned: true });
  });

  it('finds a space by its name', async () => {
    const id = '01a220f9-0fd9-7000-ad6f-601497476530';
    const page = { data: [{ id, name: 'kitchen' }], pagination: { offset: 0, has_more: false } };
    const { requests } = await runInProcess(['spaces', 'delete', 'kitchen', '--yes'], {
      respond: ({ method }) => (method === 'GET' ? page : new Response(null, { status: 204 })),
    });
    expect(requests.at(-1)).toEqual({ method: 'DELETE', path: `/v1/spaces/${id}` });
  });

  it.each([
    [['memories', 'create'], "missing required argument 'content'"],
    [['memories', 'feedback', 'm1'], 'missing required option: --helpful'],
    [['webhooks', 'create', 'https://a'], 'missing required option: --events'],
    [['memories', 'get'], "missing required argument 'id'"],
    [['memories', 'get', '..'], '<id> must be an id.'],
    [['memories', 'update', 'm1', '--priority', 'high'], '--priority must be an integer.'],
    [['memories', 'update', 'm1', '--body', '[1]'], '--body must be a JSON object.'],
    [['memories', 'lst'], "unknown command 'lst'"],
    [['memorise'], "unknown command 'memorise'"],
    [['events', 'folow'], "unknown command 'folow'"],
    [['memories', 'list', '--limt', '3'], "unknown option '--limt'"],
    [['api', 'FETCH', '/memories'], '<method> must be one of GET, POST, PATCH, PUT, DELETE'],
  ])('sends nothing for %j', async (args, message) => {
    const { code, stderr, requests } = await run(...args);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(`mneme: usage: ${message}`);
  });

  it('accepts other words for nouns and verbs, and refers to the help after an error', async () => {
    const { requests } = await run('memory', 'edit', 'm1', '--priority', '3');
    expect(requests).toMatchObject([{ method: 'PATCH', path: '/v1/memories/m1' }]);
    for (const args of [
      ['memories', 'update'],
      ['memories', 'create'],
    ]) {
      expect((await run(...args)).stderr).toContain(`(See mneme help ${args.join(' ')})`);
    }
    expect((await run('list')).stderr).toMatch(/\n {2}\(See mneme help\)\n$/);
  });

  it('suggests nouns, verbs and options that are similar', async () => {
    const hints = await Promise.all([
      run('memorise'),
      run('memories', 'updat'),
      run('events', 'folow'),
      run('help', 'webhoks'),
    ]);
    expect(hints.map(({ stderr }) => /Did you mean (\w+)\?/.exec(stderr)?.[1])).toEqual([
      ...['memories', 'update', 'follow', 'webhooks'],
    ]);
  });
});

describe('commands that cannot be undone', () => {
  const deleted = { respond: () => new Response(null, { status: 204 }) };

  it('ask on a terminal, and do nothing without a yes', async () => {
    const asked = await runInProcess(['memories', 'delete', 'm1'], { ...deleted, answers: ['n'] });
    expect(asked).toMatchObject({
      code: 1,
      requests: [],
      questions: ['Permanently delete memory m1? [y/N] '],
      stderr: 'mneme: cancelled: Nothing was changed. --soft can be undone.\n',
    });
    const confirmed = await runInProcess(['memories', 'rm', 'm1'], { ...deleted, answers: ['y'] });
    expect(confirmed).toMatchObject({ code: 0, stdout: 'deleted m1\n' });
    expect(confirmed.requests).toEqual([{ method: 'DELETE', path: '/v1/memories/m1' }]);
  });

  it('name what and how many', async () => {
    const question = async (...args: string[]) =>
      (await runInProcess(args, { answers: [''] })).questions[0];
    expect(await question('memories', 'delete', 'a', 'b', 'c', 'd', 'e')).toBe(
      'Permanently delete memory a, b, c and 2 more (5 in all)? [y/N] ',
    );
    expect(await question('knowledge', 'merge', 'e1', 'e2')).toBe(
      'Permanently merge entity e1 into e2? [y/N] ',
    );
    expect(await question('mail', 'delete-sender', '*@a.de')).toBe(
      'Delete the sender rule *@a.de? [y/N] ',
    );
  });

  it('need --yes without a terminal', async () => {
    const refused = await runInProcess(['webhooks', 'delete', 'w1'], deleted);
    expect(refused).toMatchObject({ code: 2, requests: [] });
    expect(refused.stderr).toBe(
      'mneme: usage: confirmation required: Delete, with its delivery log, webhook w1. ' +
        'Repeat with --yes.\n',
    );
    expect((await run('memories', 'delete', 'm1')).stderr).toContain(
      'memory m1. Repeat with --yes, or with --soft, which can be undone.\n',
    );
    const done = await runInProcess(['webhooks', 'delete', 'w1', '--yes'], deleted);
    expect(done).toMatchObject({ code: 0, stdout: 'deleted w1\n' });
  });

  it('need no confirmation for what can be restored', async () => {
    const { code, requests } = await run('memories', 'delete', 'm1', '--soft');
    expect(code).toBe(0);
    expect(requests).toEqual([{ method: 'DELETE', path: '/v1/memories/m1?soft=true' }]);
  });

  it('take ids from stdin', async () => {
    const input = 'a\nb\n\n';
    const options = { ...deleted, input };
    const { requests, stdout } = await runInProcess(['tokens', 'revoke', '-', '--yes'], options);
    expect(requests.map(({ path: sent }) => sent)).toEqual([
      '/v1/auth/tokens/a',
      '/v1/auth/tokens/b',
    ]);
    expect(stdout).toBe('revoked a\nrevoked b\n');
    const json = await runInProcess(['tokens', 'revoke', '-', '--yes', '--json'], options);
    expect(JSON.parse(json.stdout)).toEqual([
      { id: 'a', revoked: true },
      { id: 'b', revoked: true },
    ]);
    const none = await runInProcess(['tokens', 'revoke', '-', '--yes'], { input: '\n' });
    expect(none).toMatchObject({ code: 2, requests: [] });
  });

  it('print what they would send with --dry-run', async () => {
    const { stdout, requests } = await run('memories', 'delete', 'a', 'b', '--dry-run');
    expect({ stdout, requests }).toEqual({
      stdout: 'DELETE /v1/memories/a\nDELETE /v1/memories/b\n',
      requests: [],
    });
    const write = await run('clusters', 'merge', 'c1', 'c2', 'c3', '--dry-run', '--json');
    expect(JSON.parse(write.stdout)).toEqual({
      method: 'POST',
      path: '/v1/clusters/c1/merge',
      body: { source_ids: ['c2', 'c3'] },
    });
    expect((await run('add', 'tea', '--tags', 'a', '--dry-run')).stdout).toBe(
      'POST /v1/memories\n{\n  "tags": [\n    "a"\n  ],\n  "content": "tea"\n}\n',
    );
  });

  it('erase exactly what the service has counted', async () => {
    const counts = { count: 2, hard_protected: 1, mails: 1, uploads: 0 };
    const counted = { ...counts, token: 't', expires_at: '' };
    const respond = ({ body }: { body?: unknown }) =>
      Object(body).dry_run ? counted : { job_id: 'j1' };
    const filter = { user_id: 'ana', tags: ['x'] };
    const args = ['memories', 'erase', '--user', 'ana', '--tags', 'x'];
    const dry = await runInProcess([...args, '--dry-run', '--json'], { respond });
    expect(JSON.parse(dry.stdout)).toEqual(counts);
    expect(dry.requests).toHaveLength(1);
    const run = await runInProcess(args, { respond, answers: ['yes'] });
    expect(run.questions).toEqual(['Permanently erase 2 memories, 1 mail? [y/N] ']);
    expect(run.requests.map(({ body }) => body)).toEqual([
      { filter, dry_run: true },
      { filter, token: 't' },
    ]);
  });

  it('erase mails and uploads of a user who has no memories', async () => {
    const counted = { count: 0, hard_protected: 0, mails: 2, uploads: 1, token: 't' };
    const respond = ({ body }: { body?: unknown }) =>
      Object(body).dry_run ? counted : { job_id: 'j1' };
    const args = ['memories', 'erase', '--user', 'ana', '--yes'];
    const { requests } = await runInProcess(args, { respond });
    expect(requests.map(({ body }) => body)).toEqual([
      { filter: { user_id: 'ana' }, dry_run: true },
      { filter: { user_id: 'ana' }, token: 't' },
    ]);
  });
});

describe('lists', () => {
  /** 130 records in pages as long as requested. */
  const respond = ({ path: sent }: { path: string }) => {
    const query = new URLSearchParams(sent.split('?')[1]);
    const start = Number(query.get('cursor') ?? 0);
    const end = Math.min(130, start + Number(query.get('limit')));
    const data = Array.from({ length: end - start }, (_, i) => ({
      id: `m${start + i}`,
      content: '',
    }));
    return { data, has_more: end < 130, next_cursor: end < 130 ? String(end) : null };
  };
  const list = (...args: string[]) => runInProcess(['memories', 'list', ...args], { respond });

  it('show 50 records, and say that there are more', async () => {
    const { stdout, stderr, requests } = await list('--jsonl');
    expect(stdout.trimEnd().split('\n')).toHaveLength(50);
    expect(stderr).toBe('mneme: 50 shown, more exist: use --limit 100 or --all.\n');
    expect(requests).toHaveLength(1);
  });

  it('read as many pages as necessary', async () => {
    const limited = await list('--limit', '120', '--json');
    expect(JSON.parse(limited.stdout)).toHaveLength(120);
    expect(limited.stderr).toContain('120 shown');
    const all = await list('--all', '--json');
    expect(JSON.parse(all.stdout)).toHaveLength(130);
    expect(all).toMatchObject({ stderr: '' });
    expect(all.requests).toHaveLength(2);
    expect((await list('--limit', '130')).stderr).toBe('');
  });

  it('leave a limit that is no limit to the service', async () => {
    expect((await list('--limit', '0')).requests[0]?.path).toContain('limit=0');
  });
});

describe('results', () => {
  it('are one JSON value with --json, and one per record with --jsonl', async () => {
    const results = [{ type: 'memory', id: 'a', score: 1, content: 'x' }];
    const respond = () => ({ results, facets: null });
    const json = await runInProcess(['memories', 'search', 'tea', '--json'], { respond });
    expect(JSON.parse(json.stdout)).toEqual({ results, facets: null });
    const lines = await runInProcess(['search', 'tea', '--jsonl'], { respond });
    expect(lines.stdout).toBe(`${JSON.stringify(results[0])}\n`);
    const people = await runInProcess(['search', 'tea'], { respond });
    expect(people.stdout).toBe('1.00  a  x\n');
  });

  it('are saved to a file if they are binary', async () => {
    const file = path.join(await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-cli-')), 'a.webp');
    const respond = () => new Response('bytes', { headers: { 'content-type': 'image/webp' } });
    const args = ['media', 'thumbnail', 'm1'];
    const saved = await runInProcess([...args, '--output', file], { respond });
    expect(saved.stdout).toBe(`saved ${file} (0.0 MiB)\n`);
    expect(await fs.readFile(file, 'utf8')).toBe('bytes');
    expect((await runInProcess(args, { respond })).stdout).toBe('bytes\n');
    await fs.rm(path.dirname(file), { recursive: true });
  });

  it('are those of the job with --wait, which fails with the job', async () => {
    const jobs = [
      { id: 'j1', status: 'running', progress: 0.5, error: null },
      { id: 'j1', status: 'completed', progress: 1, error: null },
    ];
    const respond = ({ method }: { method: string }) =>
      method === 'POST' ? { status: 'queued', job_id: 'j1' } : jobs.shift();
    const waited = await runInProcess(['clusters', 'run', '--wait', '--json'], { respond });
    expect(JSON.parse(waited.stdout)).toMatchObject({ status: 'completed' });
    expect(waited.requests.map(({ path: sent }) => sent)).toEqual([
      ...['/v1/clusters/full', '/v1/jobs/j1', '/v1/jobs/j1'],
    ]);
    jobs.unshift({ id: 'j1', status: 'completed', progress: 1, error: null });
    const shown = await runInProcess(['clusters', 'run', '--wait'], { respond });
    expect(shown.progress).toEqual(['completed, job j1']);
    const failed = { id: 'j1', status: 'failed', progress: 1, error: 'No memories.' };
    const ended = await runInProcess(['jobs', 'wait', 'j1'], { respond: () => failed });
    expect(ended).toMatchObject({ code: 1, stderr: 'mneme: job_failed: No memories.\n' });
  });

  it('of a read are read again after its job', async () => {
    const answers = [
      { job_id: 'j1', status: 'queued' },
      { id: 'j1', status: 'completed', progress: 1, error: null },
      { full_transcript: 'tea' },
    ];
    const read = await runInProcess(['media', 'transcript', 'm1', '--wait', '--json'], {
      respond: () => answers.shift(),
    });
    expect(JSON.parse(read.stdout)).toEqual({ full_transcript: 'tea' });
  });
});

describe('errors of the service', () => {
  it('name options and commands instead of fields and requests', async () => {
    const fields = {
      occurred_at: { code: 'invalid_format', message: 'must be a time' },
      user_id: { code: 'field_too_long', message: 'is too long' },
    };
    const error = { code: 'confirmation_required', message: 'Repeat with confirm=true.' };
    const respond = () =>
      Response.json({ error: { ...error, details: { fields } } }, { status: 422 });
    expect((await runInProcess(['memories', 'pin', 'm1'], { respond })).stderr).toBe(
      'mneme: confirmation_required: Repeat with --confirm.\n' +
        '  occurred-at: must be a time (invalid_format)\n' +
        '  user: is too long (field_too_long)\n',
    );
  });
});

describe('mneme keys create', () => {
  const id = '01a220f9-0fd9-7000-ad6f-601497476530';
  const page = { data: [{ id, name: 'kitchen' }], pagination: { offset: 0, has_more: false } };
  const respond = ({ method }: { method: string }) =>
    method === 'GET' ? page : { id: 'k1', name: 'a', scopes: [], space_ids: [], key: 'mnk_1' };

  it('takes spaces by name, by id and the account level', async () => {
    const args = ['keys', 'create', '--spaces', `kitchen,${id},default`];
    const { requests } = await runInProcess(args, { respond });
    expect(requests.at(-1)).toMatchObject({
      path: '/v1/api-keys',
      body: { space_ids: [id, id, 'default'] },
    });
  });

  it('creates no key for an unknown space', async () => {
    const { code, stderr, requests } = await runInProcess(
      ['keys', 'create', '--spaces', 'cellar'],
      { respond },
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/^mneme: space_not_found: There is no space cellar: mneme spaces list/);
    expect(requests.map(({ method }) => method)).toEqual(['GET']);
  });
});

describe('mneme add', () => {
  it('reports that a text is the name of a file, which was not stored', async () => {
    const hint = 'stored the text and not the file of this name';
    expect((await run('add', 'package.json')).stderr).toContain(hint);
    for (const text of ['Ana likes tea.', 'packages', 'a\0b']) {
      expect((await run('add', text)).stderr).toBe('');
    }
  });

  it('sends a large file in parts and shows how much of it is stored', async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-cli-'));
    const file = path.join(folder, 'talk.mp3');
    const length = 9 * 2 ** 20;
    await fs.writeFile(file, Buffer.alloc(length));
    let offset = 0;
    const respond = ({ method, path: sent }: { method: string; path: string }) => {
      if (method === 'POST') return { id: 'u1', offset, length, memory_id: null };
      if (method === 'GET') return { id: sent.split('/').at(-1), content_type: 'audio' };
      offset = Math.min(length, offset + 4 * 2 ** 20);
      const id: Record<string, string> = offset === length ? { 'x-mneme-memory-id': 'm1' } : {};
      return new Response(null, {
        status: 204,
        headers: { 'upload-offset': String(offset), ...id },
      });
    };
    const added = await runInProcess(['add', '--file', file], { respond });
    expect(added).toMatchObject({ code: 0, stdout: 'stored m1\n' });
    expect(added.progress).toEqual([
      ...['0.0 of 9.0 MiB', '4.0 of 9.0 MiB', '8.0 of 9.0 MiB', '9.0 of 9.0 MiB'],
    ]);
    await fs.rm(folder, { recursive: true });
  });
});

describe('mneme restore', () => {
  it('refers to the other command for the id of a memory', async () => {
    const id = '01a220f9-0fd9-7000-ad6f-601497476530';
    const { code, stderr } = await run('restore', id);
    expect(code).toBe(2);
    expect(stderr).toContain(`for a memory use: mneme memories restore ${id}\n`);
  });
});

describe('mneme api', () => {
  it('sends any request, and prints the response', async () => {
    const respond = () => ({ ok: true });
    const args = ['api', 'post', '/v1/memories?x=1', '--body', '{"content":"tea"}'];
    const { stdout, requests } = await runInProcess(args, { respond });
    expect(stdout).toBe('{"ok":true}\n');
    expect(requests).toEqual([
      { method: 'POST', path: '/v1/memories?x=1', body: { content: 'tea' } },
    ]);
  });
});

describe('the help', () => {
  it('lists the commands in groups, short forms first', async () => {
    const { code, stdout } = await run('--help');
    expect(code).toBe(0);
    expect(stdout.match(/^[A-Z][\w ]+:$/gm)?.slice(0, 3)).toEqual([
      ...['Start here:', 'Memories:', 'Events and mail:'],
    ]);
    expect(stdout).toMatch(/^ {2}memories +list, read, change/m);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  it('of a verb has its arguments and options', async () => {
    const { stdout } = await run('help', 'memories', 'list');
    expect(stdout).toMatch(/^Usage: mneme memories list/);
    expect(stdout).toMatch(/^ {2}--\[no-\]pinned /m);
    expect(stdout).toMatch(/--order <text>[^-]*"asc", "desc"/);
    expect((await run('memories', 'list', '--help')).stdout).toBe(stdout);
    expect((await run('help', 'memories')).stdout).toMatch(
      /^ {2}protect <id> <protection-level> /m,
    );
  });
});
