import { constants, getPriority, setPriority } from 'node:os';
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { resolveScriptUrl } from '../../kernel/script-url.ts';
import type { ModelFailure, ModelRequest, ModelResponse } from './protocol.ts';

/**
 * In the process: answers questions by what `load` makes of the task. It is loaded with the first
 * question; where that fails, with the next.
 * @param priority as the system counts: unless told otherwise, requests to the service come first
 */
export function serveModelRequests<Task, Question>(
  load: (task: Task) => Promise<(question: Question) => Promise<unknown>>,
  priority: number = constants.priority.PRIORITY_BELOW_NORMAL,
): void {
  // Before the library makes its threads, which take it over. Less is never given back.
  setPriority(Math.max(getPriority(), priority));
  // Whoever stops the service may signal all that it started: this one ends with it, not before.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  // Beside this thread, which computes for seconds without looking.
  new Worker(resolveScriptUrl(new URL('./parent-watch.ts', import.meta.url)), {
    name: 'mneme-parent-watch',
    resourceLimits: { maxYoungGenerationSizeMb: 1 },
  });
  let loading: ReturnType<typeof load> | undefined;
  async function answer({ task, input }: ModelRequest): Promise<ModelResponse> {
    try {
      loading ??= load(task as Task);
      loading.catch(() => {
        loading = undefined;
      });
      const model = await loading;
      return { answer: await model(input as Question) };
    } catch (error) {
      return { failed: toFailure(error) };
    }
  }
  process.on('message', async (asked: ModelRequest) => process.send?.(await answer(asked)));
}

function toFailure(error: unknown): ModelFailure {
  const { name, message, unavailable, isPermanent } = error as Partial<ModelFailure>;
  return {
    name: String(name),
    message: String(message),
    unavailable: unavailable === true,
    isPermanent: isPermanent === true,
    inspected: inspect(error),
  };
}
