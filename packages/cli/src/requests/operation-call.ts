import type { Client, Operation } from '@mneme/sdk';
import type { CommandData } from '../command-data.ts';
import type { CommandContext } from '../context.ts';
import type { RequestInput } from './input.ts';

/** Options that the commands of the API share. */
export interface SharedOptions {
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly limit?: number;
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
  readonly output?: string;
  readonly body?: string;
}

/** What the code of one operation does differently. */
export interface Variation {
  /** Lines for people. */
  readonly describe?: (result: never, context: CommandContext) => readonly string[];
  /** Replaces the call, its confirmation and its dry run. */
  readonly call?: (call: OperationCall) => Promise<unknown>;
  /** Changes the input before the call, such as a name to an id. */
  readonly resolve?: (call: OperationCall) => Promise<RequestInput>;
}

/** A call with all that it needs. */
export interface OperationCall {
  readonly context: CommandContext;
  readonly command: CommandData;
  readonly operation: Operation;
  readonly client: Client;
  readonly input: RequestInput;
  readonly options: SharedOptions;
}
