import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { allRoutes, errorCatalogue } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InstalledPythonClient, installPythonClient } from '../../support/python-client.ts';
import { isAvailable } from '../../support/requirements.ts';
import { type Service, startService } from '../../support/service.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const readme = 'clients/python/README.md';

/** Python by file: a later block goes on where the one before it ended. */
const scripts = ['README.md', ...markdownIn('docs'), readme].flatMap((file) => {
  const blocks = blocksOf(file, 'python');
  return blocks.some((code) => code.includes('from mneme import'))
    ? [[file, blocks.join('\n')] as const]
    : [];
});

function markdownIn(folder: string): string[] {
  return readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.posix.join(folder, name));
}

function blocksOf(file: string, language: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  return [...blocks].map(([, code = '']) => code);
}

describe.runIf(isAvailable('pythonClient'))('the client for Python', () => {
  let service: Service;
  let python: InstalledPythonClient;
  beforeAll(async () => {
    const env = { MNEME_WEBHOOK_ALLOW_HTTP: 'true', MNEME_WEBHOOK_ALLOW_PRIVATE: 'true' };
    service = await startService('embedded', { env });
    // As the README says.
    python = await installPythonClient(blocksOf(readme, 'sh').join('\n'));
  });
  afterAll(async () => {
    await service.stop();
    await python[Symbol.asyncDispose]();
  });

  /** Shows the result of each test if one fails. */
  async function passes(args: readonly string[], env: Record<string, string> = {}): Promise<void> {
    const { code, output } = await python.run(['-m', 'pytest', '-q', '-rA', ...args], { env });
    expect(code, output).toBe(0);
    expect(output).toMatch(/^\d+ passed/m);
  }

  it('passes its tests that need no service', () => passes(['tests/unit']));

  it('passes its tests against a real service', () =>
    passes(['tests/live'], { MNEME_URL: service.url, MNEME_API_KEY: service.adminKey }));

  it('has the operations and the error codes of the contract', async () => {
    const code = [
      'import json, mneme',
      'from mneme._operations import OPERATIONS as o',
      'print(json.dumps([mneme.__file__, [*o], [*mneme.errors.CLASS_OF_CODE]]))',
    ].join('\n');
    const { output } = await python.run(['-c', code]);
    const [file, operations, codes] = JSON.parse(output) as [string, string[], string[]];
    expect(file).toContain(path.join(python.folder, '.venv'));
    expect(operations.toSorted()).toEqual(allRoutes.map(({ id }) => id).toSorted());
    expect(codes).toEqual(Object.keys(errorCatalogue).toSorted());
  });

  it('is shown in the documents', () => {
    const files = scripts.map(([file]) => file);
    expect(files).toEqual(['README.md', 'docs/export.md', 'docs/getting-started.md', readme]);
  });

  it.each(scripts)('runs the Python of %s, one block after the other', async (_file, script) => {
    const { key } = await service.createAccount();
    const env = { MNEME_URL: service.url, MNEME_API_KEY: key };
    const { code, output } = await python.run(['-c', script], { cwd: root, env });
    expect(code, output).toBe(0);
  });

  it.runIf(isAvailable('mypy'))('has types that a strict checker accepts', async () => {
    const args = ['-m', 'mypy', '--strict', '--no-incremental', '-p', 'mneme'];
    const { code, output } = await python.run([...args, '-m', 'tests.typed_usage']);
    expect(code, output).toBe(0);
  });
});
