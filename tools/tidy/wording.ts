import { createFinding, type Finding, type SourceFile } from './finding.ts';
import { isCodeFile, isTestFile, type Node, parseFile } from './source.ts';

/** Turns of phrase that a reader has to translate. STYLE.md, "Comments and texts", has the rule. */
const phrases = [
  'whoever',
  'who listens',
  '(?:is|are|was|were) (?:told|asked|given)',
  'by (?:itself|themselves)',
  'anew',
  'besides?',
  'comes? back',
  'lets? go',
  'under way',
  'stands? for',
  'mend(?:s|ed)?',
];
const unclear = new RegExp(`\\b(?:${phrases.join('|')})\\b`, 'i');

/** English that users see: string literals of our packages, and the documents. */
export function checkWording(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    if (isDocument(file.path)) return findInLines(file);
    return isProductCode(file) ? findInLiterals(file) : [];
  });
}

const isDocument = (path: string): boolean =>
  /^(?:README\.md|docs\/[a-z-]+\.md|(?:packages|clients)\/[a-z]+\/README\.md)$/.test(path);

/** The extractor reads English as people write it; its words are data. */
const isProductCode = (file: SourceFile): boolean =>
  isCodeFile(file) &&
  /^packages\/[^/]+\/src\//.test(file.path) &&
  !isTestFile(file.path) &&
  !/^packages\/(?:extraction|text)\/|\/language\/local\//.test(file.path);

const report = (path: string, line: number, phrase: string): Finding =>
  createFinding('wording', path, line, `"${phrase}": use plain technical English`);

const findInLines = ({ path, text }: SourceFile): Finding[] =>
  text.split('\n').flatMap((line, i) => {
    const phrase = unclear.exec(line)?.[0];
    return phrase === undefined ? [] : [report(path, i + 1, phrase)];
  });

function findInLiterals(file: SourceFile): Finding[] {
  const { nodes, lineOf } = parseFile(file);
  return nodes.flatMap(({ node }) => {
    const phrase = unclear.exec(textOf(node))?.[0];
    return phrase === undefined ? [] : [report(file.path, lineOf(node.start), phrase)];
  });
}

/** The text of a string literal or of a part of a template; empty for any other node. */
function textOf(node: Node): string {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : '';
  if (node.type !== 'TemplateElement') return '';
  return String((node.value as { raw: string }).raw);
}
