import type { Command } from 'commander';
import type { FillCommand } from './commands/lazy.ts';
import type { CommandContext } from './context.ts';

const completed = new WeakSet<Command>();

/** Adds arguments, options and verbs to a command of the first level. */
export async function completeCommand(
  program: Command,
  command: Command,
  context: CommandContext,
): Promise<void> {
  if (completed.has(command)) return;
  completed.add(command);
  const { lazyCommands }: { lazyCommands: Readonly<Record<string, FillCommand>> } = await import(
    './commands/lazy.ts'
  );
  await lazyCommands[command.name()]?.(command, context, program);
}

/** Completes every command, for documents about all of them. */
export async function completeAll(program: Command, context: CommandContext): Promise<Command> {
  for (const command of program.commands) await completeCommand(program, command, context);
  return program;
}
