import type { Memory } from '@mneme/sdk';

/** What the form of a memory edits. */
export interface Draft {
  readonly content: string;
  readonly tags: readonly string[];
  readonly priority: number;
  readonly space_id: string | null;
}

export type DraftField = keyof Draft;
export const draftFields = ['content', 'tags', 'priority', 'space_id'] as const;

export const toDraft = ({ content, tags, priority, space_id }: Memory): Draft => ({
  content,
  tags,
  priority,
  space_id,
});

const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export const changedFields = (from: Draft, to: Draft): DraftField[] =>
  draftFields.filter((field) => !isEqual(from[field], to[field]));

/** The fields of `draft` that differ from `base`, as PATCH takes them. */
export const toPatch = (base: Draft, draft: Draft): Partial<Draft> =>
  Object.fromEntries(changedFields(base, draft).map((field) => [field, draft[field]]));

export interface Merge {
  /** The changes of both sides; fields in conflict have our value. */
  readonly merged: Draft;
  /** Fields that both sides changed to different values. */
  readonly conflicts: readonly DraftField[];
}

/** A three-way merge: fields that only one side changed are taken from that side. */
export function mergeDrafts(base: Draft, ours: Draft, theirs: Draft): Merge {
  const [ourFields, theirFields] = [changedFields(base, ours), changedFields(base, theirs)];
  const conflicts = ourFields.filter(
    (field) => theirFields.includes(field) && !isEqual(ours[field], theirs[field]),
  );
  const merged = Object.fromEntries(
    draftFields.map((field) => [field, ourFields.includes(field) ? ours[field] : theirs[field]]),
  ) as unknown as Draft;
  return { merged, conflicts };
}
