import { completeAll } from '../../packages/cli/src/complete.ts';
import type { CommandContext } from '../../packages/cli/src/context.ts';
import { makeProgram } from '../../packages/cli/src/program.ts';
import { manPage } from '../../packages/cli/src/shell/man.ts';
import { referencePage } from '../../packages/cli/src/shell/reference.ts';
import { toTree } from '../../packages/cli/src/shell/tree.ts';
import type { GeneratedDocument } from '../generated-document.ts';

/** The man page and the reference of all commands, as they are in the repository. */
export async function cliPages(command: string): Promise<readonly GeneratedDocument[]> {
  // Commands use their context only when they run.
  const context = {} as CommandContext;
  const tree = toTree(await completeAll(makeProgram(context, ''), context));
  const note = `Generated from the code by \`${command}\`. Do not edit.`;
  return [
    { path: 'packages/cli/man/mneme.1', command, text: manPage(tree) },
    { path: 'docs/cli.md', command, text: referencePage(tree, note) },
  ];
}
