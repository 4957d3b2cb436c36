import type { ResponseBody, routes } from '@mneme/contract';
import { AppError, toItemError } from '../../kernel/errors.ts';

/** What is wrong with single items of a request for many. */

type FailedItem = ResponseBody<typeof routes.memories.bulkCreate>['failed'][number];

/** An item's own fault; what is nobody's fault is thrown on. */
export function asItemError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

/** The fault of one item as that of the whole request, which tells its place. */
export function withItemIndex(cause: AppError, index: number): AppError {
  const { code, message, status, headers, details } = cause;
  return new AppError(code, { message, status, headers, cause, details: { ...details, index } });
}

/** By their places in the request; with the item's id where items are named by ids. */
export const toFailedItems = (
  faults: ReadonlyMap<number, AppError>,
  ids?: readonly string[],
): FailedItem[] =>
  [...faults]
    .sort(([a], [b]) => a - b)
    .map(([index, error]) => ({
      index,
      ...(ids?.[index] === undefined ? {} : { id: ids[index] }),
      error: toItemError(error),
    }));
