import type { Operation } from '@mneme/sdk';
import { saveBody } from '../binary-output.ts';
import type { CommandData } from '../command-data.ts';
import type { CommandContext } from '../context.ts';
import { UsageError } from '../errors.ts';
import { openFile } from '../input.ts';
import { confirm, describeTarget } from './confirm.ts';
import { describeRequest, renderRequest } from './dry-run.ts';
import { buildInput, type Given, type RequestInput } from './input.ts';
import type { OperationCall, SharedOptions, Variation } from './operation-call.ts';
import { findOperation } from './operations.ts';
import { emptyResult, printList, printResults } from './print.ts';
import { parseList } from './values.ts';
import { waitForResult } from './wait.ts';

/**
 * Runs the command of an operation. Throws UsageError before anything is sent, and what the SDK
 * throws.
 */
export async function runOperation(
  context: CommandContext,
  command: CommandData,
  commandLine: Given,
  options: SharedOptions,
  variation: Variation = {},
): Promise<void> {
  const operation = findOperation(command.operation);
  const given = await readIds(context, command, commandLine);
  const inputs = await buildInputs(context, command, given);
  if (options.dryRun && !variation.call) return printRequests(context, operation, inputs, options);
  if (command.confirms !== undefined && !variation.call && !isReversible(inputs)) {
    const question = describeTarget(command.confirms, given.arguments);
    const isSoftPossible = command.options?.some(({ flag }) => flag === 'soft') ?? false;
    const alternative = isSoftPossible ? '--soft' : '';
    await confirm(context, question, options.yes ?? false, alternative);
  }
  const acceptsAnyType = operation.binary === true || operation.text === true;
  const client = await context.client({ acceptsAnyType });
  const results: unknown[] = [];
  for (const input of inputs) {
    const call = { context, command, operation, client, input, options };
    const resolved = variation.resolve ? { ...call, input: await variation.resolve(call) } : call;
    const result = await (variation.call ?? performCall)(resolved);
    if (result !== printed) results.push(result);
  }
  await printResults(context, operation, command, results, options, variation.describe);
}

/** Marks a result that is printed already. */
const printed = Symbol('printed');

const isRepeatedId = (data: CommandData): boolean => {
  const last = data.arguments?.at(-1);
  return last?.variadic === true && last.place === 'params';
};

/** Repeated ids of a path can come from stdin, one per line. */
async function readIds(
  context: CommandContext,
  command: CommandData,
  given: Given,
): Promise<Given> {
  const texts = given.arguments.at(-1) ?? [];
  if (!isRepeatedId(command) || !texts.includes('-')) return given;
  const ids = await parseList(texts, context);
  if (ids.length === 0) throw new UsageError('stdin contains no ids');
  return { ...given, arguments: [...given.arguments.slice(0, -1), ids] };
}

/** One input, or one for each repeated id of a path. */
async function buildInputs(
  context: CommandContext,
  command: CommandData,
  given: Given,
): Promise<RequestInput[]> {
  const ids = given.arguments.at(-1) ?? [];
  if (!isRepeatedId(command) || ids.length < 2) return [await buildInput(command, given, context)];
  const before = given.arguments.slice(0, -1);
  const inputs: RequestInput[] = [];
  for (const one of ids) {
    inputs.push(await buildInput(command, { ...given, arguments: [...before, [one]] }, context));
  }
  return inputs;
}

/** What is hidden softly can be restored. */
const isReversible = (inputs: readonly RequestInput[]): boolean =>
  inputs.every(({ query, body }) => query?.soft === true || Object(body).soft === true);

async function printRequests(
  context: CommandContext,
  operation: Operation,
  inputs: readonly RequestInput[],
  { json, jsonl }: SharedOptions,
): Promise<void> {
  const requests = inputs.map((input) => describeRequest(operation, input));
  const [only] = requests;
  if (json) return context.writePage([JSON.stringify(requests.length === 1 ? only : requests)]);
  const lines = requests.flatMap((one) => (jsonl ? [JSON.stringify(one)] : renderRequest(one)));
  await context.writePage(lines);
}

/** Calls the operation as its kind requires. */
async function performCall(call: OperationCall): Promise<unknown> {
  const { context, command, operation, client, options } = call;
  const input = command.rawBody ? { ...call.input, body: await rawBody(call) } : call.input;
  if (operation.list) {
    await printList({ ...call, input });
    return printed;
  }
  const result = await client.call(operation, input);
  if (operation.binary) {
    await saveBody(context, result as Response, options);
    return printed;
  }
  const final = options.wait ? await waitForResult(call, result) : result;
  return final ?? emptyResult(call);
}

/** Bytes of stdin, or of a file. */
async function rawBody({ context, options: { body = '-' } }: OperationCall): Promise<Blob> {
  if (body !== '-') return (await openFile(body.replace(/^@/, ''))).file;
  const chunks: Uint8Array[] = [];
  for await (const chunk of context.input) chunks.push(chunk);
  return new Blob([Buffer.concat(chunks)]);
}
