import { Command } from 'commander';
import { commandGroups } from './command-list.ts';
import { completeCommand } from './complete.ts';
import type { CommandContext } from './context.ts';
import { formatErrorLine } from './errors.ts';
import { helpConfiguration } from './help.ts';
import { hintFor } from './other-words.ts';
import { defaultServiceUrl, type GlobalOptions } from './settings.ts';

const moreHelp = `
Options:
  --profile <name>   the profile with the URL and the key of the server
  --server <url>     the URL of the server, without /v1
  --no-pager         write long output directly to the terminal
  --version, --help

Examples:
  mneme login --url https://memory.example.com    store the URL and ask for the key
  mneme add "Ana prefers tea over coffee." --tags preference
  mneme search "what does Ana drink?"
  mneme memories list --tags preference --limit 10
  git log -1 | mneme add -                        store what another program prints
  mneme memories list --all --jsonl | jq -r .id   one JSON value per line, for scripts

mneme help memories lists the verbs of a noun, mneme help memories list all options of a verb.

Settings, unless an option or a profile has them:
  MNEME_URL       URL of the service, without /v1 (default: from MNEME_HOST and MNEME_PORT,
                  otherwise ${defaultServiceUrl})
  MNEME_API_KEY   API key (default: the file admin-key in MNEME_DATA_DIR, by default ./data)
  MNEME_PROFILE   profile, as --profile
  NO_COLOR        no colours
  PAGER           program that shows long output on a terminal (default: less -FRX)`;

/** Builds all commands. Parsing throws a CommanderError instead of ending the process. */
export function makeProgram(context: CommandContext, version: string): Command {
  const program: Command = new Command('mneme')
    .usage('[options] <command>')
    .description('Memory for agents, from the terminal')
    .version(version)
    .option('--profile <name>', 'the profile with the URL and the key of the server')
    .option('--server <url>', 'the URL of the server, without /v1')
    .option('--no-pager', 'write long output directly to the terminal')
    .exitOverride()
    .helpCommand(false)
    .showHelpAfterError('  (See mneme help)')
    .configureOutput({
      outputError: (text, write) => write(renderUsageError(program, text)),
      writeOut: (text) => context.writeLine(text.replace(/\n$/, '')),
      writeErr: (text) => context.writeStderrLine(text.replace(/\n$/, '')),
    })
    .configureHelp(helpConfiguration)
    .addHelpText('after', moreHelp);
  for (const { heading, commands } of commandGroups) {
    for (const [name, summary] of Object.entries(commands)) {
      const command = program.command(name).description(summary).helpGroup(heading);
      const singular = singularOf(name);
      if (singular !== null) command.alias(singular);
    }
  }
  // Only the command that runs gets its options and verbs: all of them would cost more time.
  program.hook('preSubcommand', (_, command) => completeCommand(program, command, context));
  program.hook('preAction', () => {
    const { profile, server } = program.opts<GlobalOptions>();
    context.configure({ ...(profile && { profile }), ...(server && { server }) });
  });
  return program;
}

/** `memory` for `memories`: people type it as often. `account` is a command of its own. */
function singularOf(name: string): string | null {
  if (!name.endsWith('s') || name.includes('-') || name === 'accounts') return null;
  return name.replace(/ies$/, 'ys').slice(0, -1);
}

// The first line is the error; a second line may suggest a name or values.
function renderUsageError(program: Command, text: string): string {
  const [message = '', ...similar] = text
    .replace(/^error: /, '')
    .trimEnd()
    .split('\n');
  const hint = hintFor(program, message);
  const more = hint === null ? similar : [hint];
  return [formatErrorLine('usage', message), ...more.map((line) => `  ${line}`), ''].join('\n');
}
