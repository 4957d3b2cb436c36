import { type PublicEvent, routes } from '@mneme/sdk';
import type { Command } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { addCommand } from '../options.ts';

interface EventsOptions {
  readonly json?: boolean;
  readonly follow?: boolean;
  /** Any text: the service rejects an unknown type and lists the types. */
  readonly type?: PublicEvent['type'];
  readonly cursor?: string;
  readonly user?: string;
  readonly agent?: string;
  readonly run?: string;
}

/** `mneme events`: lists past events, or with `--follow` prints new ones. */
export function registerEventsCommand(program: Command, context: CommandContext): void {
  addCommand(program, 'events', 'list the events of the last 30 days, oldest first')
    .option('--follow', 'print new events until you stop the command')
    .option('--type <type>', 'only events of this type, such as memory.created')
    .option('--user <id>', 'only events about memories of this user')
    .option('--agent <id>', 'only events about memories of this agent')
    .option('--run <id>', 'only events about memories of this run')
    .option('--cursor <cursor>', 'continue after this cursor; --json --follow prints it')
    .action(async (options: EventsOptions) => {
      const client = await context.client();
      const { type, cursor, user, agent, run } = options;
      const filter = {
        ...(type && { type }),
        ...(user && { user_id: user }),
        ...(agent && { agent_id: agent }),
        ...(run && { run_id: run }),
        ...(cursor && { cursor }),
      };
      if (options.follow) {
        for await (const followed of client.follow(filter)) {
          printResult(context, options, followed, () => [formatEvent(followed.event)]);
        }
        return;
      }
      const query = { limit: 100, ...filter };
      for await (const event of client.paginate(routes.operations.events, { query })) {
        printResult(context, options, event, () => [formatEvent(event)]);
      }
    });
}

/** Time, type, space and ids. */
function formatEvent({ created_at, type, space_id, data }: PublicEvent): string {
  return [created_at, type.padEnd(24), space_id ?? 'default', idsOf(data).join(',')].join('  ');
}

function idsOf(data: PublicEvent['data']): readonly string[] {
  if ('erased' in data) return data.ids ?? [data.id ?? data.memory_id ?? ''];
  if ('ids' in data) return data.ids;
  if ('older_id' in data) return [data.newer_id, data.older_id];
  return ['id' in data ? data.id : data.memory_id];
}
