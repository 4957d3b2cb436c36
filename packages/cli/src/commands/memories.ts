import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type Context, show } from '../context.ts';
import { excerpt, table } from '../format.ts';
import { commaList, integer, leaf } from '../options.ts';

type Found = Awaited<ReturnType<Client['search']['post']>>['results'][number];

interface Shown {
  readonly json?: boolean;
}

interface Attributes extends Shown {
  readonly tags?: string[];
  readonly space?: string;
  readonly priority?: number;
}

/** `mneme add`. */
export function addAdd(program: Command, context: Context): void {
  leaf(program, 'add', 'store a memory')
    .argument('<text>', 'what to remember; - reads it from stdin')
    .option('--tags <a,b>', 'labels', commaList)
    .option('--space <id>', 'the space it belongs to')
    .option('--priority <n>', 'how much it matters, 0 to 10', integer)
    .action(async (text: string, options: Attributes) => {
      const { memories } = await context.client();
      const content = text === '-' ? await context.readInput() : text;
      const { tags, space: space_id, priority } = options;
      const memory = await memories.create({ body: { content, tags, space_id, priority } });
      show(context, options, memory, () => [`stored ${memory.id}`]);
    });
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
    results.map((found) => [
      found.score.toFixed(2),
      found.id,
      excerpt(found.type === 'memory' ? found.content : found.text),
    ]),
  );
}
