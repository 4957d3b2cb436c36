import { parseId } from '@mneme/contract';
import { type Actor, type Ctx, spaceKey } from '../domains/ctx.ts';
import {
  listUsableSpaceNames,
  requireUsableSpace,
  resolveSpaceNames,
} from '../domains/spaces/index.ts';
import { type ArgumentField, text } from './arguments.ts';
import { ToolError } from './tool-error.ts';

export const spaceArgument: ArgumentField<string | undefined> = text('Name or id of a space');

/** Whether the caller can choose between spaces; the account level counts as one. */
export async function reachesSeveralSpaces(ctx: Ctx): Promise<boolean> {
  const { spaces } = ctx.actor;
  if (spaces !== null) return spaces.size > 1;
  return (await listUsableSpaceNames(ctx, 1)).length > 0;
}

/** The fields of a request for what a call names: a name, an id, or the account level. */
export function toSpaceFields(space: string | undefined): { space?: string; space_id?: string } {
  if (space === undefined) return {};
  const isId = space === 'default' || parseId(space, 'other') !== null;
  return isId ? { space_id: space } : { space };
}

/** The only space of a limited key: what it stores belongs there. */
const onlySpaceOf = ({ spaces }: Actor): string | undefined =>
  spaces?.size === 1 ? [...spaces][0] : undefined;

const namedSpacesMax = 20;

/** The space of a write. Throws ToolError with the possible ones if the key has to choose. */
export async function requireWritableSpace(ctx: Ctx, named: string | undefined): Promise<string> {
  const { spaces } = ctx.actor;
  const space = named ?? onlySpaceOf(ctx.actor);
  if (space !== undefined) return space;
  if (spaces === null || spaces.has('default')) return 'default';
  const names = await listUsableSpaceNames(ctx, namedSpacesMax);
  throw new ToolError(`validation_error: space is required. Send one of: ${names.join(', ')}.`);
}

/**
 * The same caller with the rights of one space, by its name or id. Throws 404 space_not_found, 403
 * space_access_denied.
 */
export async function limitToSpace(ctx: Ctx, space: string): Promise<Ctx> {
  const fields = toSpaceFields(space);
  await resolveSpaceNames(ctx, fields.space === undefined ? [] : [fields]);
  const id = parseId(fields.space_id ?? '', 'other');
  await requireUsableSpace(ctx, id);
  return { ...ctx, actor: { ...ctx.actor, spaces: new Set([spaceKey(id)]) } };
}
