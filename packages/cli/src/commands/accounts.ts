import type { Client } from '@mneme/sdk';
import { type Command, Option } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { formatList, formatTable } from '../format.ts';
import { addCommand, parseIdArgument } from '../options.ts';
import { readAllPages } from '../read-all-pages.ts';
import { confirm } from '../requests/confirm.ts';

type Account = Awaited<ReturnType<Client['admin']['getAccount']>>;
type NewAccount = Parameters<Client['admin']['createAccount']>[0]['body'];
/** The plans of the contract. The service rejects any other text and lists the plans. */
type Plan = NewAccount['plan'];

interface OutputOptions {
  readonly json?: boolean;
}

const state = ({ suspended }: Account): string => (suspended ? 'suspended' : 'active');

const describeAccount = (account: Account): string[] =>
  formatTable([
    ['id', account.id],
    ['name', account.name],
    ['plan', account.plan],
    ['state', state(account)],
    ['created', account.created_at],
    ['updated', account.updated_at],
  ]);

/** `mneme accounts …`: commands for the operator. */
export function fillAccountsCommand(accounts: Command, context: CommandContext): void {
  addCreate(accounts, context);
  addList(accounts, context);
  addGet(accounts, context);
  addUpdate(accounts, context);
  addDelete(accounts, context);
}

function addCreate(accounts: Command, context: CommandContext): void {
  addCommand(accounts, 'create', 'create an account')
    .option('--name <name>', 'the name of the account', 'unnamed')
    .option('--plan <plan>', 'free, pro, max or enterprise')
    .action(async (options: OutputOptions & { name: string; plan?: Plan }) => {
      const { admin } = await context.client();
      const { name, plan } = options;
      const account = await admin.createAccount({ body: { name, plan } });
      printResult(context, options, account, () => describeAccount(account));
    });
}

function addList(accounts: Command, context: CommandContext): void {
  addCommand(accounts, 'list', 'list all accounts, oldest first')
    .alias('ls')
    .action(async (options: OutputOptions) => {
      const { admin } = await context.client();
      const all = await readAllPages((query) => admin.listAccounts({ query }));
      const columns = {
        id: (account: Account) => account.id,
        plan: (account: Account) => account.plan,
        state,
        created: (account: Account) => account.created_at,
        name: (account: Account) => account.name,
      };
      const { width } = context.display;
      printResult(context, options, all, () => formatList(all, columns, 'no accounts', width));
    });
}

function addGet(accounts: Command, context: CommandContext): void {
  addCommand(accounts, 'get', 'show an account')
    .alias('show')
    .argument('<id>', 'the id of the account', parseIdArgument)
    .action(async (account: string, options: OutputOptions) => {
      const { admin } = await context.client();
      const current = await admin.getAccount({ params: { id: account } });
      printResult(context, options, current, () => describeAccount(current));
    });
}

interface Changes extends OutputOptions {
  readonly name?: string;
  readonly plan?: Plan;
  readonly suspend?: boolean;
  readonly resume?: boolean;
}

function addUpdate(accounts: Command, context: CommandContext): void {
  addCommand(accounts, 'update', 'change the name or plan of an account, or suspend or resume it')
    .argument('<id>', 'the id of the account', parseIdArgument)
    .option('--name <name>', 'a new name')
    .option('--plan <plan>', 'free, pro, max or enterprise')
    .addOption(new Option('--suspend', 'reject all keys of the account').conflicts('resume'))
    .option('--resume', 'accept its keys again')
    .action(async (account: string, options: Changes, command: Command) => {
      const { name, plan, suspend, resume } = options;
      if (name === undefined && plan === undefined && !suspend && !resume) {
        command.error('nothing to change: use --name, --plan, --suspend or --resume');
      }
      const suspended = suspend ? true : resume ? false : undefined;
      const { admin } = await context.client();
      const changed = await admin.updateAccount({
        params: { id: account },
        body: { name, plan, suspended },
      });
      printResult(context, options, changed, () => describeAccount(changed));
    });
}

interface DeleteOptions extends OutputOptions {
  readonly confirm?: boolean;
  readonly yes?: boolean;
}

function addDelete(accounts: Command, context: CommandContext): void {
  addCommand(accounts, 'delete', 'delete an account with all its data')
    .alias('rm')
    .argument('<id>', 'the id of the account', parseIdArgument)
    .option('--confirm', 'confirm the deletion')
    .option('--yes', 'like --confirm')
    .action(async (account: string, options: DeleteOptions, command: Command) => {
      const isConfirmed = options.confirm || options.yes || false;
      if (!isConfirmed && !context.isInteractive) {
        command.error('this deletes the account with all its data: repeat with --confirm');
      }
      const question = `Permanently delete, with all its data, account ${account}`;
      await confirm(context, question, isConfirmed);
      const { admin } = await context.client();
      await admin.deleteAccount({ params: { id: account }, query: { confirm: true } });
      printResult(context, options, { id: account, deleted: true }, () => [`deleted ${account}`]);
    });
}
