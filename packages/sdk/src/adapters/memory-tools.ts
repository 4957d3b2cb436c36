import type { CallOptions, OperationCaller } from '../calls.ts';
import { isMnemeError } from '../errors.ts';
import {
  memoriesCreate,
  memoriesGet,
  memoriesRemove,
  searchRecall,
} from '../generated/operations.ts';
import { toQuery, toStorableText } from './context-block.ts';
import { isInScope, type MemoryScope } from './scope.ts';

export interface RecallInput {
  readonly query: string;
  readonly max_tokens?: number;
}
export interface RememberInput {
  readonly content: string;
  readonly tags?: readonly string[];
}
export interface ForgetInput {
  readonly ids: readonly string[];
}

/** What the tools of a model do, whatever the framework. Inputs are as in `memoryToolSchemas`. */
export interface MemoryToolActions {
  /** One line for each memory: id, date, text. */
  recall(input: RecallInput, options?: CallOptions): Promise<string>;
  /** `existed`: the same text was stored already. */
  remember(input: RememberInput, options?: CallOptions): Promise<{ id: string; existed: boolean }>;
  /** Deletes softly; ids that are unknown, protected or outside of the scope are in `kept`. */
  forget(
    input: ForgetInput,
    options?: CallOptions,
  ): Promise<{ forgotten: string[]; kept: string[] }>;
}

const text = (description: string, maxLength: number) =>
  ({ type: 'string', minLength: 1, maxLength, description }) as const;

const objectSchema = <P extends object>(properties: P, required: (string & keyof P)[]) =>
  ({ type: 'object', properties, required, additionalProperties: false }) as const;

/** Descriptions and JSON Schemas of the inputs. */
export const memoryToolSchemas = {
  recall: {
    description:
      'Recall what is stored in long-term memory: facts, preferences, decisions and events of ' +
      'earlier conversations. Call it before you answer what depends on them.',
    schema: objectSchema(
      {
        query: text('What to look for, as a question or keywords.', 1_000),
        max_tokens: {
          type: 'integer',
          minimum: 100,
          maximum: 100_000,
          description: 'Maximum length of the answer; default: 1500.',
        },
      },
      ['query'],
    ),
  },
  remember: {
    description:
      'Store something that is worth knowing in later conversations: one self-contained ' +
      'statement, with names instead of pronouns.',
    schema: objectSchema(
      {
        content: text('The statement.', 100_000),
        tags: {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 255 },
          maxItems: 100,
          description: 'Short labels.',
        },
      },
      ['content'],
    ),
  },
  forget: {
    description: 'Delete memories that the user wants to be forgotten, by their ids from recall.',
    schema: objectSchema(
      {
        ids: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 20 },
      },
      ['ids'],
    ),
  },
} as const;

export function createMemoryToolActions(
  client: OperationCaller,
  scope: MemoryScope,
): MemoryToolActions {
  return {
    async recall({ query, max_tokens = 1_500 }, options) {
      const body = { ...scope, query: toQuery(query), max_tokens, format: 'lines' } as const;
      const { context } = await client.call(searchRecall, { body }, options);
      return context === '' ? 'No memory matches.' : context;
    },
    async remember({ content, tags }, options) {
      const body = {
        ...scope,
        content: toStorableText(content),
        ...(tags ? { tags: [...tags] } : {}),
      };
      try {
        const { id } = await client.call(memoriesCreate, { body }, options);
        return { id, existed: false };
      } catch (error) {
        if (!isMnemeError(error, 'duplicate_memory')) throw error;
        return { id: error.details.memory_id, existed: true };
      }
    },
    async forget({ ids }, options) {
      const result = { forgotten: [] as string[], kept: [] as string[] };
      // Some models send a single id as text.
      for (const id of new Set(typeof ids === 'string' ? [ids] : ids)) {
        const list = (await forgetOne(client, scope, id, options)) ? 'forgotten' : 'kept';
        result[list].push(id);
      }
      return result;
    },
  };
}

async function forgetOne(
  client: OperationCaller,
  scope: MemoryScope,
  id: string,
  options: CallOptions | undefined,
): Promise<boolean> {
  try {
    const memory = await client.call(memoriesGet, { params: { id } }, options);
    if (!(await isInScope(client, scope, memory))) return false;
    await client.call(memoriesRemove, { params: { id }, query: { soft: true } }, options);
    return true;
  } catch (error) {
    const isKept = isMnemeError(
      error,
      'memory_not_found',
      'memory_protected',
      'confirmation_required',
    );
    // A model may invent ids of any form.
    if (isKept || isMnemeError(error, 'validation_error')) return false;
    throw error;
  }
}
