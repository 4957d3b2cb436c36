import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import type { MutationControl } from '../control.ts';

/**
 * Part of the instrumented copy: tells the server's code which mutant is active. It reads a file,
 * since the environment does not reach every process that tests start.
 */

const control = JSON.parse(readFileSync(findControl(), 'utf8')) as MutationControl;
const { active, hitsFolder } = control;

/** Whether the mutant is active. While hits are recorded, also notes that it was reached. */
export const isMutantActive: (id: number) => boolean =
  hitsFolder === null ? (id) => id === active : recording(hitsFolder);

function recording(folder: string): (id: number) => boolean {
  const reached = new Set<number>();
  const out = `${folder}/${process.pid}-${threadId}.txt`;
  return (id) => {
    if (!reached.has(id)) {
      reached.add(id);
      appendFileSync(out, `${id}\t${testFile(folder)}\n`);
    }
    return id === active;
  };
}

/** The test file of this process, or of the nearest process above it that knows one. */
function testFile(folder: string): string {
  if (process.env.MUTANT_TEST_FILE) return process.env.MUTANT_TEST_FILE;
  let pid = process.ppid;
  while (pid > 1) {
    const known = `${folder}/process-${pid}`;
    if (existsSync(known)) return readFileSync(known, 'utf8');
    pid = parentOf(pid);
  }
  return 'unknown';
}

/** On Linux; 0 elsewhere. */
function parentOf(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 0;
  // The name of the program comes first, in brackets, and may hold anything.
  const fields = readFileSync(file, 'utf8').replace(/^.*\)/s, '').trim().split(' ');
  return Number(fields[1]);
}

/** At the root of the copy: this is one of its sources, or part of a bundle somewhere in it. */
function findControl(): URL {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder)) {
    const file = new URL('.mutant.json', folder);
    if (existsSync(file)) return file;
    if (folder.pathname === '/') throw new Error(`No .mutant.json above ${import.meta.url}`);
  }
}
