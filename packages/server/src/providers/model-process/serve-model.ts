import { constants } from 'node:os';
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { lowerPriority } from '../../kernel/process-priority.ts';
import { resolveScriptUrl } from '../../kernel/script-url.ts';
import type { ModelFailure, ModelRequest, ModelResponse } from './protocol.ts';

/**
 * Runs in the child process: serves requests with the model that `load` returns for the task. The
 * model is loaded with the first request; after a failure, with the next one.
 * @param priority process priority; by default, below the server's own requests
 */
export function serveModelRequests<Task, Question>(
  load: (task: Task) => Promise<(question: Question) => Promise<unknown>>,
  priority: number = constants.priority.PRIORITY_BELOW_NORMAL,
): void {
  // Set before the library creates its threads, which inherit it. A lowered priority cannot be
  // raised again.
  lowerPriority(priority);
  // A signal may reach all processes of the server: this one exits with the server, not before.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  // In a separate thread, since this one computes for seconds without yielding.
  new Worker(resolveScriptUrl(new URL('./parent-watch.ts', import.meta.url)), {
    name: 'mneme-parent-watch',
    resourceLimits: { maxYoungGenerationSizeMb: 1 },
  });
  let loading: ReturnType<typeof load> | undefined;
  async function respond({ task, input }: ModelRequest): Promise<ModelResponse> {
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
  process.on('message', async (request: ModelRequest) => process.send?.(await respond(request)));
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
