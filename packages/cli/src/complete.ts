import type { Command } from 'commander';
import { lazyCommands } from './commands/lazy.ts';
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
  command.showHelpAfterError(`  (See mneme help ${command.name()})`);
  await lazyCommands[command.name()]?.(command, context, {
    program,
    complete: (other) => completeCommand(program, other, context),
    completeAll: () => completeAll(program, context),
  });
}

/** Completes every command, for documents about all of them. */
export async function completeAll(program: Command, context: CommandContext): Promise<Command> {
  for (const command of program.commands) await completeCommand(program, command, context);
  return program;
}
