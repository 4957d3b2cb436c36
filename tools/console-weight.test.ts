import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildConsole } from '../test/support/built-console.ts';

const dist = path.resolve(import.meta.dirname, '../packages/console/dist');
const gzipBytesOf = (file: string): number => readFileSync(path.join(dist, `${file}.gz`)).length;

const firstPageBytesMax = 200_000;
const allBytesMax = 600_000;

/** What the browser loads for a page: a file with everything that it imports statically. */
function withImports(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  const text = readFileSync(path.join(dist, 'assets', file), 'utf8');
  for (const [, name = ''] of text.matchAll(/\bfrom\s*"\.\/([\w-]+\.js)"|\bimport\s*"\.\//g)) {
    if (name !== '') withImports(name, known);
  }
  return known;
}

describe('the built console', () => {
  let assets: string[];
  beforeAll(() => {
    buildConsole();
    assets = readdirSync(path.join(dist, 'assets')).filter((name) => /\.(?:js|css)$/.test(name));
  });

  it('loads at most 200 kB for the first page, compressed by gzip', () => {
    const page = readFileSync(path.join(dist, 'index.html'), 'utf8');
    const named = [...page.matchAll(/assets\/([\w-]+\.(js|css))/g)];
    const files = new Set<string>();
    for (const [, name = '', type] of named) {
      if (type === 'css') files.add(name);
      else withImports(name, files);
    }
    expect(files.size).toBeGreaterThan(1);
    const bytes = [...files].reduce((sum, name) => sum + gzipBytesOf(`assets/${name}`), 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(firstPageBytesMax);
  });

  it('has at most 600 kB of scripts and styles, compressed by gzip', () => {
    const bytes = assets.reduce((sum, name) => sum + gzipBytesOf(`assets/${name}`), 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(allBytesMax);
  });

  it('inlines no file and evaluates no text, as its policy requires', () => {
    for (const name of assets) {
      const text = readFileSync(path.join(dist, 'assets', name), 'utf8');
      expect(text).not.toMatch(/url\(["']?data:|\beval\(|\bnew Function\(/);
    }
  });
});
