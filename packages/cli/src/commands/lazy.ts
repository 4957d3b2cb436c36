import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { addVerbs, findCommand } from '../nouns.ts';
import type { WholeProgram } from '../whole-program.ts';
import { fillAccountCommand } from './account.ts';
import { fillAccountsCommand } from './accounts.ts';
import { fillAddCommand } from './add.ts';
import { fillEventsCommand } from './events.ts';
import { fillKeysCommand } from './keys.ts';
import { fillRecallCommand, fillSearchCommand } from './short-forms.ts';

/** Adds arguments, options and verbs to a command before it runs. */
type FillCommand = (
  command: Command,
  context: CommandContext,
  whole: WholeProgram,
) => Promise<void>;

/** A noun whose commands are those of the API, after those that `fill` adds. */
const noun =
  (fill: (command: Command, context: CommandContext) => void = () => undefined): FillCommand =>
  async (command, context) => {
    fill(command, context);
    await addVerbs(command, context);
  };

/** A noun that is a command of its own, too: further words must be verbs. */
const nounWithAction = (fill: (command: Command, context: CommandContext) => void): FillCommand =>
  noun((command, context) => {
    fill(command, context);
    command.allowExcessArguments().hook('preAction', (_, action) => {
      if (action === command && command.args.length > 0) rejectVerb(command);
    });
  });

/** Commander suggests similar names in a method that its types do not have. */
const rejectVerb = (command: Command): void =>
  (command as unknown as { unknownCommand(): void }).unknownCommand();

const plainNouns = [
  ...['memories', 'spaces', 'sessions', 'activations', 'relationships', 'knowledge', 'clusters'],
  ...['media', 'presets', 'webhooks', 'deliveries', 'mail', 'tokens', 'models', 'operations'],
];

/** What completes each command of the first level; the others are complete. */
export const lazyCommands: Readonly<Record<string, FillCommand>> = {
  ...Object.fromEntries(plainNouns.map((name) => [name, noun()])),
  account: nounWithAction(fillAccountCommand),
  accounts: noun(fillAccountsCommand),
  events: nounWithAction(fillEventsCommand),
  keys: noun(fillKeysCommand),
  jobs: async (command, context) => {
    const { fillJobsCommand } = await import('./jobs.ts');
    fillJobsCommand(command, context);
    await addVerbs(command, context);
  },
  add: async (command, context) => {
    fillAddCommand(command, await findCommand('memories.create'), context);
  },
  search: async (command, context) => {
    fillSearchCommand(command, await findCommand('search.post'), context);
  },
  recall: async (command, context) => {
    fillRecallCommand(command, await findCommand('search.recall'), context);
  },
  login: async (command, context) => {
    (await import('./login.ts')).fillLoginCommand(command, context);
  },
  logout: async (command, context) => {
    (await import('./login.ts')).fillLogoutCommand(command, context);
  },
  profiles: async (command, context) => {
    (await import('./profiles.ts')).fillProfilesCommand(command, context);
  },
  api: async (command, context) => {
    (await import('./api.ts')).fillApiCommand(command, context);
  },
  completion: async (command, context, whole) => {
    (await import('./documents.ts')).fillCompletionCommand(command, context, whole);
  },
  man: async (command, context, whole) => {
    (await import('./documents.ts')).fillManCommand(command, context, whole);
  },
  help: async (command, context, whole) => {
    (await import('./documents.ts')).fillHelpCommand(command, context, whole);
  },
};
