import type { Route } from '@mneme/contract';
import type {
  ArgumentData,
  CommandData,
  FieldData,
  OptionData,
} from '../../packages/cli/src/command-data.ts';
import type { OpenApiOperation } from '../sdk/operation-source.ts';
import type { JsonSchema } from '../sdk/schema-type.ts';
import { bodyFields, parameterFields, resolveSchema } from './fields.ts';
import {
  aliasesOf,
  argumentFields,
  commandOfOperation,
  confirmations,
  flagNames,
  nounOfArea,
  repeatedLists,
  reservedFlags,
  summaries,
  withoutCommand,
} from './names.ts';

type Components = Readonly<Record<string, JsonSchema>>;

export interface CommandOfNoun {
  readonly noun: string;
  readonly command: CommandData;
}

const toKebabCase = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/[_.]/g, '-')
    .toLowerCase();

/** `noun` and `verb` of an operation; null if it has no command. */
export function nameCommand(id: string): { readonly noun: string; readonly verb: string } | null {
  if (id in withoutCommand) return null;
  const [area = '', method = ''] = id.split('.');
  const [noun, verb] = commandOfOperation[id]?.split(' ') ?? [];
  return {
    noun: noun ?? nounOfArea[area] ?? area,
    verb: verb ?? toKebabCase(method).replace(/^remove\b/, 'delete'),
  };
}

/** The command of an operation; null if it has none. */
export function commandOf(
  route: Route,
  operation: OpenApiOperation,
  components: Components,
): CommandOfNoun | null {
  const names = nameCommand(route.id);
  if (names === null) return null;
  const { noun, verb } = names;
  const fields = [...parameterFields(operation), ...bodyFields(route.id, operation, components)];
  const named = argumentsOf(route, noun, fields);
  const taken = new Set(named.map(({ field }) => field));
  const options = fields.filter(({ field }) => !taken.has(field)).map(toOption);
  checkFlags(route.id, options);
  const aliases = aliasesOf(noun, verb);
  const command: CommandData = {
    verb,
    ...(aliases.length > 0 && { aliases }),
    operation: route.id,
    summary: summaries[route.id] ?? firstLower(operation.summary),
    ...description(operation),
    ...(named.length > 0 && { arguments: named }),
    ...(options.length > 0 && { options }),
    ...bodyTraits(route, operation),
    ...confirmation(route),
    ...(namesJob(operation, components) && { job: true }),
    ...hiddenFields(route.id, operation, components),
    ...pageMax(operation),
  };
  return { noun, command };
}

/** Names of the API instead of the command line. */
const apiTerms = /\b[2345]\d\d\b|JSON|header|If-|[=`]|multipart|form with|\w_\w|scope|POST|PATCH/i;

/** The sentences that are true of a command as well. */
function description({ description: text = '' }: OpenApiOperation): { description?: string } {
  const sentences = text.replaceAll('RFC 7396: ', '').split(/(?<=\.) (?=[A-Z])/);
  const kept = sentences.filter((sentence) => sentence !== '' && !apiTerms.test(sentence));
  return kept.length === 0 ? {} : { description: kept.join(' ') };
}

const firstLower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Path parameters in order, then the fields of the table. */
function argumentsOf(route: Route, noun: string, fields: readonly FieldData[]): ArgumentData[] {
  const ofMemory = noun !== 'memories' && route.path.startsWith('/memories/:id');
  const named = [
    ...fields
      .filter(({ place }) => place === 'params')
      .map((data) => {
        const argument = toArgument(data);
        return ofMemory && data.field === 'id' ? { ...argument, name: 'memory-id' } : argument;
      }),
    ...(argumentFields[route.id] ?? []).map((name) => namedArgument(route.id, fields, name)),
  ];
  const [first] = named;
  const isSingle = route.method === 'DELETE' && first !== undefined && named.length === 1;
  return isSingle ? [{ ...first, variadic: true }] : named;
}

const toArgument = (data: FieldData): ArgumentData => ({
  name: data.field === 'q' ? 'query' : toKebabCase(data.field),
  ...data,
});

function toOption(data: FieldData): OptionData {
  const name = data.field.slice(data.field.lastIndexOf('.') + 1);
  return { flag: flagNames[name] ?? toKebabCase(name).replace(/^is-/, ''), ...data };
}

function namedArgument(id: string, fields: readonly FieldData[], name: string): ArgumentData {
  const field = name.replace('...', '');
  const data = fields.find((one) => one.field === field);
  if (!data) throw new Error(`${id} has no field ${field}: correct argumentFields.`);
  if (!name.endsWith('...')) return toArgument(data);
  return { ...toArgument(data), name: toKebabCase(field.replace(/s$/, '')), variadic: true };
}

/** Two fields cannot share an option, and none can hide an option of every command. */
function checkFlags(id: string, options: readonly OptionData[]): void {
  const seen = new Set<string>(reservedFlags);
  for (const { flag } of options) {
    if (seen.has(flag)) throw new Error(`${id}: --${flag} is ambiguous: add a row to flagNames.`);
    seen.add(flag);
  }
}

function bodyTraits({ requestType }: Route, { requestBody }: OpenApiOperation) {
  if (requestType) return { rawBody: requestType.type };
  return requestBody?.content['application/json'] ? ({ body: true } as const) : {};
}

function confirmation({ id, method }: Route): { confirms?: string } {
  const question = confirmations[id];
  if (question !== undefined) return { confirms: question };
  if (method !== 'DELETE') return {};
  const { noun = '', verb = '' } = nameCommand(id) ?? {};
  const [, object] = verb.split('-');
  return { confirms: `Delete ${object ?? noun.replace(/s$/, '')}` };
}

/** Whether a success can contain a `job_id`. */
function namesJob({ responses }: OpenApiOperation, components: Components): boolean {
  return Object.entries(responses).some(([status, { content }]) => {
    if (Number(status) >= 300) return false;
    return Object.values(content ?? {}).some(
      ({ schema }) => 'job_id' in (resolveSchema(schema ?? {}, components).properties ?? {}),
    );
  });
}

/** Names that are deprecated wherever the results have them, and lists that repeat others. */
function hiddenFields(
  id: string,
  { responses }: OpenApiOperation,
  components: Components,
): { hidden?: readonly string[] } {
  const deprecated = new Set<string>(repeatedLists[id]);
  const current = new Set<string>();
  const visit = (schema: JsonSchema, depth: number): void => {
    const { properties = {}, items, anyOf = [], oneOf = [] } = resolveSchema(schema, components);
    for (const [name, property] of Object.entries(properties)) {
      const isDeprecated = property.deprecated || resolveSchema(property, components).deprecated;
      (isDeprecated ? deprecated : current).add(name);
      if (!isDeprecated && depth < 4) visit(property, depth + 1);
    }
    for (const part of [...(items ? [items] : []), ...anyOf, ...oneOf]) visit(part, depth + 1);
  };
  for (const [status, { content }] of Object.entries(responses)) {
    if (Number(status) < 300) visit(content?.['application/json']?.schema ?? {}, 0);
  }
  const hidden = [...deprecated].filter(
    (name) => repeatedLists[id]?.includes(name) || !current.has(name),
  );
  return hidden.length === 0 ? {} : { hidden };
}

function pageMax({ parameters }: OpenApiOperation): { pageMax?: number } {
  const limit = parameters?.find(({ name, in: place }) => name === 'limit' && place === 'query');
  return limit?.schema.maximum === undefined ? {} : { pageMax: limit.schema.maximum };
}
