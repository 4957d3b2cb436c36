/** Makes the screenshots of docs/console.md: `npm run console:screenshots`. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { takeScreenshots } from './take-screenshots.ts';

const root = path.resolve(import.meta.dirname, '../..');

execFileSync(process.execPath, [path.join(root, 'packages/console/bin/build.mjs')]);
await takeScreenshots(path.join(root, 'docs/images'));
