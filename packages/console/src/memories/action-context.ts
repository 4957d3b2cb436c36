import type { Client } from '@mneme/sdk';
import type { QueryClient } from '@tanstack/react-query';

export const countOf = (count: number): string =>
  count === 1 ? '1 memory' : `${count.toLocaleString()} memories`;

/** What failed is left as it is and counted. */
export const failureText = (failed: number): string =>
  failed === 0 ? '' : ` ${countOf(failed)} could not be changed, such as protected ones.`;

/** What actions need of the page. */
export interface ActionContext {
  readonly client: Client;
  readonly queries: QueryClient;
  /** Shows a result without a way back. */
  readonly toast: (text: string) => void;
  /** Shows a result with a way back. */
  readonly report: (text: string, undo: () => Promise<unknown>) => void;
}
