import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import type { WholeProgram } from '../whole-program.ts';

type Fill = (command: Command, context: CommandContext, whole: WholeProgram) => void;

/** Adds arguments, options and verbs to a command before it runs. */
type FillCommand = (
  command: Command,
  context: CommandContext,
  whole: WholeProgram,
) => Promise<void>;

/** A command whose module is loaded when it runs. */
const command =
  (load: () => Promise<Fill>): FillCommand =>
  async (one, context, whole) =>
    (await load())(one, context, whole);

/** A noun with the commands of the API, after those that its own module adds. */
const noun =
  (load: () => Promise<Fill> = async () => () => undefined): FillCommand =>
  async (one, context, whole) => {
    (await load())(one, context, whole);
    const { addVerbs } = await import('../nouns.ts');
    await addVerbs(one, context);
  };

/** A noun that is a command of its own, too: further words must be verbs. */
const nounWithAction = (load: () => Promise<Fill>): FillCommand =>
  noun(async () => {
    const fill = await load();
    return (one, context, whole) => {
      fill(one, context, whole);
      one.allowExcessArguments().hook('preAction', (_, action) => {
        if (action === one && one.args.length > 0) rejectVerb(one);
      });
    };
  });

/** Commander suggests similar names in a method that its types do not have. */
const rejectVerb = (one: Command): void =>
  (one as unknown as { unknownCommand(): void }).unknownCommand();

const plainNouns = [
  ...['memories', 'spaces', 'sessions', 'activations', 'relationships', 'knowledge', 'clusters'],
  ...[
    'media',
    'presets',
    'webhooks',
    'deliveries',
    'mail',
    'tokens',
    'grants',
    'operations',
    'queues',
  ],
  'transfers',
];

/** What completes each command of the first level. */
export const lazyCommands: Readonly<Record<string, FillCommand>> = {
  ...Object.fromEntries(plainNouns.map((name) => [name, noun()])),
  account: nounWithAction(async () => (await import('./account.ts')).fillAccountCommand),
  accounts: noun(async () => (await import('./accounts.ts')).fillAccountsCommand),
  events: nounWithAction(async () => (await import('./events.ts')).fillEventsCommand),
  keys: noun(async () => (await import('./keys.ts')).fillKeysCommand),
  models: noun(async () => (await import('./models.ts')).fillModelsCommand),
  jobs: noun(async () => (await import('./jobs.ts')).fillJobsCommand),
  add: async (one, context) => {
    const { findCommand } = await import('../command-lookup.ts');
    const data = await findCommand('memories.create');
    (await import('./add.ts')).fillAddCommand(one, data, context);
  },
  search: async (one, context) => {
    const { findCommand } = await import('../command-lookup.ts');
    const data = await findCommand('search.post');
    (await import('./short-forms.ts')).fillSearchCommand(one, data, context);
  },
  recall: async (one, context) => {
    const { findCommand } = await import('../command-lookup.ts');
    const data = await findCommand('search.recall');
    (await import('./short-forms.ts')).fillRecallCommand(one, data, context);
  },
  login: command(async () => (await import('./login.ts')).fillLoginCommand),
  logout: command(async () => (await import('./login.ts')).fillLogoutCommand),
  profiles: command(async () => (await import('./profiles.ts')).fillProfilesCommand),
  health: command(async () => (await import('./health.ts')).fillHealthCommand),
  doctor: command(async () => (await import('./doctor.ts')).fillDoctorCommand),
  verify: command(async () => (await import('./verify.ts')).fillVerifyCommand),
  export: command(async () => (await import('./export.ts')).fillExportCommand),
  backup: command(async () => (await import('./backup.ts')).fillBackupCommand),
  restore: command(async () => (await import('./restore.ts')).fillRestoreCommand),
  worker: command(async () => (await import('./restore.ts')).fillWorkerCommand),
  move: command(async () => (await import('./restore.ts')).fillMoveCommand),
  distribute: command(async () => (await import('./restore.ts')).fillDistributeCommand),
  reembed: command(async () => (await import('./reembed.ts')).fillReembedCommand),
  erasures: command(async () => (await import('./erasures.ts')).fillErasuresCommand),
  'pause-deliveries': command(
    async () => (await import('./deliveries.ts')).fillPauseDeliveriesCommand,
  ),
  'resume-deliveries': command(
    async () => (await import('./deliveries.ts')).fillResumeDeliveriesCommand,
  ),
  eval: command(async () => (await import('./eval.ts')).fillEvalCommand),
  setup: command(async () => (await import('./setup.ts')).fillSetupCommand),
  import: command(async () => (await import('./import.ts')).fillImportCommand),
  mcp: command(async () => (await import('./mcp.ts')).fillMcpCommand),
  api: command(async () => (await import('./api.ts')).fillApiCommand),
  completion: command(async () => (await import('./documents.ts')).fillCompletionCommand),
  man: command(async () => (await import('./documents.ts')).fillManCommand),
  help: command(async () => (await import('./documents.ts')).fillHelpCommand),
};
