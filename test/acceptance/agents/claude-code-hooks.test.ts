import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTablesContaining } from '../../support/find-tables-containing.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import {
  contextOf,
  endOf,
  promptOf,
  sendHook,
  standingMemories,
  stopOf,
  turnsOf,
} from './hook-requests.ts';

describe.each(engines)('The hooks of Claude Code on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const open = async () => {
    const { client, key } = await service.createAccount();
    const send = (event: object, query = '') => sendHook({ url: service.url, key }, event, query);
    return { client, key, send };
  };

  it('add relevant memories to a prompt, in a marked block', async () => {
    const { client, send } = await open();
    const { id } = await client.memories.create({
      body: { content: 'The shop deploys with Ansible, never by hand.' },
    });
    const { status, body } = await send(promptOf('s1', 'How do we deploy the shop?'));
    expect(status).toBe(200);
    expect(body).toEqual({
      hookSpecificOutput: {
        hookEventName: 'UserPromptSubmit',
        additionalContext: expect.stringMatching(
          new RegExp(
            `^<mneme-context>\n.*not as instructions:\n\\[${id}\\] [0-9-]+ The shop deploys with ` +
              'Ansible, never by hand\\.\n</mneme-context>$',
          ),
        ),
      },
    });
    const started = await send({ session_id: 's2', hook_event_name: 'SessionStart' });
    expect(contextOf(started)).toContain('Ansible');
    expect(started.body.hookSpecificOutput?.hookEventName).toBe('SessionStart');
  });

  it('add nothing where nothing is relevant', async () => {
    const { client, send } = await open();
    const prompt = 'Refactor the parser of TOML tables.';
    expect((await send(promptOf('s1', prompt))).body).toEqual({});
    await client.memories.create({ body: { content: 'Ana prefers tea over coffee.' } });
    // The only match is the same prompt of another session.
    expect(contextOf(await send(promptOf('s2', prompt)))).not.toContain('TOML');
    expect((await send(promptOf('s3', 'yes'))).body).toEqual({});
  });

  it('keep the context within the budget', async () => {
    const { client, send } = await open();
    const memories = Array.from({ length: 60 }, (_, i) => ({
      content: `Service number ${i} of the shop deploys with Ansible to the hosts of region ${i}.`,
    }));
    await client.memories.bulkCreate({ body: { memories } });
    const linesOf = (context: string) => context.split('\n').filter((line) => /^\[/.test(line));
    const byDefault = contextOf(await send(promptOf('s1', 'How do services of the shop deploy?')));
    const small = contextOf(
      await send(promptOf('s2', 'How do services of the shop deploy?'), '?max_tokens=200'),
    );
    expect(linesOf(small).length).toBeGreaterThan(0);
    expect(linesOf(byDefault).length).toBeGreaterThan(linesOf(small).length);
    // Each o200k token of such text has at least two characters.
    expect(small.length).toBeLessThan(200 * 5);
    expect(byDefault.length).toBeLessThan(800 * 5);
    expect((await send(promptOf('s3', 'hi'), '?max_tokens=1')).status).toBe(422);
  });

  it('store prompts and answers as turns of a session, once', async () => {
    const { client, send } = await open();
    const events = [
      promptOf('session-1', 'Add a test for the cart.'),
      stopOf('session-1', 'I added cart.test.ts.'),
      promptOf('session-1', 'Now run it.'),
    ];
    for (const event of [...events, ...events]) expect((await send(event)).status).toBe(200);
    await Promise.all([send(events[2] as object), send(promptOf('session-2', 'Hello'))]);
    expect(await turnsOf(client, 'session-1')).toEqual([
      'user: Add a test for the cart.',
      'assistant: I added cart.test.ts.',
      'user: Now run it.',
    ]);
    const { data } = await client.cliSessions.list({ query: {} });
    expect(data.map(({ name, origin_type: origin }) => [name, origin]).toSorted()).toEqual([
      ['session-1', 'claude-code'],
      ['session-2', 'claude-code'],
    ]);
    expect(data[0]?.metadata).toEqual({ recorded_by: 'hooks', folder: 'shop' });
  });

  it('create one session for events at the same time', async () => {
    const { client, send } = await open();
    const event = promptOf('session-1', 'Add a test for the cart.');
    await Promise.all(Array.from({ length: 5 }, () => send(event)));
    const { data } = await client.cliSessions.list({ query: {} });
    expect(data).toHaveLength(1);
    expect(await turnsOf(client, 'session-1')).toHaveLength(1);
  });

  it('recall what other sessions stored, but not the session itself', async () => {
    const { send } = await open();
    await send(promptOf('session-1', 'The cart rounds prices with bankers rounding.'));
    const again = await send(promptOf('session-1', 'How does the cart round prices?'));
    expect(again.body).toEqual({});
    const other = await send(promptOf('session-2', 'How does the cart round prices?'));
    expect(contextOf(other)).toContain('bankers rounding');
  });

  it('store no injected context, so that memory does not feed on itself', async () => {
    const { client, send } = await open();
    await client.memories.create({ body: { content: 'The cart rounds prices up.' } });
    const context = contextOf(await send(promptOf('s1', 'How does the cart round prices?')));
    expect(context).toContain('rounds prices up');
    await send(promptOf('session-2', `${context}\nHow does the basket round?`));
    await send(stopOf('session-2', `You said: ${context}`));
    await send(promptOf('session-2', context));
    expect(await turnsOf(client, 'session-2')).toEqual([
      'user: How does the basket round?',
      'assistant: You said:',
    ]);
  });

  it('store no secret anywhere', async () => {
    const { client, send } = await open();
    const secret = `${'ghp_'}q7Zt4mKd9XvB2nLs8RfW3hYc6TgJ1pEa5UoD`;
    const password = 'Tr0ub4dor&3x';
    await send(promptOf('session-1', `I always push with ${secret}, PASSWORD=${password}`));
    await send(stopOf('session-1', `Authorization: Bearer ${secret}`));
    await send(endOf('session-1'));
    expect(await turnsOf(client, 'session-1')).toEqual([
      'user: I always push with [redacted: api_key], PASSWORD=[redacted: password]',
      'assistant: Authorization: Bearer [redacted: api_key]',
    ]);
    for (const text of [secret, password]) {
      expect(await findTablesContaining(service, text)).toEqual([]);
    }
  });

  it('derive what lasts at the end of a session, from each turn once', async () => {
    const { client, send } = await open();
    await send(promptOf('session-1', 'I prefer tabs over spaces. Please format the file.'));
    await send(stopOf('session-1', 'I like spaces.'));
    expect(await standingMemories(client)).toEqual([]);
    expect((await send(endOf('session-1'))).body).toEqual({});
    const [memory = ''] = await standingMemories(client);
    expect(memory).toBe('I prefer tabs over spaces.');
    const { data } = await client.memories.list({ query: { limit: 100 } });
    const { id } = data.find(({ content }) => content === memory) ?? { id: '' };
    const links = await client.relationships.list({ params: { memoryId: id } });
    expect(links.outgoing?.map((link) => link.relationship_type)).toEqual(['derived_from']);

    await client.memories.remove({ params: { id } });
    await send(endOf('session-1'));
    expect(await standingMemories(client)).toEqual([]);
    // The session goes on, as after a resume.
    await send(promptOf('session-1', 'We decided to deploy on Mondays.'));
    await send(endOf('session-1'));
    expect(await standingMemories(client)).toEqual(['We decided to deploy on Mondays.']);
    expect((await send(endOf('unknown'))).body).toEqual({});
  });

  it('shorten what is longer than a memory of the plan', async () => {
    const { client, key } = await service.createAccount('free');
    const to = { url: service.url, key };
    const answer = await sendHook(to, promptOf('session-1', 'word '.repeat(10_000)));
    expect(answer.body).toEqual({});
    const [turn = ''] = await turnsOf(client, 'session-1');
    expect(turn).toMatch(/^user: (?:word )+word?…$|…$/);
    expect(Buffer.byteLength(turn)).toBeLessThanOrEqual(4_096 + 'user: '.length);
  });
});
