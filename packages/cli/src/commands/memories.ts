import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type Context, show } from '../context.ts';
import { follow } from '../follow.ts';
import { excerpt, oneLine, span, table } from '../format.ts';
import { openFile } from '../input.ts';
import { commaList, integer, leaf } from '../options.ts';

type Found = Awaited<ReturnType<Client['search']['post']>>['results'][number];

interface Shown {
  readonly json?: boolean;
}

interface Attributes extends Shown {
  readonly tags?: string[];
  readonly space?: string;
  readonly priority?: number;
  readonly file?: string;
  readonly title?: string;
  readonly wait?: boolean;
}

/** `mneme add`. */
export function addAdd(program: Command, context: Context): void {
  leaf(program, 'add', 'store a memory: a text, or a file of text, sound or video')
    .argument('[text]', 'what to remember; - reads it from stdin')
    .option('--file <path>', 'a file to remember in place of a text')
    .option('--title <text>', 'what the file is about; its name unless told')
    .option('--wait', 'end when what is said in the file is known, and show it')
    .option('--tags <a,b>', 'labels', commaList)
    .option('--space <id>', 'the space it belongs to')
    .option('--priority <n>', 'how much it matters, 0 to 10', integer)
    .action(async (text: string | undefined, options: Attributes, command: Command) => {
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
      show(context, options, memory, () => [`stored ${memory.id}`]);
      const isHeard = memory.content_type === 'audio' || memory.content_type === 'video';
      if (wait && isHeard) await showWords(context, client, memory.id, options);
    });
}

/** Waits until a recording is transcribed. Throws what kept it from being so. */
async function showWords(
  context: Context,
  client: Client,
  id: string,
  { json = false }: Shown,
): Promise<void> {
  const params = { id };
  const begun = await client.media.transcript({ params });
  if ('job_id' in begun) {
    const job = { params: { id: begun.job_id } };
    const shown = { label: () => 'transcribed', isQuiet: json };
    await follow(context, () => client.operations.job(job), shown);
  }
  const told = await client.media.transcript({ params });
  if (!json && 'full_transcript' in told) context.writeLine(oneLine(told.full_transcript));
}

/** `mneme search`. */
export function addSearch(program: Command, context: Context): void {
  leaf(program, 'search', 'find memories by meaning and by words')
    .argument('<query>', 'what to look for')
    .option('--limit <n>', 'at most so many', integer)
    .option('--space <id>', 'only in this space; "default" is the account level')
    .action(async (q: string, options: Shown & { limit?: number; space?: string }) => {
      const { search } = await context.client();
      const { limit, space: space_id } = options;
      const answer = await search.post({ body: { q, limit, space_id } });
      show(context, options, answer, () => describeResults(answer.results));
    });
}

function describeResults(results: readonly Found[]): string[] {
  if (results.length === 0) return ['nothing found'];
  return table(
    results.map((found) => {
      const score = found.score.toFixed(2);
      if (found.type === 'memory') return [score, found.id, excerpt(found.content)];
      // The recording is a memory, its segments are none.
      const place = span(found.start_time, found.end_time);
      return [score, found.audio_file_id, `${place} ${excerpt(found.text)}`];
    }),
  );
}
