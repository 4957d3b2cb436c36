import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { MutationControl } from '../control.ts';

/** Part of the instrumented copy: runs before each test file and notes which one it is. */

const control = new URL('../../../.mutant.json', import.meta.url);
const { hitsFolder } = JSON.parse(readFileSync(control, 'utf8')) as MutationControl;
const file = expect.getState().testPath ?? 'unknown';
process.env.MUTANT_TEST_FILE = file;
if (hitsFolder !== null) writeFileSync(`${hitsFolder}/process-${process.pid}`, file);
