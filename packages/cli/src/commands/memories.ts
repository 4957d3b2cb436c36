import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { excerpt, formatTable, formatTimeRange, toOneLine } from '../format.ts';
import { openFile } from '../input.ts';
import { addCommand, parseCommaList, parseInteger, toSpaceField } from '../options.ts';
import { waitForJob } from '../wait-for-job.ts';

type SearchHit = Awaited<ReturnType<Client['search']['post']>>['results'][number];

interface OutputOptions {
  readonly json?: boolean;
}

interface AddOptions extends OutputOptions {
  readonly tags?: string[];
  readonly space?: string;
  readonly user?: string;
  readonly agent?: string;
  readonly run?: string;
  readonly priority?: number;
  readonly supersedes?: string[];
  readonly file?: string;
  readonly title?: string;
  readonly wait?: boolean;
}

interface SearchOptions extends OutputOptions {
  readonly limit?: number;
  readonly space?: string;
  readonly user?: string;
  readonly agent?: string;
  readonly run?: string;
  readonly asOf?: string;
}

/** `mneme add`. */
export function registerAddCommand(program: Command, context: CommandContext): void {
  addCommand(program, 'add', 'store a memory: a text, or a file of text, audio or video')
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
    .option('--supersedes <ids>', 'the memories that it replaces', parseCommaList)
    .action(async (text: string | undefined, options: AddOptions, command: Command) => {
      const { file, title, wait, tags, priority, supersedes } = options;
      const { user: user_id, agent: agent_id, run: run_id } = options;
      if ((text === undefined) === (file === undefined)) command.error('specify a text or --file');
      if (file === undefined && (title !== undefined || wait)) {
        command.error('--title and --wait require --file');
      }
      const place = { ...toSpaceField(options.space), user_id, agent_id, run_id };
      const fields = { tags, ...place, priority, supersedes };
      const opened = file === undefined ? null : await openFile(file);
      const client = await context.client();
      const content = text === '-' ? await context.readInput() : (text ?? '');
      const memory = opened
        ? await client.memories.upload({ ...opened, ...fields, title })
        : await client.memories.create({ body: { ...fields, content } });
      printResult(context, options, memory, () => [`stored ${memory.id}`]);
      const isRecording = memory.content_type === 'audio' || memory.content_type === 'video';
      if (wait && isRecording) await printTranscript(context, client, memory.id, options);
    });
}

/** Waits for the transcript of a recording and prints it. Throws CliError `job_failed`. */
async function printTranscript(
  context: CommandContext,
  client: Client,
  id: string,
  { json = false }: OutputOptions,
): Promise<void> {
  const params = { id };
  const initial = await client.media.transcript({ params });
  if ('job_id' in initial) {
    const job = { params: { id: initial.job_id } };
    const shown = { label: () => 'transcribed', isQuiet: json };
    await waitForJob(context, () => client.jobs.get(job), shown);
  }
  const transcript = await client.media.transcript({ params });
  if (!json && 'full_transcript' in transcript) {
    context.writeLine(toOneLine(transcript.full_transcript));
  }
}

/** `mneme search`. */
export function registerSearchCommand(program: Command, context: CommandContext): void {
  addCommand(program, 'search', 'find memories by meaning and by words')
    .argument('<query>', 'the search query')
    .option('--limit <n>', 'the maximum number of results', parseInteger)
    .option('--space <name>', 'only in this space, by name or id; "default": account level')
    .option('--user <id>', 'only memories of this user')
    .option('--agent <id>', 'only memories of this agent')
    .option('--run <id>', 'only memories of this run')
    .option('--as-of <time>', 'what held at this time')
    .action(async (q: string, options: SearchOptions) => {
      const { search } = await context.client();
      const { limit, user: user_id, agent: agent_id, run: run_id } = options;
      const scope = { ...toSpaceField(options.space), user_id, agent_id, run_id };
      const response = await search.post({ body: { q, limit, ...scope, as_of: options.asOf } });
      printResult(context, options, response, () => describeResults(response.results));
    });
}

function describeResults(results: readonly SearchHit[]): string[] {
  if (results.length === 0) return ['nothing found'];
  return formatTable(
    results.map((hit) => {
      const score = hit.score.toFixed(2);
      if (hit.type === 'memory') return [score, hit.id, excerpt(hit.content)];
      // The recording is a memory; its segments are not.
      const timeRange = formatTimeRange(hit.start_time, hit.end_time);
      return [score, hit.audio_file_id, `${timeRange} ${excerpt(hit.text)}`];
    }),
  );
}
