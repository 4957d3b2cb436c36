import type { RecallAnswer } from '@mneme/sdk';
import { toPrintableLines } from '../output/printable.ts';

/** The context for a prompt, as it is. */
export const describeRecall = ({ context }: RecallAnswer): string[] =>
  context === '' ? ['nothing found'] : toPrintableLines(context.trimEnd());
