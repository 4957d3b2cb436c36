import type { Answer, routes } from '@mneme/contract';
import { AppError, itemError } from '../../kernel/errors.ts';

/** What is wrong with single items of a request for many. */

type Failure = Answer<typeof routes.memories.bulkCreate>['failed'][number];

/** An item's own fault; what is nobody's fault is thrown on. */
export function asItemFault(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

/** The fault of one item as that of the whole request, which tells its place. */
export function withIndex(cause: AppError, index: number): AppError {
  const { code, message, status, headers, details } = cause;
  return new AppError(code, { message, status, headers, cause, details: { ...details, index } });
}

/** By their places in the request; with the item's id where items are named by ids. */
export const failuresOf = (
  faults: ReadonlyMap<number, AppError>,
  ids?: readonly string[],
): Failure[] =>
  [...faults]
    .sort(([a], [b]) => a - b)
    .map(([index, error]) => ({
      index,
      ...(ids?.[index] === undefined ? {} : { id: ids[index] }),
      error: itemError(error),
    }));
