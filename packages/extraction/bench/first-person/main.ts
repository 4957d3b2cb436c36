/**
 * How well facts of speakers are read: `npm run bench:first-person`, with `-- --misses` what was
 * wrong; of the test half totals alone are ever shown. See the README for when a fact is right.
 */

import { readFile } from 'node:fs/promises';
import { findSpeakerFacts } from '../../src/index.ts';
import { Tally } from '../scoring.ts';

interface Label {
  readonly predicate: string;
  readonly objects: readonly string[];
  readonly isEnded: boolean;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function readTexts(half: string): Promise<{ text: string; labels: Label[] }[]> {
  const whole = await readFile(new URL(`${half}.txt`, import.meta.url), 'utf8');
  return whole
    .trim()
    .split('\n\n')
    .map((block) => {
      const [line = '', ...facts] = block.split('\n');
      const text = line.replace(/^\\>/u, '>').replaceAll('\\n', '\n');
      return { text, labels: facts.map(parseLabel) };
    });
}

function parseLabel(line: string): Label {
  const [, predicate = '', told = ''] = /^> (\w+) (.*)$/u.exec(line) ?? [];
  const isEnded = told.endsWith('(ended)');
  const objects = told.replace(/ \(ended\)$/u, '').split(' | ');
  return { predicate, objects: objects.map(normalize), isEnded };
}

const normalize = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^(?:the|a|an|my|our) /u, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ');

const precisionMin = 80;
const recallMin = 55;
for (const half of ['tuning', 'test', 'others-1', 'others-2'] as const) {
  const totals = new Map<string, Tally>();
  const tally = (name: string): Tally => {
    const known = totals.get(name) ?? new Tally();
    totals.set(name, known);
    return known;
  };
  for (const { text, labels } of await readTexts(half)) {
    const misses: string[] = [];
    const open = new Set(labels);
    for (const { predicate } of labels) {
      tally('all').labelled += 1;
      tally(predicate).labelled += 1;
    }
    for (const { predicate, object, isEnded } of findSpeakerFacts(text)) {
      tally('all').found += 1;
      tally(predicate).found += 1;
      const right = [...open].find(
        (one) =>
          one.predicate === predicate &&
          one.isEnded === isEnded &&
          one.objects.includes(normalize(object)),
      );
      if (right === undefined) {
        misses.push(`+ ${predicate} ${object}${isEnded ? ' (ended)' : ''}`);
        continue;
      }
      open.delete(right);
      tally('all').correct += 1;
      tally(predicate).correct += 1;
    }
    misses.push(...[...open].map((one) => `- ${one.predicate} ${one.objects[0]}`));
    if (half !== 'test' && process.argv.includes('--misses') && misses.length > 0) {
      print([`\n${text}`, ...misses].join('\n  '));
    }
  }
  print(`\n${half.padEnd(20)}precision recall`);
  for (const [name, { precision, recall, correct, found, labelled }] of totals) {
    const percent = [precision, recall].map((share) => (100 * share).toFixed(1).padStart(6));
    const isMet = 100 * precision >= precisionMin && 100 * recall >= recallMin;
    const bar = `  bar ${precisionMin}/${recallMin}: ${isMet ? 'met' : 'MISSED'}`;
    const counts = `${correct} of ${found} found, ${labelled} labelled`;
    print(`${name.padEnd(18)}${percent.join('')}  ${counts}${name === 'all' ? bar : ''}`);
  }
}
