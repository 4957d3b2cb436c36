import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  Conversation,
  Statement,
} from '../../../packages/server/src/providers/language/index.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { scriptedLanguage } from '../knowledge/scripted-extraction.ts';

describe.each(oneEngine)('memories from messages by a model on %s', (engine) => {
  let service: Service;
  let asked: Conversation[] = [];
  /** What the model states of the next conversation. */
  let states: (conversation: Conversation) => Promise<Statement[]>;
  beforeAll(async () => {
    const statements = async (conversation: Conversation) => {
      asked.push(conversation);
      return { model: 'scripted', value: await states(conversation) };
    };
    const language = { ...scriptedLanguage, statements };
    service = await startService(engine, { overrides: { language } });
  });
  afterAll(() => service.stop());

  const open = async () => {
    asked = [];
    const { client } = await service.createAccount();
    return (...contents: string[]) => {
      const messages = contents.map((content) => ({ role: 'user', content }));
      return client.memories.fromMessages({ body: { messages } });
    };
  };

  it('asks it only about new messages, with the others as context', async () => {
    const tell = await open();
    states = async () => [{ content: 'Ana rows.', kind: 'fact', turns: [0] }];
    const first = await tell('She rows.');
    expect(first.memories).toMatchObject([{ content: 'Ana rows.', action: 'added' }]);
    states = async () => [
      { content: 'Ana rows.', kind: 'fact', turns: [0] },
      { content: 'Ana rows daily.', kind: 'fact', turns: [0, 1] },
    ];
    const second = await tell('She rows.', 'Daily.');
    expect(asked.map(({ turns }) => turns.map(({ isKnown }) => isKnown))).toEqual([
      [false],
      [true, false],
    ]);
    expect(second.memories).toMatchObject([
      { content: 'Ana rows.', action: 'unchanged', source_ids: [second.turns[0]] },
      { content: 'Ana rows daily.', action: 'added', source_ids: second.turns },
    ]);
    await tell('She rows.', 'Daily.');
    expect(asked).toHaveLength(2);
  });

  it('tells it what is known, and supersedes what it says is replaced', async () => {
    const tell = await open();
    states = async () => [{ content: 'The launch is in May.', kind: 'plan', turns: [0] }];
    const { memories: known } = await tell('May!');
    states = async ({ findKnown }) => {
      const [found] = await findKnown('When is the launch?');
      expect(found).toEqual({ id: known[0]?.id, content: 'The launch is in May.' });
      const replaces = found?.id ?? '';
      return [{ content: 'The launch is in June.', kind: 'plan', turns: [0], replaces }];
    };
    const { memories } = await tell('June.');
    expect(memories).toMatchObject([{ content: 'The launch is in June.', action: 'updated' }]);
  });

  it('replaces nothing that it was not told of', async () => {
    const tell = await open();
    states = async () => [{ content: 'A.', kind: 'fact', turns: [0] }];
    const { memories: known } = await tell('a');
    const replaces = known[0]?.id ?? '';
    states = async () => [{ content: 'B.', kind: 'fact', turns: [0], replaces }];
    expect((await tell('b')).memories).toMatchObject([{ content: 'B.', action: 'added' }]);
  });
});
