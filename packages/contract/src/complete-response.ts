import type { z } from 'zod';
import { addCanonicalFields } from './canonical-fields.ts';
import { addListEnvelope, listTraitsOf } from './list-envelope.ts';

/** The schema of each status; null for an empty body. */
interface Responses {
  readonly responses: Readonly<Record<number, z.ZodType | null>>;
}

/**
 * A response as it is sent: the published fields that a handler returned, their canonical names,
 * and the envelope of a list. Anything but a JSON object is unchanged. `sent` is the validated
 * query or body, in which a list finds its `limit` and `offset`.
 */
export function completeResponse(
  { responses }: Responses,
  status: number,
  body: unknown,
  sent: unknown,
): unknown {
  const schema = responses[status];
  if (!schema || typeof body !== 'object' || body === null) return body;
  const completed = addCanonicalFields(schema, body) as object;
  const traits = listTraitsOf(schema);
  return traits ? addListEnvelope(traits, completed, sent) : completed;
}

/** The status of a success: the first with a body, otherwise the first. */
export function defaultStatusOf({ responses }: Responses): number {
  const statuses = Object.keys(responses).map(Number);
  return statuses.find((status) => responses[status] !== null) ?? statuses[0] ?? 200;
}

/** The example of a response as it is sent, with the status whose schema it matches. */
export function completeExample(route: Responses, response: unknown, sent: unknown): unknown {
  const completed = Object.entries(route.responses).flatMap(([status, schema]) => {
    const body = completeResponse(route, Number(status), response, sent);
    return schema?.safeParse(body).success ? [body] : [];
  });
  return completed[0] ?? response;
}
