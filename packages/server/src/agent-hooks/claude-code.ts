import { limits, planLimits, routes } from '@mneme/contract';
import { cleanTurn, wrapInjectedContext } from '@mneme/contract/redaction';
import { z } from 'zod';
import type { Ctx } from '../domains/ctx.ts';
import type { AppError } from '../kernel/errors.ts';
import { validate } from '../kernel/validate.ts';
import type { RouteCaller } from '../mcp/call-route.ts';
import { describeError, ToolError } from '../mcp/tool-error.ts';
import { deriveFromSession, findAgentSession, type HookCall, retainTurn } from './agent-session.ts';

/** What a hook may answer; an empty object changes nothing. */
export interface HookAnswer {
  readonly hookSpecificOutput?: {
    readonly hookEventName: string;
    readonly additionalContext: string;
  };
  /** The client shows it to the user and goes on. */
  readonly systemMessage?: string;
}

interface Event {
  readonly session_id: string;
  readonly cwd?: string | undefined;
  readonly prompt?: string | undefined;
  readonly last_assistant_message?: string | null | undefined;
}

/** Fields of the events that are read; clients send more. */
const eventSchema = z.object({
  session_id: z.string().trim().min(1).max(limits.sessionNameCharactersMax),
  cwd: z.string().optional(),
  prompt: z.string().optional(),
  last_assistant_message: z.string().nullish(),
});

/** What an event may do, and what it is to report. */
class HookRun {
  readonly call: HookCall;
  readonly #toAppError: (error: unknown) => AppError;
  readonly #problems = new Set<string>();

  constructor(call: HookCall, toAppError: (error: unknown) => AppError) {
    this.call = call;
    this.#toAppError = toAppError;
  }

  /** Runs a step; its error is reported to the user and does not stop the agent. */
  async attempt<T>(step: () => Promise<T>): Promise<T | null> {
    try {
      return await step();
    } catch (thrown) {
      const { log, requestId } = this.call.ctx;
      if (thrown instanceof ToolError) this.#problems.add(thrown.message);
      else {
        const error = this.#toAppError(thrown);
        if (error.status >= 500)
          log.error({ err: error.cause ?? error, reqId: requestId }, 'agent hook failed');
        this.#problems.add(describeError(error));
      }
      return null;
    }
  }

  answer(eventName: string, context: string): HookAnswer {
    const problems = [...this.#problems].join(' ');
    return {
      ...(context === ''
        ? {}
        : {
            hookSpecificOutput: {
              hookEventName: eventName,
              additionalContext: wrapInjectedContext(context),
            },
          }),
      ...(problems === '' ? {} : { systemMessage: `Mneme: ${problems}` }),
    };
  }
}

interface HookOptions {
  readonly tokensMax: number;
}

type EventHandler = (run: HookRun, event: Event, options: HookOptions) => Promise<HookAnswer>;

const handlers: Readonly<Record<string, EventHandler>> = {
  async SessionStart(run, { cwd }, options) {
    const project = folderName(cwd);
    const query = `decisions, conventions and preferences of the project ${project}`;
    const context = project === '' ? '' : await recall(run, query, options);
    return run.answer('SessionStart', context);
  },
  async UserPromptSubmit(run, { prompt }, options) {
    const { text } = cleanTurn(prompt ?? '', contentBytesMax(run));
    if (text === '') return {};
    const context = await recall(run, text, options);
    await run.attempt(() => retainTurn(run.call, 'user', text));
    return run.answer('UserPromptSubmit', context);
  },
  async Stop(run, { last_assistant_message: message }) {
    const { text } = cleanTurn(message ?? '', contentBytesMax(run));
    if (text === '') return {};
    await run.attempt(() => retainTurn(run.call, 'assistant', text));
    return run.answer('Stop', '');
  },
  async SessionEnd(run) {
    await run.attempt(() => deriveFromSession(run.call));
    return run.answer('SessionEnd', '');
  },
};

const contentBytesMax = ({ call: { ctx } }: HookRun): number =>
  planLimits[ctx.actor.plan].content_bytes;

const folderName = (cwd: string | undefined): string =>
  (cwd ?? '').split(/[/\\]/).findLast((part) => part !== '') ?? '';

/** Tokens of the markers and the introduction. */
const frameTokens = 40;

/** A repeated question is the best match of itself, and lowers the scores of its answers. */
const repeatedQuestion = { threshold: 0, max_memories: 6 } as const;

/** Relevant memories of other sessions, at most the budget; empty if there are none. */
async function recall(run: HookRun, text: string, { tokensMax }: HookOptions): Promise<string> {
  const session = await run.attempt(() => findAgentSession(run.call));
  const body = {
    query: text.slice(0, limits.searchQueryCharactersMax).toWellFormed(),
    max_tokens: tokensMax - frameTokens,
    format: 'lines',
    ...(session === null ? {} : { exclude_session_id: session.id }),
  } as const;
  const answer = await run.attempt(async () => {
    const { callRoute } = run.call;
    const first = await callRoute(routes.search.recall, { body });
    if (!first.memories.some(({ content }) => content === text)) return first;
    return callRoute(routes.search.recall, { body: { ...body, ...repeatedQuestion } });
  });
  if (answer === null) return '';
  const repeated = answer.memories.filter(({ content }) => content === text);
  return answer.context
    .split('\n')
    .filter((line) => !repeated.some(({ id }) => line.startsWith(`[${id}]`)))
    .join('\n');
}

export interface ClaudeCodeRequest extends HookOptions {
  readonly ctx: Ctx;
  readonly callRoute: RouteCaller;
  readonly toAppError: (error: unknown) => AppError;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Handles an event of Claude Code. Other events than those above are answered with an empty object.
 * Throws 422 validation_error for invalid fields of the event.
 */
export async function handleClaudeCodeEvent(request: ClaudeCodeRequest): Promise<HookAnswer> {
  const { ctx, callRoute, toAppError, body, tokensMax } = request;
  const { hook_event_name: name } = body;
  const handle =
    typeof name === 'string' && Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  if (!handle) return {};
  const event = validate(eventSchema, body);
  const folder = cleanTurn(folderName(event.cwd)).text;
  const call = {
    ctx,
    callRoute,
    origin: 'claude-code',
    sessionName: event.session_id,
    folder: folder === '' ? undefined : folder.slice(0, limits.nameCharactersMax).toWellFormed(),
  };
  return handle(new HookRun(call, toAppError), event, { tokensMax });
}
