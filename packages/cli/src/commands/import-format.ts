import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { formatTable } from '../format.ts';
import type { ImportFormatName } from '../imports/formats/index.ts';
import { isRowField, rowFields } from '../imports/formats/rows.ts';
import { type ImportReport, runImport } from '../imports/run-import.ts';
import { addCommand } from '../options.ts';

interface Options {
  readonly json?: boolean;
  readonly dryRun?: boolean;
  readonly space?: string;
  readonly user?: string;
  readonly source?: string;
  readonly encoding?: string;
  readonly map?: Readonly<Record<string, string>>;
  readonly delimiter?: string;
}

interface FormatCommand {
  readonly description: string;
  readonly path: string;
  /** Rows have columns, whose names may differ. */
  readonly hasColumns?: boolean;
}

const formatCommands: Readonly<Record<ImportFormatName, FormatCommand>> = {
  chatgpt: {
    description: 'conversations of ChatGPT',
    path: 'the export as a zip archive, its folder, or conversations.json',
  },
  claude: {
    description: 'conversations, projects and memories of Claude',
    path: 'the export as a zip archive, its folder, or one of its JSON files',
  },
  'mcp-memory': {
    description: 'entities, observations and relations of the MCP memory server',
    path: 'its JSON lines file',
  },
  mem0: { description: 'memories of mem0', path: 'the JSON that get_all returns' },
  markdown: {
    description: 'Markdown files with their tags, times and links, such as an Obsidian vault',
    path: 'the folder, a zip archive, or one file',
  },
  jsonl: {
    description: 'one JSON object per line, or a JSON list',
    path: 'the file',
    hasColumns: true,
  },
  csv: { description: 'a table with a heading', path: 'the file', hasColumns: true },
};

/** `mneme import <format> <path>`, for each format. */
export function addImportFormatCommands(parent: Command, context: CommandContext): void {
  for (const [name, { description, path, hasColumns }] of Object.entries(formatCommands)) {
    const command = addCommand(parent, name, `import ${description}; a second run adds nothing`)
      .argument('<path>', path)
      .option('--dry-run', 'store nothing; report what an import would do')
      .option('--space <name or id>', 'store everything in this space')
      .option('--user <id>', 'the owner of all memories')
      .option('--source <name>', 'a name that tells sources with the same ids apart')
      .option('--encoding <label>', 'such as windows-1252 (default: UTF-8 or UTF-16)', parseLabel);
    if (hasColumns) {
      command.addOption(
        new Option(
          '--map <field=column>',
          `the column of a field (${rowFields.join(', ')}); can be repeated`,
        ).argParser(addToMap),
      );
    }
    if (name === 'csv')
      command.option('--delimiter <text>', 'what separates columns', parseDelimiter);
    command.action(async (given: string, options: Options) => {
      const report = await runImport(context, name as ImportFormatName, given, {
        source: options.source ?? null,
        space: options.space ?? null,
        userId: options.user ?? null,
        encoding: options.encoding ?? null,
        map: options.map ?? {},
        delimiter: options.delimiter ?? null,
        isDryRun: options.dryRun ?? false,
        isQuiet: options.json ?? false,
      });
      printResult(context, options, report, () => describe(report));
    });
  }
}

function parseLabel(text: string): string {
  try {
    return new TextDecoder(text).encoding;
  } catch {
    throw new InvalidArgumentError('Must be an encoding such as utf-8, utf-16le or windows-1252.');
  }
}

const parseDelimiter = (text: string): string => (text === '\\t' || text === 'tab' ? '\t' : text);

function addToMap(
  text: string,
  previous: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const at = text.indexOf('=');
  const field = text.slice(0, at);
  if (at < 1 || at === text.length - 1 || !isRowField(field))
    throw new InvalidArgumentError(
      `Must have the form field=column, with one of ${rowFields.join(', ')}.`,
    );
  return { ...previous, [field]: text.slice(at + 1) };
}

const toWords = (name: string): string => name.replaceAll('_', ' ');
/** `split` counts texts that were stored in several parts. */
const readNouns: Readonly<
  Record<keyof ImportReport['read'], readonly [one: string, many: string]>
> = {
  conversations: ['conversation', 'conversations'],
  turns: ['turn', 'turns'],
  memories: ['memory', 'memories'],
  entities: ['entity', 'entities'],
  relations: ['relation', 'relations'],
  links: ['link', 'links'],
  split: ['split text', 'split texts'],
};

function describeRead(read: ImportReport['read']): string {
  const found = Object.entries(readNouns).flatMap(([kind, [one, many]]) => {
    const count = read[kind as keyof typeof read];
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  return `Read: ${found.join(', ') || 'nothing'}.`;
}

/** Places that a person reads for one reason. */
const shownPlacesMax = 10;

function describe({ dry_run, read, records, skipped, redacted }: ImportReport): string[] {
  const header = ['', 'created', 'updated', 'unchanged', 'skipped'];
  const rows = records.map(({ kind, created, updated, unchanged, skipped: count }) => [
    toWords(kind),
    ...[created, updated, unchanged, count].map(String),
  ]);
  const secrets = Object.entries(redacted).map(([kind, count]) => `${count} ${toWords(kind)}`);
  return [
    ...(dry_run ? ['Nothing was stored (--dry-run).'] : []),
    describeRead(read),
    `Redacted secrets: ${secrets.join(', ') || 'none'}.`,
    ...(rows.length === 0 ? [] : formatTable([header, ...rows])),
    ...skipped.flatMap(({ reason, count, places }) => [
      `skipped ${count}: ${toWords(reason)}`,
      ...places.slice(0, shownPlacesMax).map((place) => `  ${place}`),
      ...(places.length > shownPlacesMax ? ['  …'] : []),
    ]),
  ];
}
