const linesMax = 999_999;

/** Lines with their numbers, from 1 on, as wide as the largest number. */
const numberLines = (lines: readonly string[], first: number): string =>
  lines.map((line, i) => `${String(first + i).padStart(6)}\t${line}`).join('\n');

/** The numbered lines of a file; a range has its first and last line, -1 for the end. */
export function renderFile(path: string, text: string, range?: readonly number[]): string {
  const lines = text.split('\n');
  if (lines.length > linesMax) {
    const max = linesMax.toLocaleString('en-US');
    throw new Error(`File ${path} has too many lines (${lines.length}). Maximum is ${max} lines.`);
  }
  const [from = 1, to = -1] = range?.length === 2 ? range : [];
  const start = Math.max(1, from) - 1;
  const shown = lines.slice(start, to === -1 ? lines.length : to);
  return `Here's the content of ${path} with line numbers:\n${numberLines(shown, start + 1)}`;
}

interface ListedFile {
  /** Names below the folder. */
  readonly names: readonly string[];
  readonly bytes: number;
}

/** The files of a folder and two levels of folders; the size of a folder is that of its files. */
export function renderFolder(path: string, files: readonly ListedFile[]): string {
  const header =
    `Here're the files and directories up to 2 levels deep in ${path}, ` +
    'excluding hidden items and node_modules:';
  const lines = listLevel(files, 1).map(({ name, bytes }) => `${toSize(bytes)}\t${path}/${name}`);
  return [header, `${toSize(sumBytes(files))}\t${path}`, ...lines].join('\n');
}

interface ListedEntry {
  readonly name: string;
  readonly bytes: number;
}

function listLevel(files: readonly ListedFile[], depth: number): ListedEntry[] {
  const visible = files.filter(
    ({ names: [name = '.'] }) => !name.startsWith('.') && name !== 'node_modules',
  );
  const names = new Set(visible.map(({ names: [name = ''] }) => name));
  return [...names].toSorted().flatMap((name) => {
    const within = visible.filter((file) => file.names[0] === name);
    const bytes = sumBytes(within);
    const below = within.map((file) => ({ ...file, names: file.names.slice(1) }));
    if (below.every(({ names }) => names.length === 0)) return [{ name, bytes }];
    const deeper = depth < 2 ? listLevel(below, depth + 1) : [];
    const nested = deeper.map((entry) => ({ ...entry, name: `${name}/${entry.name}` }));
    return [{ name: `${name}/`, bytes }, ...nested];
  });
}

const sumBytes = (files: readonly ListedFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Such as 0B, 512B, 1K or 1.5K. */
function toSize(bytes: number): string {
  if (bytes === 0) return '0B';
  const power = Math.floor(Math.log(bytes) / Math.log(1_024));
  const size = bytes / 1_024 ** power;
  return `${size % 1 === 0 ? size : size.toFixed(1)}${['B', 'K', 'M', 'G'][power]}`;
}

/**
 * Replaces the only occurrence of a text, and returns the new text and the number of its line.
 * Throws an Error if it does not occur, or in several lines.
 */
export function replaceOnce(
  path: string,
  text: string,
  old: string,
  replacement: string,
): { text: string; line: number } {
  const lines = linesWith(text, old);
  const [line] = lines;
  if (line === undefined) {
    throw new Error(
      `No replacement was performed, old_str \`${old}\` did not appear verbatim in ${path}.`,
    );
  }
  if (lines.length > 1) {
    throw new Error(
      `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ` +
        `${lines.join(', ')}. Please ensure it is unique`,
    );
  }
  return { text: text.replace(old, () => replacement), line };
}

/** The numbers of the lines in which a text, of one or more lines, begins. */
function linesWith(text: string, wanted: string): number[] {
  const lines = text.split('\n');
  if (!wanted.includes('\n')) {
    return lines.flatMap((line, i) => (line.includes(wanted) ? [i + 1] : []));
  }
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    found.push(text.slice(0, at).split('\n').length);
  }
  return found;
}

/** The changed line of a text, with two lines before and after it. */
export function renderChange(text: string, line: number): string {
  const start = Math.max(0, line - 3);
  const shown = text.split('\n').slice(start, line + 2);
  return (
    'The memory file has been edited. Here is the snippet showing the change ' +
    `(with line numbers):\n${numberLines(shown, start + 1)}`
  );
}
