import { spawn } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestFolder } from '../../../packages/server/src/database/testing.ts';

const bin = fileURLToPath(new URL('../../../packages/cli/bin/mneme.mjs', import.meta.url));
const key = `${'mnk_'}0123456789ab_q7Zt4mKd9XvB2nLs8RfW3hYc6TgJ1pEa5UoDiQxCabc_012345`;

interface Place {
  readonly home: string;
  readonly project: string;
}

/** Runs `mneme` in the folder of the project, as a script does. */
async function run({ home, project }: Place, ...args: string[]) {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: project,
    env: { HOME: home, MNEME_API_KEY: key, MNEME_URL: 'http://127.0.0.1:7077', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (bytes) => {
    stdout += String(bytes);
  });
  child.stderr.on('data', (bytes) => {
    stderr += String(bytes);
  });
  const code = await new Promise((resolve) => {
    child.on('close', resolve);
  });
  return { code, stdout, stderr };
}

/** All files below a folder with their texts. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(async ({ parentPath, name }) => {
    const file = path.join(parentPath, name);
    return [path.relative(folder, file), await fs.readFile(file, 'utf8')] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

const others = {
  claude: '{"numStartups": 12,  "mcpServers": {"x": {"command": "x", "env": {"K": "1"}}}}',
  settings:
    '{\n    "model": "opus",\n    "hooks": {\n        "Stop": [\n            { "hooks": [] }\n' +
    '        ]\n    }\n}\n',
  jsonc: '{\n\t// my servers\n\t"servers": {\n\t\t"x": { "command": "x" }, // one\n\t},\n}\n',
  toml: '# Codex\nmodel = "o4"\n\n[mcp_servers.x]\ncommand = "x"\n',
  plain: '{\n  "theme": "dark"\n}\n',
};

/** The file of each client, and what it has before. */
const clients = [
  ['claude-code', '.claude.json', others.claude, '.mcp.json'],
  ['cursor', '.cursor/mcp.json', others.plain, '.cursor/mcp.json'],
  ['vscode', '.config/Code/User/mcp.json', others.jsonc, '.vscode/mcp.json'],
  ['codex', '.codex/config.toml', others.toml, '.codex/config.toml'],
  ['gemini', '.gemini/settings.json', others.plain, '.gemini/settings.json'],
  ['windsurf', '.codeium/windsurf/mcp_config.json', others.plain, null],
] as const;

describe('mneme setup', () => {
  let folder = '';
  let places = 0;
  beforeAll(async () => {
    folder = await makeTestFolder();
  });
  afterAll(() => fs.rm(folder, { recursive: true, force: true }));

  const makePlace = async (files: Readonly<Record<string, string>> = {}): Promise<Place> => {
    places += 1;
    const place = {
      home: path.join(folder, `home-${places}`),
      project: path.join(folder, `project-${places}`),
    };
    await fs.mkdir(place.home);
    await fs.mkdir(place.project);
    for (const [name, text] of Object.entries(files)) {
      await fs.mkdir(path.dirname(path.join(place.home, name)), { recursive: true });
      await fs.writeFile(path.join(place.home, name), text, { mode: 0o640 });
    }
    return place;
  };

  it.each(clients)('adds %s to %s, twice the same, and removes it exactly', async (...given) => {
    const [client, file, text] = given;
    const before =
      client === 'claude-code'
        ? { [file]: text, '.claude/settings.json': others.settings }
        : { [file]: text };
    const place = await makePlace(before);
    const first = await run(place, 'setup', client, '--yes');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain(file);
    expect(first.stdout).toMatch(/^\+ .*7077\/mcp/m);
    const after = await filesIn(place.home);
    expect(after[file]).toContain('http://127.0.0.1:7077/mcp');
    expect(after[`${file}.mneme-backup`]).toBe(text);
    expect(JSON.stringify(after)).not.toContain('0123456789ab');
    expect((await fs.stat(path.join(place.home, file))).mode & 0o777).toBe(0o640);

    const second = await run(place, 'setup', client, '--yes');
    expect(second.stdout).toMatch(/is set up already/);
    expect(await filesIn(place.home)).toEqual(after);

    const removed = await run(place, 'setup', client, '--remove', '--yes');
    expect(removed).toMatchObject({ code: 0, stderr: '' });
    expect(await filesIn(place.home)).toEqual(before);
    const again = await run(place, 'setup', client, '--remove', '--yes');
    expect(again.stdout).toMatch(/has no entries of Mneme/);
  });

  it.each(clients.filter(([, , , file]) => file !== null))(
    'adds %s to a project that has no such file, and removes the file again',
    async (client, _file, _text, projectFile) => {
      const place = await makePlace();
      const added = await run(place, 'setup', client, '--project', '--yes', '--space', 'my work');
      expect(added.code).toBe(0);
      const files = await filesIn(place.project);
      expect(files[String(projectFile)]).toContain('http://127.0.0.1:7077/mcp/my%20work');
      expect(JSON.stringify(files)).not.toContain('0123456789ab');
      expect(await filesIn(place.home)).toEqual({});
      await run(place, 'setup', client, '--project', '--remove', '--yes');
      expect(await filesIn(place.project)).toEqual({});
    },
  );

  it('writes the hooks of Claude Code, next to those of others', async () => {
    const place = await makePlace({ '.claude/settings.json': others.settings });
    await run(place, 'setup', 'claude-code', '--yes');
    const files = await filesIn(place.home);
    const settings = JSON.parse(files['.claude/settings.json'] ?? '');
    const hook = (timeout: number) => ({
      hooks: [
        {
          type: 'http',
          url: 'http://127.0.0.1:7077/hooks/claude-code',
          timeout,
          headers: { Authorization: 'Bearer $MNEME_API_KEY' },
          allowedEnvVars: ['MNEME_API_KEY'],
        },
      ],
    });
    expect(settings).toEqual({
      model: 'opus',
      hooks: {
        Stop: [{ hooks: [] }, hook(5)],
        UserPromptSubmit: [hook(5)],
        SessionEnd: [hook(10)],
      },
    });
    const { mcpServers } = JSON.parse(files['.claude.json'] ?? '');
    expect(mcpServers.mneme).toEqual({
      type: 'http',
      url: 'http://127.0.0.1:7077/mcp',
      headers: { Authorization: `Bearer \${MNEME_API_KEY}` },
    });
  });

  it('keeps comments, and what was changed in the meantime', async () => {
    const file = '.config/Code/User/mcp.json';
    const place = await makePlace({ [file]: others.jsonc });
    await run(place, 'setup', 'vscode', '--yes');
    const added = (await filesIn(place.home))[file] ?? '';
    expect(added).toContain('// my servers');
    expect(added).toContain('// one');
    await fs.writeFile(
      path.join(place.home, file),
      added.replace('"command": "x"', '"command": "y"'),
    );
    await run(place, 'setup', 'vscode', '--remove', '--yes');
    const left = (await filesIn(place.home))[file] ?? '';
    expect(left).toContain('"command": "y"');
    expect(left).toContain('// my servers');
    expect(left).not.toContain('mneme');
  });

  it('follows another URL, and still removes it exactly', async () => {
    const place = await makePlace({ '.cursor/mcp.json': others.plain });
    await run(place, 'setup', 'cursor', '--yes');
    await run(place, '--server', 'https://memory.example.com/v1', 'setup', 'cursor', '--yes');
    const files = await filesIn(place.home);
    expect(files['.cursor/mcp.json']).toContain('"https://memory.example.com/mcp"');
    expect(files['.cursor/mcp.json']).not.toContain('7077');
    await run(place, 'setup', 'cursor', '--remove', '--yes');
    expect(await filesIn(place.home)).toEqual({ '.cursor/mcp.json': others.plain });
  });

  it('writes nothing without a yes, or with --dry-run, and shows no key of others', async () => {
    const secret = `${'ghp_'}q7Zt4mKd9XvB2nLs8RfW3hYc6TgJ1pEa5UoD`;
    const before = { '.cursor/mcp.json': `{\n  "mcpServers": {\n    "x": "${secret}"\n  }\n}\n` };
    const place = await makePlace(before);
    const asked = await run(place, 'setup', 'cursor');
    expect(asked.code).toBe(2);
    expect(asked.stderr).toMatch(/Repeat with --yes/);
    const dry = await run(place, 'setup', 'cursor', '--dry-run');
    expect(dry.code).toBe(0);
    expect(dry.stdout).toContain('Nothing was written.');
    expect(asked.stdout + dry.stdout).not.toContain(secret);
    expect(await filesIn(place.home)).toEqual(before);
  });

  it('writes through a link', async () => {
    const place = await makePlace({ 'dotfiles/mcp.json': others.plain });
    await fs.mkdir(path.join(place.home, '.cursor'));
    const link = path.join(place.home, '.cursor/mcp.json');
    await fs.symlink('../dotfiles/mcp.json', link);
    await run(place, 'setup', 'cursor', '--yes');
    expect((await fs.lstat(link)).isSymbolicLink()).toBe(true);
    expect(await fs.readFile(path.join(place.home, 'dotfiles/mcp.json'), 'utf8')).toContain(
      'mneme',
    );
  });

  it('refuses what it cannot edit, and says what is wrong', async () => {
    const place = await makePlace({
      '.cursor/mcp.json': '{ "mcpServers": ',
      '.codex/config.toml': 'mcp_servers = { x = { url = "x" } }\n',
    });
    const invalid = await run(place, 'setup', 'cursor', '--yes');
    expect(invalid).toMatchObject({ code: 1, stderr: expect.stringMatching(/is not valid JSON/) });
    const other = await run(place, 'setup', 'codex', '--yes');
    expect(other).toMatchObject({ code: 1, stderr: expect.stringMatching(/by hand/) });
    expect((await run(place, 'setup', 'windsurf', '--project')).code).toBe(2);
    expect((await run(place, 'setup', 'emacs')).stderr).toContain('claude-code');
  });

  it('prints one JSON value with --json', async () => {
    const place = await makePlace();
    const { stdout } = await run(place, 'setup', 'gemini', '--yes', '--json');
    expect(JSON.parse(stdout)).toEqual({
      client: 'gemini',
      files: [path.join(place.home, '.gemini/settings.json')],
      written: true,
    });
  });
});
