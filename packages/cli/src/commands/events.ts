import { type Client, operations, type PublicEvent } from '@mneme/sdk';
import type { Command } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { addOutputOptions } from '../options.ts';

interface EventsOptions {
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly follow?: boolean;
  /** Any text: the service rejects an unknown type and lists the types. */
  readonly type?: PublicEvent['type'];
  readonly cursor?: string;
  readonly user?: string;
  readonly agent?: string;
  readonly run?: string;
}

/** `mneme events`: lists past events, or with `--follow` prints new ones. */
export function fillEventsCommand(events: Command, context: CommandContext): void {
  addFilters(events)
    .option('--follow', 'print new events until you stop the command')
    .action(async (options: EventsOptions) => {
      const client = await context.client();
      if (options.follow) return followEvents(context, client, options);
      const query = { limit: 100, ...toFilter(options) };
      for await (const event of client.paginate(operations.events.list, { query })) {
        printResult(context, options, event, () => [formatEvent(event)]);
      }
    });
  const follow = events
    .command('follow')
    .description('print new events until you stop the command');
  addFilters(follow).action(async () => {
    await followEvents(context, await context.client(), follow.optsWithGlobals<EventsOptions>());
  });
}

const addFilters = (command: Command): Command =>
  addOutputOptions(command)
    .option('--type <type>', 'only events of this type, such as memory.created')
    .option('--user <id>', 'only events about memories of this user')
    .option('--agent <id>', 'only events about memories of this agent')
    .option('--run <id>', 'only events about memories of this run')
    .option('--cursor <cursor>', 'continue after this cursor; --json --follow prints it');

const toFilter = ({ type, cursor, user, agent, run }: EventsOptions) => ({
  ...(type && { type }),
  ...(user && { user_id: user }),
  ...(agent && { agent_id: agent }),
  ...(run && { run_id: run }),
  ...(cursor && { cursor }),
});

async function followEvents(
  context: CommandContext,
  client: Client,
  options: EventsOptions,
): Promise<void> {
  for await (const followed of client.follow(toFilter(options))) {
    printResult(context, options, followed, () => [formatEvent(followed.event)]);
  }
}

/** Time, type, space and ids. */
function formatEvent({ created_at, type, space_id, data }: PublicEvent): string {
  return [created_at, type.padEnd(24), space_id ?? 'default', idsOf(data).join(',')].join('  ');
}

function idsOf(data: PublicEvent['data']): readonly string[] {
  if ('erased' in data) return data.ids ?? [data.id ?? data.memory_id ?? ''];
  if ('ids' in data) return data.ids;
  if ('older_id' in data) return [data.newer_id, data.older_id];
  if ('import_id' in data) return [data.import_id];
  return ['id' in data ? data.id : data.memory_id];
}
