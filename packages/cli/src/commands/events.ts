import { type PublicEvent, routes } from '@mneme/sdk';
import type { Command } from 'commander';
import { type Context, printResult } from '../context.ts';
import { addCommand } from '../options.ts';

interface EventsOptions {
  readonly json?: boolean;
  readonly follow?: boolean;
  /** Whatever was typed: the service knows which types there are, and says so. */
  readonly type?: PublicEvent['type'];
  readonly cursor?: string;
}

/** `mneme events`: what has happened, or with `--follow` what happens. */
export function registerEventsCommand(program: Command, context: Context): void {
  addCommand(program, 'events', 'what happened in the last 30 days, oldest first')
    .option('--follow', 'what happens from now on, until you stop it')
    .option('--type <type>', 'only this one, such as memory.created')
    .option('--cursor <cursor>', 'go on after this place; --json --follow shows it')
    .action(async (options: EventsOptions) => {
      const client = await context.client();
      const { type, cursor } = options;
      const place = { ...(type && { type }), ...(cursor && { cursor }) };
      if (options.follow) {
        for await (const told of client.follow(place)) {
          printResult(context, options, told, () => [formatEvent(told.event)]);
        }
        return;
      }
      const query = { limit: 100, ...place };
      for await (const event of client.paginate(routes.operations.events, { query })) {
        printResult(context, options, event, () => [formatEvent(event)]);
      }
    });
}

/** When, what, in which space, and of which ids. */
function formatEvent({ created_at, type, space_id, data }: PublicEvent): string {
  return [created_at, type.padEnd(24), space_id ?? 'default', idsOf(data).join(',')].join('  ');
}

function idsOf(data: PublicEvent['data']): readonly string[] {
  if ('ids' in data) return data.ids;
  if ('erased' in data) return [data.id ?? data.memory_id ?? ''];
  return ['id' in data ? data.id : data.memory_id];
}
