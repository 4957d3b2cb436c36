import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { formatList, formatTable } from '../format.ts';
import { addCommand, parseCommaList, parseIdArgument, parseInteger } from '../options.ts';
import { readAllPages } from '../read-all-pages.ts';
import { confirm } from '../requests/confirm.ts';
import { toSpaceIds } from './spaces.ts';

type IssuedKey = Awaited<ReturnType<Client['keys']['create']>>;
type Key = Omit<IssuedKey, 'key'>;
type NewKey = Parameters<Client['keys']['create']>[0]['body'];

interface OutputOptions {
  readonly json?: boolean;
}

const spaces = ({ space_ids }: Key): string => space_ids?.join(',') ?? 'all';
const state = ({ revoked_at }: Key): string => (revoked_at === null ? 'active' : 'revoked');

const describeKey = (issued: IssuedKey): string[] => [
  ...formatTable([
    ['id', issued.id],
    ['name', issued.name],
    ['scopes', issued.scopes.join(',')],
    ['spaces', spaces(issued)],
    ['expires', issued.expires_at ?? 'never'],
    ['key', issued.key],
  ]),
  'Store the key now: it is not shown again.',
];

/** `mneme keys …`: keys of the caller's account, or of another account for an operator. */
export function fillKeysCommand(keys: Command, context: CommandContext): void {
  addCreate(keys, context);
  addList(keys, context);
  addRevoke(keys, context);
  addRotate(keys, context);
  addGenerate(keys, context);
  addResetAdmin(keys, context);
}

interface CreateKeyOptions extends OutputOptions {
  readonly account?: string;
  readonly name: string;
  /** Any text: the service rejects an unknown scope and lists the scopes. */
  readonly scopes?: NewKey['scopes'];
  readonly spaces?: string[];
  readonly expires?: string;
}

function addCreate(keys: Command, context: CommandContext): void {
  addCommand(keys, 'create', 'create a key; it is shown only once')
    .option('--account <id>', 'for this account (operator) instead of your own', parseIdArgument)
    .option('--name <name>', 'the name of the key', 'unnamed')
    .option('--scopes <a,b>', 'only these scopes, such as memories:read', parseCommaList)
    .option(
      '--spaces <a,b>',
      'only these spaces, by name or id (with --account by id); "default" is the account level',
      parseCommaList,
    )
    .option('--expires <time>', 'ISO 8601 date or time with an offset or Z')
    .action(async (options: CreateKeyOptions) => {
      const client = await context.client();
      const body: NewKey = {
        name: options.name,
        scopes: options.scopes,
        space_ids: await spaceIdsOf(client, options),
        expires_at: options.expires,
      };
      const issued =
        options.account === undefined
          ? await client.keys.create({ body })
          : await client.admin.createKey({ params: { id: options.account }, body });
      printResult(context, options, issued, () => describeKey(issued));
    });
}

/** Names are those of the caller's account: spaces of another account need ids. */
async function spaceIdsOf(
  client: Client,
  { account, spaces: given }: CreateKeyOptions,
): Promise<string[] | undefined> {
  return given && account === undefined ? toSpaceIds(client, given) : given;
}

function addList(keys: Command, context: CommandContext): void {
  addCommand(keys, 'list', 'list all keys of the account')
    .alias('ls')
    .action(async (options: OutputOptions) => {
      const client = await context.client();
      const all = await readAllPages((query) => client.keys.list({ query }));
      const columns = {
        id: (key: Key) => key.id,
        prefix: (key: Key) => key.prefix,
        state,
        expires: (key: Key) => key.expires_at ?? 'never',
        name: (key: Key) => key.name,
      };
      const { width } = context.display;
      printResult(context, options, all, () => formatList(all, columns, 'no keys', width));
    });
}

interface ConfirmedOptions extends OutputOptions {
  readonly yes?: boolean;
}

/** Scripts have used these commands without --yes from the start. */
async function confirmOnTerminal(
  context: CommandContext,
  question: string,
  { yes = false }: ConfirmedOptions,
): Promise<void> {
  if (context.isInteractive) await confirm(context, question, yes);
}

function addRevoke(keys: Command, context: CommandContext): void {
  addCommand(keys, 'revoke', 'revoke a key')
    .aliases(['delete', 'rm'])
    .argument('<id>', 'the id of the key, not the key itself', parseIdArgument)
    .option('--yes', 'do not ask for confirmation on a terminal')
    .action(async (key: string, options: ConfirmedOptions) => {
      await confirmOnTerminal(context, `Revoke key ${key}`, options);
      const client = await context.client();
      await client.keys.revoke({ params: { id: key } });
      printResult(context, options, { id: key, revoked: true }, () => [`revoked ${key}`]);
    });
}

function addRotate(keys: Command, context: CommandContext): void {
  addCommand(keys, 'rotate', 'replace the secret of a key; the new one is shown only once')
    .argument('<id>', 'the id of the key, not the key itself', parseIdArgument)
    .option('--grace <seconds>', 'how long the previous secret remains valid', parseInteger)
    .option('--yes', 'do not ask for confirmation on a terminal')
    .action(async (key: string, options: ConfirmedOptions & { grace?: number }) => {
      await confirmOnTerminal(context, `Rotate the secret of key ${key}`, options);
      const client = await context.client();
      const body = { grace_seconds: options.grace };
      const issued = await client.keys.rotate({ params: { id: key }, body });
      printResult(context, options, issued, () => describeKey(issued));
    });
}

/** Runs the server program, which knows the format of keys. */
function addGenerate(keys: Command, context: CommandContext): void {
  addCommand(
    keys,
    'generate',
    'print a new key for MNEME_ADMIN_KEY of a server; nothing is stored',
  ).action(async (options: OutputOptions) => {
    const generated = (await context.readFromServerProgram(['generate-key'])) as {
      readonly key: string;
    };
    printResult(context, options, generated, () => [generated.key]);
  });
}

/** Requires access to the server's machine instead of a key: runs the server program. */
function addResetAdmin(keys: Command, context: CommandContext): void {
  addCommand(
    keys,
    'reset-admin',
    'replace the admin key without a key, on the machine of the server',
  ).action(async (options: OutputOptions) => {
    const created = (await context.readFromServerProgram(['reset-admin'])) as {
      readonly key: string;
      readonly file: string;
    };
    printResult(context, options, created, () => [
      'The admin key was replaced. The previous key is revoked; other server processes may',
      `accept it for up to 10 s. The new key is stored in ${created.file}:`,
      '',
      `  ${created.key}`,
    ]);
  });
}
