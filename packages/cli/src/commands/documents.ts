import { Argument, type Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { bashCompletion } from '../shell/bash.ts';
import { fishCompletion } from '../shell/fish.ts';
import { manPage } from '../shell/man.ts';
import { toTree } from '../shell/tree.ts';
import { zshCompletion } from '../shell/zsh.ts';
import type { WholeProgram } from '../whole-program.ts';

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `mneme completion`: prints a script that contains all commands. */
export function fillCompletionCommand(
  command: Command,
  context: CommandContext,
  whole: WholeProgram,
): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      `
Install it with one of:
  mneme completion bash > ~/.local/share/bash-completion/completions/mneme
  mneme completion zsh > ~/.zfunc/_mneme        (a folder of $fpath)
  mneme completion fish > ~/.config/fish/completions/mneme.fish`,
    )
    .action(async (shell: keyof typeof scripts) => {
      const tree = toTree(await whole.completeAll());
      context.writeLine(scripts[shell](tree).trimEnd());
    });
}

/** `mneme man`: prints the manual page. */
export function fillManCommand(
  command: Command,
  context: CommandContext,
  whole: WholeProgram,
): void {
  command.addHelpText('after', '\nShow it with: mneme man | man -l -').action(async () => {
    context.writeLine(manPage(toTree(await whole.completeAll())).trimEnd());
  });
}

/** `mneme help memories list`. */
export function fillHelpCommand(
  command: Command,
  _context: CommandContext,
  { program, complete }: WholeProgram,
): void {
  command.argument('[command...]', 'such as memories list').action(async (path: string[]) => {
    let found = program;
    for (const [i, name] of path.entries()) {
      const next = found.commands.find((one) => [one.name(), ...one.aliases()].includes(name));
      // Parsing reports the unknown name and suggests similar ones.
      if (!next) return void (await program.parseAsync(path.slice(0, i + 1), { from: 'user' }));
      if (found === program) await complete(next);
      found = next;
    }
    found.outputHelp();
  });
}
