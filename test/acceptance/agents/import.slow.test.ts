import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestFolder } from '../../../packages/server/src/database/testing.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { runCli } from '../cli/run-cli.ts';
import { promptOf, sendHook, standingMemories, turnsOf } from './hook-requests.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/transcripts/', import.meta.url));
const claudeSession = '5f1c0d1e-0000-4000-8000-000000000001';
const codexSession = '019cb655-7826-7080-b375-f4bd0ec83d54';

describe.each(oneEngine)('mneme import transcripts on %s', (engine) => {
  let service: Service;
  let home = '';
  beforeAll(async () => {
    service = await startService(engine);
    home = await makeTestFolder();
    const places = {
      'claude-code': '.claude/projects/-srv-shop',
      codex: '.codex/sessions/2026/03/04',
    };
    for (const [name, folder] of Object.entries(places)) {
      await fs.mkdir(path.join(home, folder), { recursive: true });
      await fs.copyFile(
        path.join(fixtures, `${name}.jsonl`),
        path.join(home, folder, 'rollout.jsonl'),
      );
    }
  });
  afterAll(async () => {
    await service.stop();
    await fs.rm(home, { recursive: true, force: true });
  });

  const open = async (plan: 'pro' | 'enterprise' = 'enterprise') => {
    const { client, key } = await service.createAccount(plan);
    const run = async (name: string, ...more: string[]) => {
      const env = { HOME: home, MNEME_URL: service.url, MNEME_API_KEY: key };
      const ran = await runCli(['import', 'transcripts', name, '--json', ...more], env);
      expect(ran.code, ran.stderr).toBe(0);
      return JSON.parse(ran.stdout) as Record<string, unknown>;
    };
    return { client, key, run };
  };

  it('stores the turns of Claude Code with their times, once', async () => {
    const { client, run } = await open();
    const report = await run('claude-code');
    expect(report).toEqual({
      client: 'claude-code',
      sessions: 1,
      turns: 3,
      stored: 3,
      skipped_sessions: 0,
      redacted: { password: 1 },
    });
    expect(await turnsOf(client, claudeSession)).toEqual([
      'user: I prefer bankers rounding. Use it in the cart, PASSWORD=[redacted: password]',
      'assistant: The cart uses bankers rounding now.',
      'user: Run the tests.',
    ]);
    expect(await standingMemories(client)).toEqual(['I prefer bankers rounding.']);
    const { data } = await client.cliSessions.list({ query: {} });
    expect(data).toMatchObject([
      { name: claudeSession, origin_type: 'claude-code', metadata: { folder: 'shop' } },
    ]);
    const turns = await client.cliSessions.memories({
      params: { id: data[0]?.id ?? '' },
      query: {},
    });
    expect(turns.data[0]?.occurred_at).toBe('2026-03-01T10:00:00.000Z');

    expect(await run('claude-code')).toMatchObject({ turns: 3, stored: 0 });
    expect((await client.account.get()).usage.memories).toBe(4);
  });

  it('stores the turns of Codex', async () => {
    const { client, run } = await open();
    expect(await run('codex')).toMatchObject({ sessions: 1, turns: 2, stored: 2, redacted: {} });
    expect(await turnsOf(client, codexSession)).toEqual([
      'user: We decided to deploy the shop on Mondays. Write it down.',
      'assistant: It is in the README now.',
    ]);
    expect(await run('codex')).toMatchObject({ turns: 2, stored: 0 });
  });

  it('stores turns since a time, and the earlier ones later', async () => {
    const { client, run } = await open();
    const since = await run('claude-code', '--since', '2026-03-02');
    expect(since).toMatchObject({ turns: 1, stored: 1 });
    expect(await turnsOf(client, claudeSession)).toEqual(['user: Run the tests.']);
    expect(await run('claude-code')).toMatchObject({ turns: 3, stored: 2 });
    expect(await run('claude-code')).toMatchObject({ turns: 3, stored: 0 });
  });

  it('sends nothing with --dry-run', async () => {
    const { client, run } = await open();
    const report = await run('claude-code', '--dry-run');
    expect(report).toMatchObject({ turns: 3, stored: 0, redacted: { password: 1 } });
    expect((await client.account.get()).usage.memories).toBe(0);
  });

  it('skips a session that hooks have recorded', async () => {
    const { client, key, run } = await open();
    await sendHook({ url: service.url, key }, promptOf(claudeSession, 'Run the tests.'));
    expect(await run('claude-code')).toMatchObject({ stored: 0, skipped_sessions: 1 });
    expect(await turnsOf(client, claudeSession)).toEqual(['user: Run the tests.']);
  });

  it('stores into a space', async () => {
    const { client, run } = await open();
    const { id } = await client.spaces.create({ body: { name: 'work' } });
    await run('codex', '--space', 'work');
    const { data } = await client.cliSessions.list({ query: {} });
    expect(data.map(({ space_id: space }) => space)).toEqual([id]);
    expect(await run('codex', '--space', 'work')).toMatchObject({ stored: 0 });
  });

  it('says where it looked, and what a date is', async () => {
    const { key } = await service.createAccount();
    const env = { HOME: fixtures, MNEME_URL: service.url, MNEME_API_KEY: key };
    const nowhere = await runCli(['import', 'transcripts', 'codex'], env);
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('.codex/sessions') });
    const noDate = await runCli(['import', 'transcripts', 'codex', '--since', 'May'], env);
    expect(noDate).toMatchObject({ code: 2, stderr: expect.stringContaining('2026-03-01') });
  });
});
