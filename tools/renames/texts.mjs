/**
 * After apply.mjs: writes the new paths of moved files into documents and settings, whole ones and
 * those that begin within the path (`http/door.ts`), and names of tests without their suffix.
 *
 *   node tools/renames/texts.mjs
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const repo = path.resolve(import.meta.dirname, '../..');
const { files } = JSON.parse(fs.readFileSync(new URL('names.json', import.meta.url), 'utf8'));
const suffixes = ['.slow.test.ts', '.database.test.ts', '.test.ts'];

/** New by old, from the longest; an old one that two files end in goes to the first. */
const renamed = new Map();
const note = (from, to) => {
  if (!renamed.has(from)) renamed.set(from, to);
};
for (const [from, to] of Object.entries(files)) {
  const [old, fresh] = [from.split('/'), to.split('/')];
  for (let left = 0; left < old.length - 1; left += 1) {
    if (old.slice(0, left).join('/') !== fresh.slice(0, left).join('/')) break;
    const [tail, freshTail] = [old.slice(left).join('/'), fresh.slice(left).join('/')];
    note(tail, freshTail);
    const suffix = suffixes.find((one) => tail.endsWith(one) && freshTail.endsWith(one));
    if (suffix === undefined) continue;
    const [stem, freshStem] = [tail.slice(0, -suffix.length), freshTail.slice(0, -suffix.length)];
    note(stem, freshStem);
    note(`${stem}.test.ts`, `${freshStem}.test.ts`);
  }
}
const escaped = [...renamed.keys()]
  .filter((name) => name.includes('/'))
  // A media type, not a folder.
  .filter((name) => !/^(?:text|audio|video|image)\/[^.]+$/.test(name))
  .sort((a, b) => b.length - a.length)
  .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
const pattern = new RegExp(
  `(?<![\\w./-])((?:\\.\\.?/)*)(${escaped.join('|')})(?![\\w-])(?!\\.[a-z])`,
  'g',
);

const isText = (file) =>
  /\.(?:md|txt|json|sh)$/.test(file) ||
  (/\.ts$/.test(file) && /^(?:tools\/|test\/support\/|vitest\.config)/.test(file));
const isHistory = (file) =>
  /^(?:docs\/decisions|docs\/openapi|tools\/renames)|CHANGELOG|package-lock/.test(file);
const listed = execFileSync('git', ['-C', repo, 'ls-files', '-z'], { maxBuffer: 1 << 28 });
for (const file of listed.toString().split('\0')) {
  if (!isText(file) || isHistory(file)) continue;
  const place = path.join(repo, file);
  if (!fs.existsSync(place)) continue;
  const text = fs.readFileSync(place, 'utf8');
  const fresh = text.replace(pattern, (_, before, name) => before + renamed.get(name));
  if (fresh !== text) {
    fs.writeFileSync(place, fresh);
    console.log(file);
  }
}
