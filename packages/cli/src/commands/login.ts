import type { Command } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { CliError } from '../errors.ts';
import { addOutputOptions } from '../options.ts';
import { type Config, readConfig, writeConfig } from '../profiles/config-file.ts';
import { type GlobalOptions, requirePlainUrl } from '../settings.ts';

const profileNamePattern = /^[\w.-]{1,64}$/;

interface LoginOptions extends GlobalOptions {
  readonly json?: boolean;
  readonly url?: string;
}

/** The file with the profiles. Throws CliError without a folder for configuration. */
export function requireConfigFile({ configFile }: CommandContext): string {
  if (configFile !== null) return configFile;
  throw new CliError('no_config_folder', 'Set HOME or XDG_CONFIG_HOME: profiles are stored there.');
}

/** `mneme login`: checks a key and stores it with the URL as a profile, which becomes current. */
export function fillLoginCommand(command: Command, context: CommandContext): void {
  addOutputOptions(command)
    .argument('[url]', 'the same as --url')
    .option(
      '--url <url>',
      'the URL of the server, without /v1 (default: of the profile, MNEME_URL or this machine)',
    )
    .addHelpText(
      'after',
      '\nThe command asks for the key on a terminal, and reads it from stdin elsewhere:\n' +
        '  mneme login --profile work --url https://memory.example.com < key.txt',
    )
    .action((url: string | undefined) => login(command, context, url));
}

async function login(
  command: Command,
  context: CommandContext,
  givenUrl: string | undefined,
): Promise<void> {
  const options = command.optsWithGlobals<LoginOptions>();
  const file = requireConfigFile(context);
  if (givenUrl !== undefined && options.url !== undefined) command.error('specify the URL once');
  const name = options.profile ?? 'default';
  if (!profileNamePattern.test(name)) {
    command.error('the name of a profile has letters, digits, dots, dashes or underscores');
  }
  // The profile may not exist yet: the settings are read without it.
  context.configure({});
  const config = readConfig(file);
  const url =
    givenUrl ?? options.url ?? options.server ?? config.profiles[name]?.url ?? context.url();
  requirePlainUrl(url, '--url');
  const key = await readKey(context, url);
  const account = await context.publicClient({ url, apiKey: key }).account.get();
  const profiles = { ...config.profiles, [name]: { url, api_key: key } };
  await writeConfig(file, { current: name, profiles });
  printResult(context, options, { profile: name, url, account_id: account.id, file }, () => [
    `Logged in to ${url} as account ${account.name} (${account.plan}).`,
    `Stored as profile ${name} in ${file}.`,
  ]);
}

async function readKey(context: CommandContext, url: string): Promise<string> {
  const text = context.isInteractive
    ? await context.askSecret(`API key of ${url}: `)
    : await context.readInput();
  const key = text.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new CliError('missing_api_key', 'The input does not contain an API key.');
}

/** The given profile, otherwise the current one. Throws CliError if there is none. */
export function requireProfileName(config: Config, given: string | undefined): string {
  const name = given ?? config.current;
  if (name && Object.hasOwn(config.profiles, name)) return name;
  const known = Object.keys(config.profiles).join(', ') || 'none';
  const missing = name ? `There is no profile ${name}.` : 'There is no current profile.';
  throw new CliError('unknown_profile', `${missing} Profiles: ${known}.`);
}

/** Deletes a profile and its key from the file. */
export async function deleteProfile(file: string, config: Config, name: string): Promise<void> {
  const { [name]: _, ...profiles } = config.profiles;
  await writeConfig(file, { current: config.current === name ? null : config.current, profiles });
}

/** `mneme logout`: deletes the current profile, or the one of --profile. */
export function fillLogoutCommand(command: Command, context: CommandContext): void {
  addOutputOptions(command).action(async () => {
    const options = command.optsWithGlobals<LoginOptions>();
    const file = requireConfigFile(context);
    const config = readConfig(file);
    const name = requireProfileName(config, options.profile);
    await deleteProfile(file, config, name);
    printResult(context, options, { profile: name, deleted: true }, () => [
      `Deleted profile ${name} and its key from ${file}. The key itself stays valid.`,
    ]);
  });
}
