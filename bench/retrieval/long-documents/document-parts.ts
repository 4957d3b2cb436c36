import type { DocumentSet } from '../data-sets.ts';

/** A question, and a text that only the passage which answers it has. */
export interface PassageQuestion {
  readonly text: string;
  readonly documentId: string;
  readonly answer: string;
  readonly kind: 'meaning' | 'words' | 'log' | 'table' | 'list' | 'code';
}

export interface LongDocuments {
  readonly documents: DocumentSet['documents'];
  readonly questions: readonly PassageQuestion[];
}

export interface DocumentParts {
  readonly content: string;
  readonly questions: readonly Omit<PassageQuestion, 'documentId'>[];
}
