import { spawn } from 'node:child_process';

/**
 * Shows lines in a pager, such as `less -FRX`. Returns false if the pager cannot be started, so
 * that the lines are still to be written.
 */
export function showInPager(command: string, lines: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'] });
    child.once('error', () => resolve(false));
    // 127: the shell did not find the program.
    child.once('close', (code) => resolve(code !== 127));
    // The user may leave the pager before the end.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${lines.join('\n')}\n`);
  });
}
