import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4Middleware,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import type { OperationCaller } from '../../calls.ts';
import { memoriesFromMessages, searchRecall } from '../../generated/operations.ts';
import { assertKnownNames } from '../../options.ts';
import {
  contextTokens,
  removeContextBlocks,
  toContextBlock,
  toQuery,
  toStorableText,
} from '../context-block.ts';
import type { MemoryScope } from '../scope.ts';

export interface MemoryMiddlewareOptions {
  readonly client: OperationCaller;
  /** Whose memories are recalled and stored, and in which space. */
  readonly scope?: MemoryScope | undefined;
  /** The Mneme session that the turns join. */
  readonly sessionId?: string | undefined;
  /** Maximum o200k tokens that are added to a prompt, default 1,500; 0 recalls nothing. */
  readonly maxTokens?: number | undefined;
  /** Whether the messages of a turn are stored; default: true. */
  readonly remember?: boolean | undefined;
  /** Maximum ms that a recall, and the storing of a turn, may take with retries; default: 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Stores turns in the background, such as `after` of Next.js; default: before the call ends. */
  readonly waitUntil?: ((stored: Promise<void>) => void) | undefined;
  /** Receives failures of Mneme, which never fail the call of the model. */
  readonly onError: (error: unknown, step: 'recall' | 'remember') => void;
}

const optionNames: readonly (keyof MemoryMiddlewareOptions)[] = [
  'client',
  'scope',
  'sessionId',
  'maxTokens',
  'remember',
  'timeoutMs',
  'waitUntil',
  'onError',
];

/**
 * Middleware for `wrapLanguageModel`. It recalls what the last user message is about, adds it to
 * the system prompt in a marked block, and stores that message and the answer. Marked blocks are
 * never stored. Calls that end with tool calls are stored when the last of them has its answer.
 *
 * ```ts
 * const middleware = mnemeMiddleware({ client, onError: console.warn });
 * const model = wrapLanguageModel({ model: openai('gpt-5'), middleware });
 * ```
 */
export function mnemeMiddleware(options: MemoryMiddlewareOptions): LanguageModelV4Middleware {
  assertKnownNames('mnemeMiddleware', options, optionNames);
  return {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => addMemories(options, params),
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      const texts = result.content.map((part) => (part.type === 'text' ? part.text : ''));
      await storeTurn(options, params.prompt, texts.join(''), result.finishReason);
      return result;
    },
    async wrapStream({ doStream, params }) {
      const { stream, ...rest } = await doStream();
      const store = (answer: string, reason: LanguageModelV4FinishReason) =>
        storeTurn(options, params.prompt, answer, reason);
      return { stream: stream.pipeThrough(storeAtEnd(store)), ...rest };
    },
  };
}

async function addMemories(
  options: MemoryMiddlewareOptions,
  params: LanguageModelV4CallOptions,
): Promise<LanguageModelV4CallOptions> {
  const { client, scope, maxTokens = 1_500 } = options;
  const query = toQuery(lastUserText(params.prompt));
  const max_tokens = contextTokens(maxTokens);
  if (query === '' || max_tokens === 0) return params;
  const context = await attempt(options, 'recall', async (signal) => {
    const body = { ...scope, query, max_tokens, format: 'lines' } as const;
    const ended = params.abortSignal ? AbortSignal.any([signal, params.abortSignal]) : signal;
    return (await client.call(searchRecall, { body }, { signal: ended })).context;
  });
  if (!context) return params;
  return { ...params, prompt: addToSystemPrompt(params.prompt, toContextBlock(context)) };
}

function addToSystemPrompt(prompt: LanguageModelV4Prompt, block: string): LanguageModelV4Prompt {
  const [first, ...rest] = prompt;
  if (first?.role !== 'system') return [{ role: 'system', content: block }, ...prompt];
  return [{ ...first, content: `${first.content}\n\n${block}` }, ...rest];
}

const noTurnReasons: readonly string[] = ['tool-calls', 'error', 'content-filter', 'interrupted'];

async function storeTurn(
  options: MemoryMiddlewareOptions,
  prompt: LanguageModelV4Prompt,
  answer: string,
  { unified }: LanguageModelV4FinishReason,
): Promise<void> {
  const { client, scope, sessionId, remember = true, waitUntil } = options;
  const messages = [
    { role: 'user', content: lastUserText(prompt) },
    { role: 'assistant', content: removeContextBlocks(toStorableText(answer)) },
  ].filter(({ content }) => content !== '');
  if (!remember || messages[0]?.role !== 'user' || noTurnReasons.includes(unified)) return;
  const stored = attempt(options, 'remember', async (signal) => {
    const body = {
      ...scope,
      ...(sessionId === undefined ? {} : { session_id: sessionId }),
      messages,
    };
    await client.call(memoriesFromMessages, { body }, { signal });
  });
  if (waitUntil) waitUntil(stored);
  else await stored;
}

/** Passes all parts on, and stores the text of a stream that came to its end. */
function storeAtEnd(
  store: (answer: string, reason: LanguageModelV4FinishReason) => Promise<void>,
): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  let answer = '';
  let reason: LanguageModelV4FinishReason | undefined;
  return new TransformStream({
    transform(part, controller) {
      if (part.type === 'text-delta') answer += part.delta;
      if (part.type === 'finish') reason = part.finishReason;
      controller.enqueue(part);
    },
    async flush() {
      if (reason) await store(answer, reason);
    },
  });
}

/** Runs one call of Mneme within the timeout; a failure is reported, and the result undefined. */
async function attempt<T>(
  { timeoutMs = 5_000, onError }: MemoryMiddlewareOptions,
  step: 'recall' | 'remember',
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await run(AbortSignal.timeout(timeoutMs));
  } catch (error) {
    onError(error, step);
    return undefined;
  }
}

/** The text of the last user message, without marked blocks; empty if there is none. */
function lastUserText(prompt: LanguageModelV4Prompt): string {
  const last = prompt.findLast((message) => message.role === 'user');
  return last ? removeContextBlocks(toStorableText(textOf(last))) : '';
}

function textOf({ content }: LanguageModelV4Message): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
