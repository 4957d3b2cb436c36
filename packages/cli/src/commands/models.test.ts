import { routes } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import { runInProcess } from '../testing.ts';

const list = {
  ...routes.admin.listModels.example.response,
  change: { name: 'bge-m3', model: 'transformers:bge-m3@q8#12345678', job_id: 'j1' },
};
const job = { id: 'j1', status: 'completed', progress: 1, error: null, accounts: 1, refused: 0 };

describe('mneme models', () => {
  it('lists models with the current one and a running change', async () => {
    const { stdout } = await runInProcess(['models', 'list'], { respond: () => list });
    expect(stdout).toMatch(/^\* +encoder +shipped +256 +– +– +English +–$/m);
    expect(stdout).toContain('Current: encoder-en-256@2, 256 dimensions (configured)');
    expect(stdout).toContain('A change to bge-m3 is running: job j1');
    const { stdout: json } = await runInProcess(['models', 'ls', '--json'], {
      respond: () => list,
    });
    expect(JSON.parse(json)).toEqual(list);
  });

  it('installs by the server program, with all options', async () => {
    const options = ['--from', 'folder', '--revision', 'main', '--dtype', 'fp32', '--json'];
    const { serverCommands } = await runInProcess(['models', 'install', 'bge-m3', ...options]);
    expect(serverCommands).toEqual([
      'models install bge-m3 --from folder --revision main --dtype fp32 --json',
    ]);
  });

  it('changes to a model, shows the progress, and says how to cancel', async () => {
    const report = { ...job, model: 'openai:x', dimensions: 256, embedded: 7 };
    const { requests, stdout, stderr, progress } = await runInProcess(
      ['models', 'use', 'text-embedding-3-small', '--dimensions', '256'],
      { respond: ({ method }) => (method === 'POST' ? { job_id: 'j1' } : report) },
    );
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/v1/admin/reembeddings',
        body: { model: 'text-embedding-3-small', dimensions: 256 },
      },
      { method: 'GET', path: '/v1/admin/reembeddings/j1' },
    ]);
    expect(stderr).toContain('mneme jobs cancel j1');
    expect(stdout).toMatch(/^model +openai:x\ndimensions +256\naccounts +1\nembedded +7\n/);
    expect(progress).toContain('7 embedded');
  });

  it('fails with the reason if the change was undone', async () => {
    const error = 'The change to x failed and was undone: no connection.';
    const { code, stderr } = await runInProcess(['models', 'use', 'x'], {
      respond: ({ method }) =>
        method === 'POST' ? { job_id: 'j1' } : { ...job, status: 'failed', error },
    });
    expect({ code, isShown: stderr.includes(error) }).toEqual({ code: 1, isShown: true });
    const wrong = await runInProcess(['models', 'use', 'x', '--dimensions', 'many']);
    expect(wrong).toMatchObject({ code: 2, requests: [] });
  });

  it('prints the figures of a comparison', async () => {
    const figures = { recall_1: 0.5, recall_5: 0.75, mrr: 0.6, query_ms: 4.06, memory_ms: 3 };
    const model = { name: 'bge-m3', model: 'm', dimensions: 1_024, vector_bytes: 1_024 };
    const report = {
      ...job,
      questions: { feedback: 20, sessions: 2, updates: 1 },
      memories: 300,
      models: [{ ...model, ...figures }],
    };
    const { requests, stdout } = await runInProcess(
      ['models', 'test', 'bge-m3', '--against', 'static', '--account', 'a1'],
      { respond: ({ method }) => (method === 'POST' ? { job_id: 'j1' } : report) },
    );
    expect(requests[0]?.body).toEqual({ model: 'bge-m3', against: 'static', account_id: 'a1' });
    expect(stdout).toMatch(/^bge-m3 +50.0 % +75.0 % +60.0 % +4.1 +3.0 +1024$/m);
    expect(stdout).toContain(
      '23 questions (20 from feedback, 2 from sessions, 1 from updates), 300 memories',
    );
  });

  it('removes a model', async () => {
    const respond = () => ({ name: 'bge-m3', bytes: 34_714_000 });
    const { requests, stdout } = await runInProcess(['models', 'rm', 'bge-m3'], { respond });
    expect(requests).toEqual([{ method: 'DELETE', path: '/v1/admin/models/bge-m3' }]);
    expect(stdout).toBe('removed bge-m3 (34.7 MB)\n');
  });
});
