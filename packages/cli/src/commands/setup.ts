import { redactSecrets } from '@mneme/contract/redaction';
import { Argument, type Command } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { CliError } from '../errors.ts';
import { addOutputOptions } from '../options.ts';
import { confirm } from '../requests/confirm.ts';
import { type SetupTarget, setupClients } from '../setup/clients.ts';
import { applyChange, type FileChange, planAddition, planRemoval } from '../setup/config-files.ts';
import { diffLines } from '../setup/line-diff.ts';

interface Options {
  readonly project?: boolean;
  readonly space?: string;
  readonly remove?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/**
 * `mneme setup <client>`: adds the MCP server, and for Claude Code the hooks, to the configuration
 * of a client, or removes them. It writes no key.
 */
export function fillSetupCommand(command: Command, context: CommandContext): void {
  addOutputOptions(command)
    .addArgument(new Argument('<client>', 'the client').choices(Object.keys(setupClients)))
    .option('--project', 'the files of the project in this folder, not those of the user')
    .option('--space <name or id>', 'only the memories of this space')
    .option('--remove', 'remove what this command added')
    .option('--dry-run', 'show the changes and write nothing')
    .option('--yes', 'do not ask')
    .action(async (name: string, options: Options) => {
      const client = setupClients[name];
      if (!client) throw new Error(`${name} is no client`);
      const target = toTarget(context.url(), options.space);
      const planned = await Promise.all(
        client
          .edits({ isProject: options.project === true })
          .map((edit) => (options.remove ? planRemoval(edit) : planAddition(edit, target))),
      );
      const changes = planned.filter((change) => change !== null);
      const show = options.json ? context.writeStderrLine : context.writeLine;
      for (const line of changes.flatMap(describeChange)) show(line);
      const isWritten = changes.length > 0 && !options.dryRun;
      if (isWritten) {
        await confirm(
          context,
          `Write ${changes.map(({ file }) => file).join(', ')}`,
          options.yes === true,
        );
        for (const change of changes) await applyChange(change);
      }
      const files = changes.map(({ file }) => file);
      printResult(context, options, { client: name, files, written: isWritten }, () =>
        summarize(client, options, { files, isWritten }),
      );
    });
}

function toTarget(service: string, space: string | undefined): SetupTarget {
  if (space === '') throw new CliError('usage', '--space must not be empty.');
  const base = service.replace(/\/+$/, '').replace(/\/v1$/, '');
  const name = space === undefined ? '' : encodeURIComponent(space);
  return {
    mcpUrl: `${base}/mcp${name === '' ? '' : `/${name}`}`,
    hookUrl: `${base}/hooks/claude-code${name === '' ? '' : `?space=${name}`}`,
  };
}

/** The lines around a change may contain keys of other servers. */
const describeChange = ({ file, before, after }: FileChange): string[] => [
  after === null ? `${file} (deleted)` : before === null ? `${file} (new)` : file,
  ...diffLines(before ?? '', after ?? '').map((line) => redactSecrets(line).text),
  '',
];

function summarize(
  { title, keyHint }: { readonly title: string; readonly keyHint: string },
  { remove }: Options,
  { files, isWritten }: { readonly files: readonly string[]; readonly isWritten: boolean },
): string[] {
  if (files.length === 0) {
    return [remove ? `${title} has no entries of Mneme.` : `${title} is set up already.`];
  }
  if (!isWritten) return ['Nothing was written.'];
  return remove ? [`Removed Mneme from ${title}.`] : [`Added Mneme to ${title}.`, keyHint];
}
