import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import type { CommandData } from '../command-data.ts';
import { addOptions, givenBy } from '../command-options.ts';
import { type CommandContext, printResult } from '../context.ts';
import { toOneLine } from '../format.ts';
import { isFile, openFile } from '../input.ts';
import { addOutputOptions, parseCommaList, parseInteger } from '../options.ts';
import { describeRequest, renderRequest } from '../requests/dry-run.ts';
import { buildInput } from '../requests/input.ts';
import { findOperation } from '../requests/operations.ts';
import { waitForJob } from '../wait-for-job.ts';
import { sendFile } from './send-file.ts';

interface OutputOptions {
  readonly json?: boolean;
  readonly jsonl?: boolean;
}

interface AddOptions extends OutputOptions {
  readonly file?: string;
  readonly title?: string;
  readonly wait?: boolean;
  readonly dryRun?: boolean;
}

type Fields = Omit<Parameters<Client['memories']['create']>[0]['body'] & object, 'content'>;

/** `mneme add`: the fields of `memories create`, and files. */
export function fillAddCommand(command: Command, data: CommandData, context: CommandContext): void {
  command
    .argument('[text]', 'the text to store; - reads it from stdin')
    .option('--file <path>', 'the file to store instead of a text')
    .option('--title <text>', 'the title of the file (default: its name)')
    .option('--wait', 'wait for the transcript of the recording and print it')
    .option('--tags <a,b>', 'tags of the memory', parseCommaList)
    .option('--space <name>', 'the space of the memory, by name or id')
    .option('--user <id>', 'the user whom the memory belongs to')
    .option('--agent <id>', 'the agent whom the memory belongs to')
    .option('--run <id>', 'the run that the memory belongs to')
    .option('--priority <n>', 'the priority, 0 to 10', parseInteger)
    .option('--supersedes <ids>', 'the memories that it replaces', parseCommaList);
  addOptions(command, data.options ?? []);
  command.option('--dry-run', 'print the request without sending it');
  addOutputOptions(command);
  command.action(async (text: string | undefined) => {
    const { file, title, wait } = command.opts<AddOptions>();
    if ((text === undefined) === (file === undefined)) command.error('specify a text or --file');
    if (file === undefined && (title !== undefined || wait)) {
      command.error('--title and --wait require --file');
    }
    await add(command, data, context, text);
  });
}

async function add(
  command: Command,
  data: CommandData,
  context: CommandContext,
  text: string | undefined,
): Promise<void> {
  const options = command.opts<AddOptions>();
  const { file, title, wait } = options;
  // The text is no reference to a file: a stored text may start with @.
  const given = { ...givenBy(command, data), arguments: [] };
  const { body } = await buildInput({ ...data, arguments: [] }, given, context);
  const fields = body as Fields;
  const opened = file === undefined ? null : await openFile(file);
  const content = text === '-' ? await context.readInput() : (text ?? '');
  if (options.dryRun) {
    const shown = file === undefined ? { content } : { title, file };
    return printRequest(context, { ...fields, ...shown }, options);
  }
  const isQuiet = options.json === true || options.jsonl === true;
  const client = await context.client();
  const memory = opened
    ? await sendFile(context, { ...opened, ...fields, title }, isQuiet)
    : await client.memories.create({ body: { ...fields, content } });
  printResult(context, options, memory, () => [`stored ${memory.id}`]);
  if (text !== undefined && (await isFile(text))) {
    const advice = `to store the file: mneme add --file ${toOneLine(text)}`;
    context.writeStderrLine(`mneme: stored the text and not the file of this name; ${advice}`);
  }
  const isRecording = memory.content_type === 'audio' || memory.content_type === 'video';
  if (wait && isRecording) await printTranscript(context, client, memory.id, options);
}

function printRequest(context: CommandContext, body: object, options: OutputOptions): void {
  const request = describeRequest(findOperation('memories.create'), { body });
  printResult(context, options, request, () => renderRequest(request));
}

/** Waits for the transcript of a recording and prints it. Throws CliError `job_failed`. */
async function printTranscript(
  context: CommandContext,
  client: Client,
  id: string,
  { json = false, jsonl = false }: OutputOptions,
): Promise<void> {
  const params = { id };
  const isQuiet = json || jsonl;
  const initial = await client.media.transcript({ params });
  if ('job_id' in initial) {
    const job = { params: { id: initial.job_id } };
    const shown = { label: () => 'transcribed', isQuiet };
    await waitForJob(context, () => client.jobs.get(job), shown);
  }
  const transcript = await client.media.transcript({ params });
  if (!isQuiet && 'full_transcript' in transcript) {
    context.writeLine(toOneLine(transcript.full_transcript));
  }
}
