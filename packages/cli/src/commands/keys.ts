import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type Context, printResult } from '../context.ts';
import { formatList, formatTable } from '../format.ts';
import { addCommand, parseCommaList, parseIdArgument, parseInteger } from '../options.ts';
import { readAllPages } from '../read-all-pages.ts';

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
  'The key is shown this once.',
];

/** `mneme keys …`: keys of the caller's account, or for an operator of another. */
export function registerKeysCommand(program: Command, context: Context): void {
  const keys = program.command('keys').description('API keys');
  addCreate(keys, context);
  addList(keys, context);
  addRevoke(keys, context);
  addRotate(keys, context);
  addResetAdmin(keys, context);
}

interface CreateKeyOptions extends OutputOptions {
  readonly account?: string;
  readonly name: string;
  /** Whatever was typed: the service knows which scopes there are, and says so. */
  readonly scopes?: NewKey['scopes'];
  readonly spaces?: string[];
  readonly expires?: string;
}

function addCreate(keys: Command, context: Context): void {
  addCommand(keys, 'create', 'make a key; it is shown once')
    .option('--account <id>', 'for this account (operator), instead of your own', parseIdArgument)
    .option('--name <name>', 'what to call it', 'unnamed')
    .option('--scopes <a,b>', 'only these rights, such as memories:read', parseCommaList)
    .option(
      '--spaces <a,b>',
      'only these space ids; "default" is the account level',
      parseCommaList,
    )
    .option('--expires <time>', 'ISO 8601 date or time with an offset or Z')
    .action(async (options: CreateKeyOptions) => {
      const client = await context.client();
      const body: NewKey = {
        name: options.name,
        scopes: options.scopes,
        space_ids: options.spaces,
        expires_at: options.expires,
      };
      const issued =
        options.account === undefined
          ? await client.keys.create({ body })
          : await client.admin.createKey({ params: { id: options.account }, body });
      printResult(context, options, issued, () => describeKey(issued));
    });
}

function addList(keys: Command, context: Context): void {
  addCommand(keys, 'list', 'list all keys of the account').action(
    async (options: OutputOptions) => {
      const client = await context.client();
      const all = await readAllPages((place) => client.keys.list({ query: place }));
      const columns = {
        id: (key: Key) => key.id,
        prefix: (key: Key) => key.prefix,
        state,
        expires: (key: Key) => key.expires_at ?? 'never',
        name: (key: Key) => key.name,
      };
      printResult(context, options, all, () => formatList(all, columns, 'no keys'));
    },
  );
}

function addRevoke(keys: Command, context: Context): void {
  addCommand(keys, 'revoke', 'make a key useless')
    .argument('<id>', 'the id of the key, not the key itself', parseIdArgument)
    .action(async (key: string, options: OutputOptions) => {
      const client = await context.client();
      await client.keys.revoke({ params: { id: key } });
      printResult(context, options, { id: key, revoked: true }, () => [`revoked ${key}`]);
    });
}

function addRotate(keys: Command, context: Context): void {
  addCommand(keys, 'rotate', 'give a key a new secret; it is shown once')
    .argument('<id>', 'the id of the key, not the key itself', parseIdArgument)
    .option('--grace <seconds>', 'how long the former secret still works', parseInteger)
    .action(async (key: string, options: OutputOptions & { grace?: number }) => {
      const client = await context.client();
      const body = { grace_seconds: options.grace };
      const issued = await client.keys.rotate({ params: { id: key }, body });
      printResult(context, options, issued, () => describeKey(issued));
    });
}

/** With access to the machine instead of a key: the server's own program does it. */
function addResetAdmin(keys: Command, context: Context): void {
  addCommand(
    keys,
    'reset-admin',
    'replace the admin key, on the machine of the server, without a key',
  ).action(async (options: OutputOptions) => {
    const made = (await context.readFromServerProgram(['reset-admin'])) as {
      readonly key: string;
      readonly file: string;
    };
    printResult(context, options, made, () => [
      'The admin key was replaced. The former one has ended; other processes of the server',
      `refuse it within 10 s. The new one is in ${made.file}:`,
      '',
      `  ${made.key}`,
    ]);
  });
}
