import type { Command } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { formatList } from '../format.ts';
import { addCommand } from '../options.ts';
import { readConfig, writeConfig } from '../profiles/config-file.ts';
import { deleteProfile, requireConfigFile, requireProfileName } from './login.ts';

interface OutputOptions {
  readonly json?: boolean;
}

interface ListedProfile {
  readonly name: string;
  readonly url: string;
  readonly current: boolean;
}

const columns = {
  name: ({ name }: ListedProfile) => name,
  url: ({ url }: ListedProfile) => url,
  current: ({ current }: ListedProfile) => (current ? 'current' : ''),
};

/** `mneme profiles …`: never prints a key. */
export function fillProfilesCommand(profiles: Command, context: CommandContext): void {
  addCommand(profiles, 'list', 'list the profiles')
    .alias('ls')
    .action((options: OutputOptions) => {
      const config = readConfig(requireConfigFile(context));
      const all = Object.entries(config.profiles).map(([name, { url }]) => ({
        name,
        url,
        current: name === config.current,
      }));
      const empty = 'no profiles: create one with mneme login';
      printResult(context, options, all, () => formatList(all, columns, empty));
    });
  addCommand(profiles, 'use', 'use a profile in commands without --profile')
    .argument('<name>', 'the name of the profile')
    .action(async (given: string, options: OutputOptions) => {
      const file = requireConfigFile(context);
      const config = readConfig(file);
      const name = requireProfileName(config, given);
      await writeConfig(file, { ...config, current: name });
      const { url } = config.profiles[name] ?? {};
      printResult(context, options, { profile: name, url }, () => [`using ${name} (${url})`]);
    });
  addCommand(profiles, 'delete', 'delete a profile and its stored key')
    .alias('rm')
    .argument('<name>', 'the name of the profile')
    .action(async (given: string, options: OutputOptions) => {
      const file = requireConfigFile(context);
      const config = readConfig(file);
      const name = requireProfileName(config, given);
      await deleteProfile(file, config, name);
      printResult(context, options, { profile: name, deleted: true }, () => [`deleted ${name}`]);
    });
}
