import type { Command } from 'commander';
import type { CommandData } from '../command-data.ts';
import { addOptions, addSharedOptions, givenBy } from '../command-options.ts';
import type { CommandContext } from '../context.ts';
import { parseInteger } from '../options.ts';
import type { SharedOptions } from '../requests/operation-call.ts';
import { runOperation } from '../requests/run.ts';
import { variations } from '../variations.ts';

/** `mneme search`: the search of `memories search`. */
export function fillSearchCommand(
  command: Command,
  data: CommandData,
  context: CommandContext,
): void {
  command
    .argument('<query>', 'the search query; - reads it from stdin')
    .option('--limit <n>', 'the maximum number of results', parseInteger)
    .option('--space <name>', 'only in this space, by name or id; "default": account level')
    .option('--user <id>', 'only memories of this user')
    .option('--agent <id>', 'only memories of this agent')
    .option('--run <id>', 'only memories of this run')
    .option('--as-of <time>', 'what held at this time');
  fillQueryCommand(command, data, context);
}

/** `mneme recall`: the context of `memories recall`. */
export function fillRecallCommand(
  command: Command,
  data: CommandData,
  context: CommandContext,
): void {
  command.argument('<query>', 'the question or the task; - reads it from stdin');
  fillQueryCommand(command, data, context);
}

function fillQueryCommand(command: Command, data: CommandData, context: CommandContext): void {
  addOptions(command, data.options ?? []);
  const traits = { isList: false, isBinary: false, isWrite: false };
  addSharedOptions(command, data, traits);
  command.action(async (query: string) => {
    const text = query === '-' ? await context.readInput() : query;
    // The query is no reference to a file: @ is doubled, so that it stays.
    const given = { ...givenBy(command, data), arguments: [[text.replace(/^@/, '@@')]] };
    const options = command.opts<SharedOptions>();
    await runOperation(context, data, given, options, variations[data.operation]);
  });
}
