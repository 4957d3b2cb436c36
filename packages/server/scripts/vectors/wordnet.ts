import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Corpus {
  /** Short definitions and usage examples, each once, in a fixed order. */
  sentences: string[];
  /** Single-word lemmas, lower case. */
  lemmas: Set<string>;
}

const PARTS = ['noun', 'verb', 'adj', 'adv'];
const SENTENCE_WORDS_MIN = 3;
const SENTENCE_WORDS_MAX = 16;

/**
 * Reads the four data files of WordNet 3.1 (`dict/data.*`).
 * A gloss is "definition; definition; "example"; …": the parts become sentences of their own.
 * @param folder the `dict` folder
 */
export async function readWordnet(folder: string): Promise<Corpus> {
  const sentences = new Set<string>();
  const lemmas = new Set<string>();
  for (const part of PARTS) {
    const text = await readFile(join(folder, `data.${part}`), 'utf8');
    for (const line of text.split('\n')) {
      const bar = line.indexOf(' | ');
      // The licence at the top of each file is indented by two blanks.
      if (bar < 0 || line.startsWith('  ')) continue;
      for (const lemma of lemmasOf(line.slice(0, bar))) lemmas.add(lemma);
      for (const sentence of sentencesOf(line.slice(bar + 3))) sentences.add(sentence);
    }
  }
  return { sentences: interleave([...sentences]), lemmas };
}

function lemmasOf(head: string): string[] {
  const fields = head.split(' ');
  const count = Number.parseInt(fields[3] ?? '0', 16);
  const lemmas: string[] = [];
  for (let i = 0; i < count; i++) {
    const lemma = fields[4 + 2 * i]?.toLowerCase().replace(/\(.*\)$/, '');
    if (lemma && /^[a-z]+$/.test(lemma)) lemmas.push(lemma);
  }
  return lemmas;
}

function sentencesOf(gloss: string): string[] {
  const parts = gloss.split(/;\s*(?=")|(?<=")\s*;|;/);
  return parts
    .map((part) => part.replace(/["()]/g, ' ').replace(/\s+/g, ' ').trim())
    .filter((part) => {
      const words = part.split(' ').length;
      return words >= SENTENCE_WORDS_MIN && words <= SENTENCE_WORDS_MAX;
    });
}

/** Any prefix of the result is an even sample of the whole, so an encoding may stop early. */
function interleave(sentences: string[]): string[] {
  const stride = 7919;
  const out: string[] = [];
  for (let start = 0; start < stride; start++) {
    for (let i = start; i < sentences.length; i += stride) out.push(sentences[i] ?? '');
  }
  return out;
}

/**
 * Irregular forms to base forms from WordNet's exception lists (`noun.exc` …: "form base …").
 * The npm package of WordNet leaves these files out; Debian's `wordnet-base` has them.
 */
export async function readIrregularForms(folder: string): Promise<Record<string, string>> {
  const forms = new Map<string, string>();
  for (const part of ['verb', 'noun', 'adj', 'adv']) {
    const text = await readFile(join(folder, `${part}.exc`), 'utf8');
    for (const line of text.split('\n')) {
      const [form, base] = line.trim().split(' ');
      if (!form || !base || form === base || !/^[a-z]+$/.test(form + base)) continue;
      if (!forms.has(form)) forms.set(form, base);
    }
  }
  return Object.fromEntries([...forms].sort(([a], [b]) => (a < b ? -1 : 1)));
}
