import os from 'node:os';
import path from 'node:path';
import { UsageError } from '../errors.ts';
import { getJsonValue, setJsonValue } from './jsonc.ts';
import { getTomlTable, setTomlTable } from './toml-table.ts';

/** Where the service is, as clients call it. */
export interface SetupTarget {
  readonly mcpUrl: string;
  readonly hookUrl: string;
}

/** What belongs to Mneme in one file of a client. */
export interface ConfigEdit {
  readonly file: string;
  /** The text with our entries for this target. Throws CliError `unreadable_file`. */
  add(text: string, target: SetupTarget): string;
  /** The text without our entries. */
  remove(text: string): string;
  /** The text of another file with the entries that `from` has. */
  copy(from: string, to: string): string;
}

interface SetupClient {
  readonly title: string;
  /** What the user has to do for the key. */
  readonly keyHint: string;
  readonly edits: (place: { readonly isProject: boolean }) => readonly ConfigEdit[];
}

const keyVariable = 'MNEME_API_KEY';
const bearer = (reference: string) => ({ headers: { Authorization: `Bearer ${reference}` } });

const environmentHint = (title: string): string =>
  `Set MNEME_API_KEY in the environment of ${title}, and start it again.`;

const home = (...parts: string[]): string => path.join(os.homedir(), ...parts);
const project = (...parts: string[]): string => path.join(process.cwd(), ...parts);

/** An entry at a path of a JSON file. */
function jsonEntry(
  file: string,
  names: readonly string[],
  entryOf: (target: SetupTarget) => unknown,
): ConfigEdit {
  return {
    file,
    add: (text, target) => setIfChanged(text, names, entryOf(target), file),
    remove: (text) => setJsonValue(text, names, undefined, file),
    copy: (from, to) => setJsonValue(to, names, getJsonValue(from, names, file), file),
  };
}

const setIfChanged = (
  text: string,
  names: readonly string[],
  value: unknown,
  file: string,
): string =>
  JSON.stringify(getJsonValue(text, names, file)) === JSON.stringify(value)
    ? text
    : setJsonValue(text, names, value, file);

/** Items of ours in a list of a JSON file, among those of others. */
function jsonItems(
  file: string,
  names: readonly string[],
  isOurs: (item: unknown) => boolean,
  itemOf: (target: SetupTarget) => unknown,
): ConfigEdit {
  const listOf = (text: string): unknown[] => {
    const value = getJsonValue(text, names, file);
    return Array.isArray(value) ? value : [];
  };
  const without = (text: string): unknown[] => listOf(text).filter((item) => !isOurs(item));
  const setOthers = (text: string, added: readonly unknown[]): string => {
    const all = [...without(text), ...added];
    return setIfChanged(text, names, all.length === 0 ? undefined : all, file);
  };
  return {
    file,
    add(text, target) {
      const item = itemOf(target);
      const current = listOf(text).filter(isOurs);
      return JSON.stringify(current) === JSON.stringify([item]) ? text : setOthers(text, [item]);
    },
    remove: (text) => (listOf(text).some(isOurs) ? setOthers(text, []) : text),
    copy: (from, to) => setOthers(to, listOf(from).filter(isOurs)),
  };
}

/** Several edits of one file as one. */
function together(edits: readonly ConfigEdit[]): ConfigEdit {
  const [first] = edits as [ConfigEdit];
  return {
    file: first.file,
    add: (text, target) => edits.reduce((all, edit) => edit.add(all, target), text),
    remove: (text) => edits.reduce((all, edit) => edit.remove(all), text),
    copy: (from, to) => edits.reduce((all, edit) => edit.copy(from, all), to),
  };
}

const hookPath = '/hooks/claude-code';
/** Seconds. A prompt waits for the first one; Claude Code goes on without an answer. */
const hookTimeouts = { UserPromptSubmit: 5, Stop: 5, SessionEnd: 10 } as const;

const isOurHook = (item: unknown): boolean => {
  const { hooks } = Object(item) as { hooks?: unknown };
  return (
    Array.isArray(hooks) &&
    hooks.some((hook) => {
      const { url } = Object(hook) as { url?: unknown };
      return typeof url === 'string' && URL.canParse(url) && new URL(url).pathname === hookPath;
    })
  );
};

const claudeHooks = (file: string): ConfigEdit =>
  together(
    Object.entries(hookTimeouts).map(([event, timeout]) =>
      jsonItems(file, ['hooks', event], isOurHook, ({ hookUrl }) => ({
        hooks: [
          {
            type: 'http',
            url: hookUrl,
            timeout,
            ...bearer(`$${keyVariable}`),
            allowedEnvVars: [keyVariable],
          },
        ],
      })),
    ),
  );

/** `{ "mcpServers": { "mneme": … } }`, as most clients have it. */
const mcpServer = (file: string, entryOf: (url: string) => object): ConfigEdit =>
  jsonEntry(file, ['mcpServers', 'mneme'], ({ mcpUrl }) => entryOf(mcpUrl));

function codeUserFolder(): string {
  if (process.platform === 'darwin') return home('Library', 'Application Support', 'Code', 'User');
  if (process.platform === 'win32') return home('AppData', 'Roaming', 'Code', 'User');
  return home('.config', 'Code', 'User');
}

const codeInput = 'mneme-key';
const codeEdits = (file: string): ConfigEdit =>
  together([
    jsonItems(
      file,
      ['inputs'],
      (item) => (Object(item) as { id?: unknown }).id === codeInput,
      () => ({
        type: 'promptString',
        id: codeInput,
        description: 'Mneme API key',
        password: true,
      }),
    ),
    jsonEntry(file, ['servers', 'mneme'], ({ mcpUrl }) => ({
      type: 'http',
      url: mcpUrl,
      ...bearer(`\${input:${codeInput}}`),
    })),
  ]);

const codexTable = 'mcp_servers.mneme';
const codexEdit = (file: string): ConfigEdit => ({
  file,
  add(text, { mcpUrl }) {
    const table = [
      `[${codexTable}]`,
      `url = ${JSON.stringify(mcpUrl)}`,
      `bearer_token_env_var = ${JSON.stringify(keyVariable)}`,
      '',
    ].join('\n');
    return getTomlTable(text, codexTable)?.trim() === table.trim()
      ? text
      : setTomlTable(text, codexTable, table, file);
  },
  remove: (text) => setTomlTable(text, codexTable, undefined, file),
  copy: (from, to) => setTomlTable(to, codexTable, getTomlTable(from, codexTable), file),
});

/** The clients by the name that the command takes. */
export const setupClients: Readonly<Record<string, SetupClient>> = {
  'claude-code': {
    title: 'Claude Code',
    keyHint: environmentHint('Claude Code'),
    edits: ({ isProject }) => [
      mcpServer(isProject ? project('.mcp.json') : home('.claude.json'), (url) => ({
        type: 'http',
        url,
        ...bearer(`\${${keyVariable}}`),
      })),
      claudeHooks(
        isProject ? project('.claude', 'settings.json') : home('.claude', 'settings.json'),
      ),
    ],
  },
  cursor: {
    title: 'Cursor',
    keyHint: environmentHint('Cursor'),
    edits: ({ isProject }) => [
      mcpServer(
        isProject ? project('.cursor', 'mcp.json') : home('.cursor', 'mcp.json'),
        (url) => ({
          url,
          ...bearer(`\${env:${keyVariable}}`),
        }),
      ),
    ],
  },
  vscode: {
    title: 'VS Code',
    keyHint: 'VS Code asks for the key when the server starts, and stores it.',
    edits: ({ isProject }) => [
      codeEdits(
        isProject ? project('.vscode', 'mcp.json') : path.join(codeUserFolder(), 'mcp.json'),
      ),
    ],
  },
  codex: {
    title: 'Codex',
    keyHint: environmentHint('Codex'),
    edits: ({ isProject }) => [
      codexEdit(isProject ? project('.codex', 'config.toml') : home('.codex', 'config.toml')),
    ],
  },
  windsurf: {
    title: 'Windsurf',
    keyHint: environmentHint('Windsurf'),
    edits: ({ isProject }) => {
      if (isProject) throw new UsageError('Windsurf has no file of a project: omit --project');
      return [
        mcpServer(home('.codeium', 'windsurf', 'mcp_config.json'), (url) => ({
          serverUrl: url,
          ...bearer(`\${env:${keyVariable}}`),
        })),
      ];
    },
  },
  gemini: {
    title: 'Gemini CLI',
    keyHint: environmentHint('Gemini CLI'),
    edits: ({ isProject }) => [
      mcpServer(
        isProject ? project('.gemini', 'settings.json') : home('.gemini', 'settings.json'),
        (url) => ({ httpUrl: url, ...bearer(`$${keyVariable}`) }),
      ),
    ],
  },
};
