import { jsonSchema, type Tool, tool } from 'ai';
import type { OperationCaller } from '../../calls.ts';
import { assertKnownNames } from '../../options.ts';
import {
  createMemoryToolActions,
  type ForgetInput,
  memoryToolSchemas,
  type RecallInput,
  type RememberInput,
} from '../memory-tools.ts';
import type { MemoryScope } from '../scope.ts';

export interface MemoryTools {
  readonly recall: Tool<RecallInput, string>;
  readonly remember: Tool<RememberInput, { id: string; existed: boolean }>;
  readonly forget: Tool<ForgetInput, { forgotten: string[]; kept: string[] }>;
  // The AI SDK takes tools as a record.
  readonly [name: string]: Tool;
}

/**
 * Tools with which a model recalls, stores and deletes memories itself.
 *
 * ```ts
 * await generateText({ model, tools: mnemeTools({ client }), stopWhen: stepCountIs(5), prompt });
 * ```
 */
export function mnemeTools(options: {
  readonly client: OperationCaller;
  readonly scope?: MemoryScope | undefined;
}): MemoryTools {
  assertKnownNames('mnemeTools', options, ['client', 'scope']);
  const actions = createMemoryToolActions(options.client, options.scope ?? {});
  const { recall, remember, forget } = memoryToolSchemas;
  return {
    recall: tool({
      description: recall.description,
      inputSchema: jsonSchema<RecallInput>(recall.schema),
      execute: (input, { abortSignal }) => actions.recall(input, { signal: abortSignal }),
    }),
    remember: tool({
      description: remember.description,
      inputSchema: jsonSchema<RememberInput>(remember.schema),
      execute: (input, { abortSignal }) => actions.remember(input, { signal: abortSignal }),
    }),
    forget: tool({
      description: forget.description,
      inputSchema: jsonSchema<ForgetInput>(forget.schema),
      execute: (input, { abortSignal }) => actions.forget(input, { signal: abortSignal }),
    }),
  };
}
