/** The modules mneme/models/<area>.py and mneme/types.py. */
import type { PythonArea } from './operations.ts';
import { docstring, generatedNotice, importLine } from './text.ts';
import type { AliasDefinition, ClassDefinition, Definition, TypeRegistry } from './types.ts';
import { namesOf } from './types.ts';

const fromTyping = ['Any', 'Literal', 'TypedDict', 'Union', 'ClassVar'];
const fromAbc = ['Mapping', 'Sequence'];

/** Text by path below mneme/. */
export function renderModels(
  areas: readonly PythonArea[],
  registry: TypeRegistry,
): Record<string, string> {
  const definitions = [...registry.models.values()];
  const files = areas.map(({ name }) => {
    const own = definitions.filter(({ area }) => area === name);
    return own.length > 0 ? [name, renderModule(name, own, registry)] : null;
  });
  const modules = files.filter((file) => file !== null);
  return {
    ...Object.fromEntries(modules.map(([name, text]) => [`models/${name}.py`, text])),
    'models/__init__.py': renderIndex(definitions),
    'types.py': renderTypes(registry),
  };
}

function renderModule(area: string, own: readonly Definition[], registry: TypeRegistry): string {
  const names = new Set(own.flatMap(namesOf));
  const ownNames = new Set(own.map(({ name }) => name));
  const foreign = Map.groupBy(
    [...names].filter((name) => registry.models.has(name) && !ownNames.has(name)),
    (name) => registry.models.get(name)?.area ?? '',
  );
  const pages = own.filter((definition) => definition.kind === 'model' && definition.page);
  const isModel = (one: Definition) => one.kind === 'model' && !one.page;
  const aliases = own.filter((definition) => definition.kind === 'alias');
  const standard = [
    ...(names.has('datetime') ? ['from datetime import datetime'] : []),
    ...importLine('typing', [
      ...fromTyping.filter((name) => names.has(name)),
      ...(aliases.length > 0 ? ['Union'] : []),
    ]),
  ];
  const local = [
    ...(own.some(isModel) ? ['from .._model import Model'] : []),
    ...(pages.length > 0 ? ['from .._paginate import Page'] : []),
    ...importLine(
      '..types',
      [...names].filter((name) => registry.literals.has(name)),
    ),
    ...[...foreign].sort().flatMap(([name, used]) => importLine(`.${name}`, used)),
  ];
  return [
    ...generatedNotice(`Objects of responses: ${area}.`),
    ...(standard.length > 0 ? [...standard, ''] : []),
    ...local,
    ...own.flatMap((one) => (one.kind === 'alias' ? [] : renderModel(one))),
    ...aliases.flatMap((one) => (one.kind === 'alias' ? ['', '', ...renderUnion(one)] : [])),
    '',
  ].join('\n');
}

function renderModel({ name, fields, page }: ClassDefinition): string[] {
  const base = page ? `Page[${quoteUnion(page.record.text)}]` : 'Model';
  return [
    '',
    '',
    `class ${name}(${base}):`,
    ...(page ? [`    _record_field = "${page.field}"`, ''] : []),
    ...fields.flatMap(({ name: field, type, isRequired, description }) => [
      `    ${field}: ${isRequired ? type.text : `${withNone(type.text)} = None`}`,
      ...(description ? docstring([description], '    ') : []),
    ]),
  ];
}

const withNone = (type: string): string => (/(?:^| )None$/.test(type) ? type : `${type} | None`);
/** A base class is evaluated: a union of classes needs no quotes, but a union of aliases does. */
const quoteUnion = (type: string): string => (type.includes(' | ') ? `"${type}"` : type);

const renderUnion = ({ name, type }: AliasDefinition): string[] => [
  `${name} = Union[`,
  ...type.text.split(' | ').map((member) => `    ${member},`),
  ']',
];

function renderIndex(definitions: readonly Definition[]): string {
  const byArea = Map.groupBy(definitions, ({ area }) => area);
  const names = definitions.map(({ name }) => name).sort();
  return [
    ...generatedNotice('Objects of responses.'),
    ...[...byArea].sort().flatMap(([area, own]) =>
      importLine(
        `.${area}`,
        own.map(({ name }) => name),
      ),
    ),
    '',
    '__all__ = [',
    ...names.map((name) => `    "${name}",`),
    ']',
    '',
  ].join('\n');
}

/** Typed dictionaries of requests, and names of sets of values. */
function renderTypes({ dictionaries, literals }: TypeRegistry): string {
  const all = [...dictionaries.values()];
  const names = new Set(all.flatMap(namesOf));
  return [
    ...generatedNotice('Parts of requests, and values that fields can have.'),
    ...importLine(
      'collections.abc',
      fromAbc.filter((name) => names.has(name)),
    ),
    ...(names.has('datetime') ? ['from datetime import datetime'] : []),
    ...importLine('typing', ['Literal', 'TypedDict', ...(names.has('Any') ? ['Any'] : [])]),
    '',
    ...[...literals.values()].flatMap(renderLiteral),
    ...all.flatMap((one) => (one.kind === 'alias' ? [] : renderDictionary(one))),
    '',
  ].join('\n');
}

const renderLiteral = ({ name, type }: AliasDefinition): string[] => [
  `${name} = Literal[`,
  ...type.text
    .slice('Literal['.length, -1)
    .split(', ')
    .map((value) => `    ${value},`),
  ']',
];

/** Python 3.10 has no NotRequired: required fields are in a base class. */
function renderDictionary({ name, fields }: ClassDefinition): string[] {
  const required = fields.filter(({ isRequired }) => isRequired);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  const lines = (own: typeof fields) =>
    own.flatMap(({ name: field, type, description }) => [
      `    ${field}: ${type.text}`,
      ...(description ? docstring([description], '    ') : []),
    ]);
  if (required.length === 0) {
    return ['', '', `class ${name}(TypedDict, total=False):`, ...lines(optional)];
  }
  if (optional.length === 0) return ['', '', `class ${name}(TypedDict):`, ...lines(required)];
  return [
    ...['', '', `class _${name}(TypedDict):`, ...lines(required)],
    ...['', '', `class ${name}(_${name}, total=False):`, ...lines(optional)],
  ];
}
