const wholeWordsMax = 120;
const passageWordsMax = 80;

const wordCount = (text: string): number => text.match(/\S+/g)?.length ?? 0;

/**
 * Parts of a text that are searched on their own, so that a long text is found by what one part
 * of it says. Up to 120 words a text stays whole; beyond, code blocks, list items and sentences
 * are packed greedily into passages of 80 words (see retrieval in the docs).
 */
export function passagesOf(text: string): string[] {
  if (wordCount(text) <= wholeWordsMax) return [text];
  const passages: string[] = [];
  let current: string[] = [];
  let words = 0;
  for (const unit of unitsOf(text)) {
    const count = wordCount(unit);
    if (words > 0 && words + count > passageWordsMax) {
      passages.push(current.join('\n'));
      current = [];
      words = 0;
    }
    current.push(unit);
    words += count;
  }
  if (current.length > 0) passages.push(current.join('\n'));
  return passages;
}

function unitsOf(text: string): string[] {
  const units: string[] = [];
  for (const block of text.split(/(```[\s\S]*?(?:```|$))/)) {
    if (block.startsWith('```')) units.push(block);
    else for (const line of block.split(/\n+/)) units.push(...sentencesOf(line));
  }
  return units.flatMap(cutLong);
}

function sentencesOf(line: string): string[] {
  if (line.trim() === '') return [];
  return line.split(/(?<=[.!?。！？])\s+(?=\p{Lu}|\p{N}|["'(])/u);
}

/** A unit without any sentence end is cut by words: no passage grows without bound. */
function cutLong(unit: string): string[] {
  const words = unit.match(/\S+\s*/g) ?? [];
  if (words.length <= passageWordsMax * 2) return [unit];
  const cut: string[] = [];
  for (let i = 0; i < words.length; i += passageWordsMax) {
    cut.push(words.slice(i, i + passageWordsMax).join(''));
  }
  return cut;
}
