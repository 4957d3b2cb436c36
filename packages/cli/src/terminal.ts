import { CliError } from './errors.ts';

/** The streams and variables of a process that a terminal depends on. */
export interface ProcessStreams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Asks on stderr, because a script may read stdout. */
export async function askLine(
  { stdin, stderr }: ProcessStreams,
  question: string,
): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: stdin, output: stderr });
  // Ctrl-D and Ctrl-C end the input without an answer.
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question), closed]);
  } finally {
    lines.close();
  }
}

const keys = { enter: ['\r', '\n'], erase: ['\u007f', '\b'], interrupt: '\u0003', end: '\u0004' };

/** Reads a line from a terminal without showing it. Throws CliError `cancelled` on Ctrl-C. */
export function askSecret({ stdin, stderr }: ProcessStreams, question: string): Promise<string> {
  // First, so that no key is shown even if it is typed before the question appears.
  stdin.setRawMode(true);
  stderr.write(question);
  stdin.setEncoding('utf8').resume();
  return new Promise<string>((resolve, reject) => {
    let text = '';
    const end = (settle: () => void): void => {
      stdin.off('data', onData).setRawMode(false).pause();
      stderr.write('\n');
      settle();
    };
    const onData = (chunk: string): void => {
      for (const key of chunk) {
        if (key === keys.interrupt) {
          end(() => reject(new CliError('cancelled', 'Nothing was changed.')));
        } else if (key === keys.end || keys.enter.includes(key)) {
          end(() => resolve(text));
          return;
        } else {
          text = keys.erase.includes(key) ? text.slice(0, -1) : text + key;
        }
      }
    };
    stdin.on('data', onData);
  });
}

/**
 * Writes lines to stdout. More lines than the terminal has are shown in the program of PAGER, or
 * in `less -FRX`; an empty PAGER or `cat` means none.
 */
export async function writePage(
  { stdout, stdin, environment }: ProcessStreams,
  lines: readonly string[],
  usesPager: boolean,
): Promise<void> {
  const pager = environment.PAGER ?? 'less -FRX';
  const rows = stdout.rows ?? Number.POSITIVE_INFINITY;
  const isLong = stdout.isTTY && stdin.isTTY && lines.length > rows - 1;
  const isPaged = isLong && usesPager && pager !== '' && pager !== 'cat';
  if (isPaged && (await (await import('./output/pager.ts')).showInPager(pager, lines))) return;
  if (lines.length > 0) stdout.write(`${lines.join('\n')}\n`);
}
