import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type Context, printResult } from '../context.ts';
import { excerpt, formatTable, formatTimeRange, toOneLine } from '../format.ts';
import { openFile } from '../input.ts';
import { addCommand, parseCommaList, parseInteger } from '../options.ts';
import { waitForJob } from '../wait-for-job.ts';

type SearchHit = Awaited<ReturnType<Client['search']['post']>>['results'][number];

interface OutputOptions {
  readonly json?: boolean;
}

interface AddOptions extends OutputOptions {
  readonly tags?: string[];
  readonly space?: string;
  readonly priority?: number;
  readonly file?: string;
  readonly title?: string;
  readonly wait?: boolean;
}

/** `mneme add`. */
export function registerAddCommand(program: Command, context: Context): void {
  addCommand(program, 'add', 'store a memory: a text, or a file of text, sound or video')
    .argument('[text]', 'what to remember; - reads it from stdin')
    .option('--file <path>', 'a file to remember in place of a text')
    .option('--title <text>', 'what the file is about; its name unless told')
    .option('--wait', 'end when what is said in the file is known, and show it')
    .option('--tags <a,b>', 'labels', parseCommaList)
    .option('--space <id>', 'the space it belongs to')
    .option('--priority <n>', 'how much it matters, 0 to 10', parseInteger)
    .action(async (text: string | undefined, options: AddOptions, command: Command) => {
      const { file, title, wait, tags, space: space_id, priority } = options;
      if ((text === undefined) === (file === undefined)) command.error('give a text, or --file');
      if (file === undefined && (title !== undefined || wait)) {
        command.error('--title and --wait belong to --file');
      }
      const fields = { tags, space_id, priority };
      const opened = file === undefined ? null : await openFile(file);
      const client = await context.client();
      const content = text === '-' ? await context.readInput() : (text ?? '');
      const memory = opened
        ? await client.memories.upload({ ...opened, ...fields, title })
        : await client.memories.create({ body: { ...fields, content } });
      printResult(context, options, memory, () => [`stored ${memory.id}`]);
      const isHeard = memory.content_type === 'audio' || memory.content_type === 'video';
      if (wait && isHeard) await printTranscript(context, client, memory.id, options);
    });
}

/** Waits until a recording is transcribed. Throws what kept it from being so. */
async function printTranscript(
  context: Context,
  client: Client,
  id: string,
  { json = false }: OutputOptions,
): Promise<void> {
  const params = { id };
  const begun = await client.media.transcript({ params });
  if ('job_id' in begun) {
    const job = { params: { id: begun.job_id } };
    const shown = { label: () => 'transcribed', isQuiet: json };
    await waitForJob(context, () => client.operations.job(job), shown);
  }
  const told = await client.media.transcript({ params });
  if (!json && 'full_transcript' in told) context.writeLine(toOneLine(told.full_transcript));
}

/** `mneme search`. */
export function registerSearchCommand(program: Command, context: Context): void {
  addCommand(program, 'search', 'find memories by meaning and by words')
    .argument('<query>', 'what to look for')
    .option('--limit <n>', 'at most so many', parseInteger)
    .option('--space <id>', 'only in this space; "default" is the account level')
    .action(async (q: string, options: OutputOptions & { limit?: number; space?: string }) => {
      const { search } = await context.client();
      const { limit, space: space_id } = options;
      const answer = await search.post({ body: { q, limit, space_id } });
      printResult(context, options, answer, () => describeResults(answer.results));
    });
}

function describeResults(results: readonly SearchHit[]): string[] {
  if (results.length === 0) return ['nothing found'];
  return formatTable(
    results.map((found) => {
      const score = found.score.toFixed(2);
      if (found.type === 'memory') return [score, found.id, excerpt(found.content)];
      // The recording is a memory, its segments are none.
      const place = formatTimeRange(found.start_time, found.end_time);
      return [score, found.audio_file_id, `${place} ${excerpt(found.text)}`];
    }),
  );
}
