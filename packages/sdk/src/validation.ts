import { allRoutes, type FieldError, type Route, toFieldErrors } from '@mneme/contract';
import type { Validator } from './caller.ts';
import type { AnyInput } from './calls.ts';

/** An input or a result that differs from the contract of this version. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';
  /** The operationId. */
  readonly operation: string;
  /** Errors by dotted path, as in a response with the code validation_error. */
  readonly fields: Readonly<Record<string, FieldError>>;

  constructor(operation: string, what: string, fields: Readonly<Record<string, FieldError>>) {
    const listed = Object.entries(fields).map(([path, { message }]) => `${path} ${message}`);
    super(`${what} of ${operation} is not valid: ${listed.join('; ')}`);
    this.operation = operation;
    this.fields = fields;
  }
}

const routesById = new Map<string, Route>(allRoutes.map((route) => [route.id, route]));

/**
 * Creates a validator for `createClient({ validator })` that checks inputs before they are sent,
 * and results when they arrive, against the schemas of the contract. Both throw a ValidationError.
 * Fields that a newer service adds to a result are no error.
 *
 * @param options `results: false` checks inputs only
 */
export function createContractValidator({ results = true } = {}): Validator {
  return {
    checkInput(operation, input) {
      const route = routesById.get(operation.id);
      if (route) checkInput(route, input);
    },
    checkResult(operation, { status, body }) {
      const route = routesById.get(operation.id);
      const schema = route?.responses[status];
      if (!results || !route || !schema || route.responseType || typeof body === 'string') return;
      check(route, 'The result', schema, body);
    },
  };
}

function checkInput(route: Route, { params, query, headers, body }: AnyInput): void {
  const parts = [
    ['params', route.params, params ?? {}],
    ['query', route.query, query ?? {}],
    ['headers', route.headers, headers ?? {}],
  ] as const;
  for (const [name, schema, value] of parts) {
    if (schema) check(route, `The ${name}`, schema, value);
  }
  const isJson = body === undefined || Object.getPrototypeOf(Object(body)) === Object.prototype;
  if (route.body && isJson) check(route, 'The body', route.body, body ?? {});
}

function check(route: Route, what: string, schema: SchemaOf, value: unknown): void {
  const { error } = schema.safeParse(value);
  if (!error) return;
  throw new ValidationError(route.id, what, toFieldErrors(schema, error.issues, value));
}

type SchemaOf = NonNullable<Route['body']>;
