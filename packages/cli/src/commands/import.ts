import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { addRedactionCounts, type RedactionCounts } from '@mneme/contract/redaction';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { CliError } from '../errors.ts';
import { formatTable } from '../format.ts';
import { addCommand, toSpaceField } from '../options.ts';
import { parseTranscript, transcriptFormats } from '../transcripts/formats.ts';
import {
  importSession,
  type PreparedSession,
  prepareSession,
} from '../transcripts/import-session.ts';
import { addImportArchiveCommand } from './import-archive.ts';
import { addImportFormatCommands } from './import-format.ts';

interface Options {
  readonly since?: Date;
  readonly folder?: string;
  readonly space?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface Report {
  readonly client: string;
  readonly sessions: number;
  readonly turns: number;
  readonly stored: number;
  readonly skipped_sessions: number;
  readonly redacted: RedactionCounts;
}

/** What `mneme import` reads. */
export function fillImportCommand(parent: Command, context: CommandContext): void {
  addImportFormatCommands(parent, context);
  addImportArchiveCommand(parent, context);
  addImportTranscriptsCommand(parent, context);
}

/** `mneme import transcripts <client>`: stores what earlier sessions of an agent said. */
function addImportTranscriptsCommand(parent: Command, context: CommandContext): void {
  addCommand(parent, 'transcripts', 'store the sessions that a coding agent has on this machine')
    .addArgument(new Argument('<client>', 'the agent').choices(Object.keys(transcriptFormats)))
    .option('--since <date>', 'only turns of this time or later', parseDate)
    .option('--folder <path>', 'where the transcripts are (default: the folder of the agent)')
    .option('--space <name or id>', 'store the sessions in this space')
    .option('--dry-run', 'count, and send nothing')
    .action(async (client: string, options: Options) => {
      const report = await importTranscripts(context, client, options);
      printResult(context, options, report, () => describe(report, options));
    });
}

function parseDate(text: string): Date {
  const date = new Date(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(date.getTime())) {
    throw new InvalidArgumentError('Must be a date such as 2026-03-01.');
  }
  return date;
}

async function importTranscripts(
  context: CommandContext,
  name: string,
  options: Options,
): Promise<Report> {
  const format = transcriptFormats[name];
  if (!format) throw new Error(`${name} has no format`);
  const files = await listFiles(options.folder ?? path.join(os.homedir(), ...format.folder));
  const client = options.dryRun ? null : await context.client();
  const contentBytesMax =
    (await client?.account.get())?.limits.content_bytes ?? Number.POSITIVE_INFINITY;
  const target = { origin: name, space: toSpaceField(options.space), sleep: context.sleep };
  const progress = context.progress();
  let [sessions, turns, stored, skipped] = [0, 0, 0, 0];
  let redacted: RedactionCounts = {};
  for (const [i, file] of files.entries()) {
    progress.update(i / files.length, `${i} of ${files.length} files`);
    const transcript = parseTranscript(format, (await fs.readFile(file, 'utf8')).split('\n'));
    if (transcript === null) continue;
    const prepared: PreparedSession = prepareSession(transcript, {
      since: options.since ?? null,
      contentBytesMax,
    });
    if (prepared.messages.length === 0) continue;
    sessions += 1;
    turns += prepared.messages.length;
    redacted = addRedactionCounts(redacted, prepared.redacted);
    if (client === null) continue;
    const result = await importSession({ client, ...target }, prepared);
    stored += result.stored;
    skipped += result.skipped ? 1 : 0;
  }
  progress.update(1, `${files.length} files`);
  progress.end();
  return { client: name, sessions, turns, stored, skipped_sessions: skipped, redacted };
}

/** All `.jsonl` files below a folder, in the order of their names. */
async function listFiles(folder: string): Promise<string[]> {
  try {
    const names = await fs.readdir(folder, { recursive: true });
    return names
      .filter((file) => file.endsWith('.jsonl'))
      .toSorted()
      .map((file) => path.join(folder, file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError('unreadable_folder', `Cannot read the transcripts in ${folder} (${code}).`);
  }
}

function describe(report: Report, { dryRun }: Options): string[] {
  const kinds = Object.entries(report.redacted).map(([kind, count]) => `${count} ${kind}`);
  return formatTable([
    ['sessions', String(report.sessions)],
    ['turns', String(report.turns)],
    [dryRun ? 'not stored' : 'stored', dryRun ? '--dry-run' : String(report.stored)],
    ['skipped sessions', String(report.skipped_sessions)],
    ['redacted secrets', kinds.join(', ') || 'none'],
  ]);
}
