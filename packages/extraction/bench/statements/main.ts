/**
 * How well standing statements are derived from conversations by the built-in rules:
 * `npm run bench:from-messages`, with `-- --misses` what of the tuning half was wrong; of the test
 * half totals alone are ever shown.
 *
 * Each sentence of a conversation is labelled with a kind, or `-` where nothing is to be derived. A
 * derived statement is right when it is a labelled sentence without the fillers at its start,
 * without regard to case. Whether its kind is right is counted separately.
 */

import fs from 'node:fs/promises';
import { deriveStatements, findStatements, type Turn } from '../../src/index.ts';

interface Sentence {
  readonly speaker: string;
  readonly kind: string;
  readonly text: string;
  /** What is to be derived, in lower case. */
  readonly content: string;
}

type Half = 'tuning' | 'test';

const at = new Date('2026-03-02T10:00:00Z');
const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function readConversations(half: Half): Promise<Sentence[][]> {
  const text = await fs.readFile(new URL(`${half}.txt`, import.meta.url), 'utf8');
  const blocks = text.split(/^#.*$/mu).map((block) => block.trim());
  return blocks.filter((block) => block !== '').map((block) => block.split('\n').map(readLine));
}

function readLine(line: string): Sentence {
  const [speaker = '', kind = '', ...rest] = line.split('|');
  const [text = '', content = text] = rest.join('|').split(' => ');
  return { speaker, kind, text, content: content.toLowerCase() };
}

/** Sentences of one speaker that follow each other are one turn. */
function toTurns(sentences: readonly Sentence[]): Turn[] {
  const turns: { speaker: string; text: string }[] = [];
  for (const { speaker, text } of sentences) {
    const last = turns.at(-1);
    if (last?.speaker === speaker) last.text += `\n${text}`;
    else turns.push({ speaker, text });
  }
  return turns.map(({ speaker, text }) => {
    const isNamed = speaker !== 'user' && speaker !== 'assistant';
    return { role: isNamed ? 'user' : speaker, text, at, ...(isNamed ? { speaker } : {}) };
  });
}

const percent = (part: number, all: number): string => ((100 * part) / all).toFixed(1);

async function measure(half: Half, showsMisses: boolean): Promise<void> {
  let [sentences, labelled, found, right, ofKind] = [0, 0, 0, 0, 0];
  for (const conversation of await readConversations(half)) {
    const wanted = conversation.filter(({ kind }) => kind !== '-');
    const derived = await deriveStatements(
      { turns: toTurns(conversation), findKnown: async () => [] },
      async (text) => findStatements(text),
    );
    const contents = new Map(derived.map(({ content, kind }) => [content.toLowerCase(), kind]));
    const hits = wanted.filter(({ content }) => contents.has(content));
    sentences += conversation.length;
    labelled += wanted.length;
    found += derived.length;
    right += hits.length;
    ofKind += hits.filter(({ content, kind }) => contents.get(content) === kind).length;
    if (!showsMisses) continue;
    for (const one of wanted) if (!hits.includes(one)) print(`missed  ${one.kind}: ${one.text}`);
    for (const { content, kind } of derived) {
      const isRight = hits.some((hit) => hit.content === content.toLowerCase());
      if (!isRight) print(`wrong   ${kind}: ${content}`);
    }
    for (const hit of hits) {
      const kind = contents.get(hit.content);
      if (kind !== hit.kind) print(`kind    ${kind} for ${hit.kind}: ${hit.text}`);
    }
  }
  print(
    `${half.padEnd(7)} ${sentences} sentences, ${labelled} labelled, ${found} found, ` +
      `${right} right: precision ${percent(right, found)}, ` +
      `recall ${percent(right, labelled)}, ` +
      `of the right kind ${percent(ofKind, right)}`,
  );
}

const showsMisses = process.argv.includes('--misses');
await measure('tuning', showsMisses);
if (!showsMisses) await measure('test', false);
