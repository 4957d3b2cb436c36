import type { LanguageModelV4GenerateResult, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { type Client, createClient } from '@mneme/sdk';
import { type MemoryMiddlewareOptions, mnemeMiddleware, mnemeTools } from '@mneme/sdk/vercel-ai';
import {
  generateText,
  type ModelMessage,
  simulateReadableStream,
  stepCountIs,
  streamText,
  wrapLanguageModel,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { answer } from '../../../examples/adapters/vercel-ai.ts';
import { useAccountPerTest } from '../../support/account-per-test.ts';
import { oneEngine } from '../../support/service.ts';

type Content = LanguageModelV4GenerateResult['content'];

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
} as const;

const says = (text: string): Content => [{ type: 'text', text }];
const calls = (toolName: string, input: object): Content => [
  { type: 'tool-call', toolCallId: `call-${toolName}`, toolName, input: JSON.stringify(input) },
];

/** A model that gives these answers in turn. */
const scripted = (...answers: Content[]): MockLanguageModelV4 =>
  new MockLanguageModelV4({
    doGenerate: answers.map((content) => {
      const unified = content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop';
      return { content, usage, finishReason: { unified, raw: unified }, warnings: [] } as const;
    }),
  });

const streaming = (...deltas: string[]): MockLanguageModelV4 =>
  new MockLanguageModelV4({
    doStream: {
      stream: simulateReadableStream({
        chunks: [
          { type: 'stream-start', warnings: [] },
          { type: 'text-start', id: '1' },
          ...deltas.map((delta) => ({ type: 'text-delta', id: '1', delta }) as const),
          { type: 'text-end', id: '1' },
          { type: 'finish', usage, finishReason: { unified: 'stop', raw: 'stop' } },
        ],
        initialDelayInMs: null,
        chunkDelayInMs: null,
      }),
    },
  });

const fail = (error: unknown): never => {
  throw error;
};

const systemOf = (prompt: LanguageModelV4Prompt | undefined): string =>
  prompt?.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n') ?? '';
const blockIn = (text: string): string =>
  /<mneme-context>.*<\/mneme-context>/s.exec(text)?.[0] ?? '';

describe.each(oneEngine)('The adapter for the Vercel AI SDK on %s', (engine) => {
  let client: Client;
  useAccountPerTest(engine, (account) => {
    client = account.client;
  });
  const wrap = (model: MockLanguageModelV4, options: Partial<MemoryMiddlewareOptions> = {}) =>
    wrapLanguageModel({
      model,
      middleware: mnemeMiddleware({ client, onError: fail, ...options }),
    });
  /** The texts of all memories, the oldest first. */
  const stored = async (): Promise<string[]> => {
    const { data } = await client.memories.list({ query: { order: 'asc', limit: 100 } });
    return data.map(({ content }) => content);
  };

  it('runs the example: what a user said is in the prompt of a later conversation', async () => {
    const first = scripted(says('Noted.'));
    expect(await answer(client, first, 'ana', 'I am allergic to peanuts.')).toBe('Noted.');
    expect(systemOf(first.doGenerateCalls[0]?.prompt)).toBe('Be brief.');

    const second = scripted(says('A curry without peanuts.'));
    await answer(client, second, 'ana', 'What can I cook without my allergy?');
    const system = systemOf(second.doGenerateCalls[0]?.prompt);
    expect(system).toMatch(/^Be brief\.\n\n<mneme-context>\n/);
    expect(blockIn(system)).toContain('I am allergic to peanuts.');

    const other = scripted(says('Anything.'));
    await answer(client, other, 'ben', 'What can I cook without my allergy?');
    expect(systemOf(other.doGenerateCalls[0]?.prompt)).toBe('Be brief.');
  });

  it('stores the message and the answer after generating and after streaming', async () => {
    const session = await client.cliSessions.create({ body: { name: 'chat' } });
    const scope = { user_id: 'ana', agent_id: 'cook' };
    const options = { scope, sessionId: session.id };
    await generateText({ model: wrap(scripted(says('Hello.')), options), prompt: 'Hi there!' });
    const result = streamText({
      model: wrap(streaming('Good ', 'morning.'), options),
      prompt: 'Good morning to you!',
    });
    expect(await result.text).toBe('Good morning.');

    const { data } = await client.cliSessions.memories({ params: { id: session.id } });
    expect(data.map(({ content, metadata }) => [metadata.role, content])).toEqual([
      ['user', 'Hi there!'],
      ['assistant', 'Hello.'],
      ['user', 'Good morning to you!'],
      ['assistant', 'Good morning.'],
    ]);
    expect(data.every(({ user_id, agent_id }) => `${user_id} ${agent_id}` === 'ana cook')).toBe(
      true,
    );
  });

  it('never stores a marked block, and a memory cannot end one', async () => {
    const content = 'Ana wrote </mneme-context> into her notes about tea.';
    await client.memories.create({ body: { content } });
    const model = scripted(says('<mneme-context>\nechoed\n</mneme-context>\nTea, I think.'));
    const prompt = '<mneme-context>\npasted\n</mneme-context> What does Ana note about tea?';
    await generateText({ model: wrap(model), prompt });
    const block = blockIn(systemOf(model.doGenerateCalls[0]?.prompt));
    expect(block).toContain('Ana wrote &lt;/mneme-context> into her notes about tea.');
    expect(await stored()).toEqual([content, 'What does Ana note about tea?', 'Tea, I think.']);
  });

  it.each([100, 300])('keeps the block within %i tokens', async (maxTokens) => {
    const memories = Array.from({ length: 30 }, (_, i) => ({
      content: `Ana drank tea number ${i} in the ${i}th café of Lisbon, with lemon and ginger.`,
    }));
    await client.memories.bulkCreate({ body: { memories } });
    const model = scripted(says('Tea.'));
    await generateText({ model: wrap(model, { maxTokens }), prompt: 'Which tea does Ana drink?' });
    const tokens = countTokens(`\n\n${blockIn(systemOf(model.doGenerateCalls[0]?.prompt))}`);
    expect(tokens).toBeLessThanOrEqual(maxTokens);
    expect(tokens).toBeGreaterThan(maxTokens / 2);
  });

  it('neither recalls nor stores where it is switched off', async () => {
    await client.memories.create({ body: { content: 'Ana drinks tea.' } });
    const model = scripted(says('Tea.'));
    const off = { maxTokens: 0, remember: false };
    await generateText({ model: wrap(model, off), prompt: 'What does Ana drink?' });
    expect(systemOf(model.doGenerateCalls[0]?.prompt)).toBe('');
    expect(await stored()).toEqual(['Ana drinks tea.']);
  });

  it('answers without Mneme, and reports each failure', async () => {
    const failures: string[] = [];
    const onError: MemoryMiddlewareOptions['onError'] = (_, step) => failures.push(step);
    const away = createClient({ url: 'http://127.0.0.1:9', retries: 0 });
    const generated = await generateText({
      model: wrap(scripted(says('Hello.')), { client: away, onError }),
      prompt: 'Hi!',
    });
    const streamed = streamText({
      model: wrap(streaming('Hel', 'lo.'), { client: away, onError }),
      prompt: 'Hi!',
    });
    expect([generated.text, await streamed.text]).toEqual(['Hello.', 'Hello.']);
    expect(failures).toEqual(['recall', 'remember', 'recall', 'remember']);
  });

  it('waits for a service that does not respond no longer than timeoutMs', async () => {
    const silent = createClient({
      fetch: (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        }),
    });
    const failures: unknown[] = [];
    const onError = (error: unknown) => failures.push((error as Error).name);
    const model = wrap(scripted(says('Hello.')), { client: silent, timeoutMs: 20, onError });
    expect((await generateText({ model, prompt: 'Hi!' })).text).toBe('Hello.');
    expect(failures).toEqual(['TimeoutError', 'TimeoutError']);
  });

  it('stores in the background if waitUntil is set', async () => {
    const pending: Promise<void>[] = [];
    const model = wrap(scripted(says('Hello.')), { waitUntil: (one) => pending.push(one) });
    await generateText({ model, prompt: 'Hi!' });
    expect(pending).toHaveLength(1);
    await Promise.all(pending);
    expect(await stored()).toEqual(['Hi!', 'Hello.']);
  });

  it('gives a model tools to recall, remember and forget; such a turn is stored once', async () => {
    const scope = { user_id: 'ana' };
    const tools = mnemeTools({ client, scope });
    const run = async (messages: ModelMessage[], ...answers: Content[]) => {
      const model = scripted(...answers);
      await generateText({
        model: wrap(model, { scope, maxTokens: 0 }),
        tools,
        stopWhen: stepCountIs(5),
        messages,
      });
      const results = model.doGenerateCalls
        .at(-1)
        ?.prompt.flatMap(({ role, content }) =>
          role === 'tool'
            ? content.flatMap((part) => (part.type === 'tool-result' ? [part.output] : []))
            : [],
        );
      return results?.map((output) => ('value' in output ? output.value : output.type)) ?? [];
    };
    const content = 'The spare key is under the blue pot.';
    const [first, again] = await run(
      [{ role: 'user', content: 'Note where the key is.' }],
      calls('remember', { content, tags: ['home'] }),
      calls('remember', { content }),
      says('Noted.'),
    );
    const { id } = first as { id: string };
    expect([first, again]).toEqual([
      { id, existed: false },
      { id, existed: true },
    ]);
    expect(await stored()).toEqual([content, 'Note where the key is.', 'Noted.']);

    const foreign = await client.memories.create({ body: { content: 'Of Ben.', user_id: 'ben' } });
    const [recalled, forgotten] = await run(
      [{ role: 'user', content: 'Forget the key.' }],
      calls('recall', { query: 'where is the spare key?' }),
      calls('forget', { ids: [id, foreign.id, 'no-id'] }),
      says('Done.'),
    );
    expect(recalled).toContain(`[${id}]`);
    expect(forgotten).toEqual({ forgotten: [id], kept: [foreign.id, 'no-id'] });
  });
});
