/** Marks the beginning of a word within a piece. */
const wordStart = '\u2581';
/** The piece of characters that the vocabulary does not have. */
const unknownPiece = 0;
/** Worse than the score of any piece, so that known pieces are preferred. */
const unknownScore = -20;
/** The first pieces are control symbols. */
const reservedPieces = 6;

/** No piece of the vocabulary has more characters. */
const pieceCharactersMax = 16;

interface TrieNode {
  readonly children: Map<string, TrieNode>;
  piece: number;
}

const createNode = (): TrieNode => ({ children: new Map(), piece: -1 });

/**
 * Splits texts into the pieces of a vocabulary: the unigram language model of SentencePiece (Kudo,
 * "Subword Regularization", 2018). The most probable split is found with Viterbi's algorithm.
 */
export class Tokenizer {
  readonly #root = createNode();
  readonly #scores: readonly number[];

  /** @param vocabulary pieces with the logarithm of their probability, by their id */
  constructor(vocabulary: readonly (readonly [piece: string, score: number])[]) {
    this.#scores = vocabulary.map(([, score]) => score);
    for (const [id, [piece]] of vocabulary.entries()) {
      if (id >= reservedPieces) this.#add(piece, id);
    }
  }

  #add(piece: string, id: number): void {
    let node = this.#root;
    for (const symbol of piece) {
      const next = node.children.get(symbol) ?? createNode();
      node.children.set(symbol, next);
      node = next;
    }
    node.piece = id;
  }

  /** The ids of the pieces, at least one; the text is cut after `piecesMax` pieces. */
  encode(text: string, piecesMax: number): number[] {
    const charactersMax = piecesMax * pieceCharactersMax;
    const start = text.slice(0, charactersMax).normalize('NFKC');
    // One character may become eighteen.
    const words = start.slice(0, charactersMax).replace(/\s+/g, ' ').trim();
    if (words === '') return [unknownPiece];
    const symbols = [...`${wordStart}${words.replaceAll(' ', wordStart)}`];
    const { starts, pieces } = this.#findBestSplit(symbols);
    const ids: number[] = [];
    for (let end = symbols.length; end > 0; end = starts[end] as number) {
      const id = pieces[end] as number;
      const isRepeated = id === unknownPiece && ids.at(-1) === unknownPiece;
      if (!isRepeated) ids.push(id);
    }
    return ids.reverse().slice(0, piecesMax);
  }

  /** For each end: the start and the id of the last piece of the best split up to it. */
  #findBestSplit(symbols: readonly string[]): { starts: Int32Array; pieces: Int32Array } {
    const starts = new Int32Array(symbols.length + 1);
    const pieces = new Int32Array(symbols.length + 1);
    const best = new Float64Array(symbols.length + 1).fill(Number.NEGATIVE_INFINITY);
    best[0] = 0;
    const offer = (start: number, end: number, id: number, score: number): void => {
      const total = (best[start] as number) + score;
      if (total < (best[end] as number)) return;
      best[end] = total;
      starts[end] = start;
      pieces[end] = id;
    };
    for (let start = 0; start < symbols.length; start += 1) {
      let node: TrieNode | undefined = this.#root;
      let isKnown = false;
      for (let end = start + 1; end <= symbols.length; end += 1) {
        node = node.children.get(symbols[end - 1] as string);
        if (!node) break;
        if (node.piece < 0) continue;
        isKnown ||= end === start + 1;
        offer(start, end, node.piece, this.#scores[node.piece] as number);
      }
      if (!isKnown) offer(start, start + 1, unknownPiece, unknownScore);
    }
    return { starts, pieces };
  }
}
