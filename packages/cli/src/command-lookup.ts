import type { CommandData } from './command-data.ts';

/** The data of an operation's command. */
export async function findCommand(operation: string): Promise<CommandData> {
  const { nouns } = await import('./generated/commands.ts');
  const all = nouns.flatMap(({ commands }) => commands);
  const found = all.find((one) => one.operation === operation);
  if (!found) throw new Error(`There is no command of ${operation}.`);
  return found;
}
