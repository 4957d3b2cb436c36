import type { Command } from 'commander';
import type { CommandData } from './command-data.ts';
import { addFields, addSharedOptions, givenBy, limitOption } from './command-options.ts';
import type { CommandContext } from './context.ts';
import { ConfirmationRequiredError, UsageError } from './errors.ts';
import type { SharedOptions } from './requests/operation-call.ts';
import { findOperation } from './requests/operations.ts';
import { runOperation } from './requests/run.ts';
import { variations } from './variations.ts';

/** Adds the commands of a noun, except those that it already has. */
export async function addVerbs(noun: Command, context: CommandContext): Promise<void> {
  const { nouns } = await import('./generated/commands.ts');
  const data = nouns.find((one) => one.noun === noun.name());
  for (const command of data?.commands ?? []) {
    const isThere = noun.commands.some((one) => one.name() === command.verb);
    if (!isThere) addVerb(noun, command, context);
  }
}

function addVerb(noun: Command, data: CommandData, context: CommandContext): void {
  const { verb, summary, description, aliases = [] } = data;
  const command = noun.command(verb).summary(summary);
  command.description(description ? `${summary}\n\n${description}` : summary);
  command.aliases([...aliases]);
  command.showHelpAfterError(`  (See mneme help ${noun.name()} ${verb})`);
  fillCommand(command, data, context);
}

/** Adds arguments, options and the action of an operation to a command. */
function fillCommand(command: Command, data: CommandData, context: CommandContext): void {
  const operation = findOperation(data.operation);
  const isList = operation.list === true;
  if (isList) command.addOption(limitOption());
  addFields(command, data);
  addSharedOptions(command, data, {
    isList,
    isBinary: operation.binary === true,
    isWrite: operation.method !== 'GET' && operation.reads !== true,
  });
  command.action(async () => {
    const options = command.optsWithGlobals<SharedOptions>();
    const given = givenBy(command, data);
    try {
      await runOperation(context, data, given, options, variations[data.operation]);
    } catch (error) {
      const isMisused =
        error instanceof UsageError && !(error instanceof ConfirmationRequiredError);
      // Reported like the errors that commander finds, with a reference to the help.
      if (isMisused) command.error(error.message);
      throw error;
    }
  });
}
