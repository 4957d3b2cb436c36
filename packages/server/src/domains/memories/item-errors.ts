import type { ResponseBody, routes } from '@mneme/contract';
import { AppError, toBatchItemError } from '../../kernel/errors.ts';

/** Errors of single items in a bulk request. */

type FailedItem = ResponseBody<typeof routes.memories.bulkCreate>['failed'][number];

/** Whether an item is not rejected (yet). */
export const isAcceptedItem = <T extends object>(item: T | AppError): item is T =>
  !(item instanceof AppError);

/** Returns errors of the item itself; rethrows all others. */
export function asItemError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

/** Converts an item's error to an error of the whole request, with the index of the item. */
function withItemIndex(cause: AppError, index: number): AppError {
  const { code, message, status, headers, details } = cause;
  return new AppError(code, { message, status, headers, cause, details: { ...details, index } });
}

/** Throws the first error among results, with its index. */
export function throwFirstError(results: readonly unknown[]): void {
  const index = results.findIndex((result) => result instanceof AppError);
  const error = results[index];
  if (error instanceof AppError) throw withItemIndex(error, index);
}

/** Sorted by index; with the item's id if items are identified by ids. */
export const toFailedItems = (
  itemErrors: ReadonlyMap<number, AppError>,
  ids?: readonly string[],
): FailedItem[] =>
  [...itemErrors]
    .sort(([a], [b]) => a - b)
    .map(([index, error]) => ({
      index,
      ...(ids?.[index] === undefined ? {} : { id: ids[index] }),
      error: toBatchItemError(error),
    }));
