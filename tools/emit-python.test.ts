import { readFileSync } from 'node:fs';
import { allRoutes } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import { findLeftOver, pythonModules } from './emit-python.ts';
import {
  errorClassName,
  operationName,
  toIdentifier,
  toPascal,
  toSingular,
} from './python/names.ts';
import type { OpenApiDocument } from './python/schema.ts';
import { docstring, wrap } from './python/text.ts';
import { TypeRegistry } from './python/types.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };
const modules = pythonModules(version);

describe('the generated modules of the client for Python', () => {
  it.each(Object.entries(modules))('%s is what the contract says: npm run python', (file, text) => {
    const place = new URL(`../clients/python/mneme/${file}`, import.meta.url);
    expect(readFileSync(place, 'utf8')).toBe(text);
  });

  it('are the only modules of their folders', () => {
    expect(findLeftOver(modules)).toEqual([]);
    const { 'models/jobs.py': _, ...others } = modules;
    expect(findLeftOver(others)).toEqual(['models/jobs.py']);
  });

  it('have two methods for each operation', () => {
    for (const { id } of allRoutes) {
      const { area, method } = operationName(id);
      const text = modules[`resources/${area}.py`] ?? '';
      expect(text.match(new RegExp(`^    (?:async )?def ${method}\\(`, 'gm'))).toHaveLength(2);
    }
  });

  it('have lines of at most 100 columns', () => {
    const lines = Object.values(modules).flatMap((text) => text.split('\n'));
    expect(lines.filter((line) => [...line].length > 100)).toEqual([]);
  });
});

describe('names', () => {
  it.each([
    ['memories.bulkCreate', 'memories', 'bulk_create'],
    ['cliSessions.postMessages', 'cli_sessions', 'post_messages'],
    ['search.global', 'search', 'global_'],
  ])('of methods are the operation id in snake case: %s', (id, area, method) => {
    expect(operationName(id)).toEqual({ area, method });
  });

  it.each([
    ['memory_not_found', 'MemoryNotFoundError'],
    ['validation_error', 'ValidationError'],
  ])('of errors are their code: %s', (code, name) => {
    expect(errorClassName(code)).toBe(name);
  });

  it('avoid keywords', () => {
    expect(toIdentifier('from')).toBe('from_');
    expect(toIdentifier('form')).toBe('form');
  });

  it('of items are singular', () => {
    const plurals = ['Entities', 'Memories', 'Edges', 'Status', 'Rules'];
    expect(plurals.map(toSingular)).toEqual(['Entity', 'Memory', 'Edge', 'Status', 'Rule']);
    expect(toPascal('cliSessions.post_messages')).toBe('CliSessionsPostMessages');
  });
});

describe('types', () => {
  const documentOf = (schemas: OpenApiDocument['components']['schemas']): OpenApiDocument => ({
    info: { version },
    tags: [],
    paths: {},
    components: { schemas },
  });
  const registry = new TypeRegistry(
    documentOf({
      Cat: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      Pet: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { type: 'null' }] },
    }),
  );
  const time = { type: 'string', format: 'date-time' };
  const colours = { type: 'string', enum: ['red', 'green'] };

  it.each([
    [{ type: 'string' }, 'str', 'str'],
    [{ type: ['number', 'null'] }, 'float | None', 'float | None'],
    [time, 'datetime', 'datetime | str'],
    [{ type: 'array', items: time }, 'list[datetime]', 'Sequence[datetime | str]'],
    [{ type: 'object', additionalProperties: {} }, 'dict[str, Any]', 'Mapping[str, Any]'],
    [colours, 'Literal["red", "green"]', 'Literal["red", "green"]'],
    [{ anyOf: [colours, { type: 'string' }] }, 'str', 'str'],
    [{ const: true }, 'Literal[True]', 'Literal[True]'],
    [{ $ref: '#/components/schemas/Pet' }, 'Pet', 'Pet'],
    [{}, 'Any', 'Any'],
  ])('%j is %s in responses and %s in requests', (schema, response, request) => {
    expect(registry.response(schema, 'Thing').text).toBe(response);
    expect(registry.request(schema, 'Thing').text).toBe(request);
  });

  it('are shared by inline objects of the same shape, and distinct for others', () => {
    const shape = (description: string) => ({
      type: 'object',
      properties: { size: { type: 'integer', description } },
    });
    expect(registry.response(shape('One.'), 'First').text).toBe('First');
    expect(registry.response(shape('Two.'), 'Second').text).toBe('First');
    const other = { type: 'object', properties: { weight: { type: 'number' } } };
    expect(registry.response(other, 'First').text).toBe('First2');
  });
});

describe('docstrings', () => {
  it('are one line, or paragraphs that are wrapped', () => {
    expect(docstring(['Store a memory'], '    ')).toEqual(['    """Store a memory."""']);
    const lines = docstring(['Store a memory', 'word '.repeat(40)], '    ');
    expect(lines.slice(0, 2)).toEqual(['    """Store a memory.', '']);
    expect(lines.at(-1)).toBe('    """');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('escape what would end or change them', () => {
    expect(docstring(['Say """x""" \\n'], '')).toEqual(['"""Say \'\'\'x\'\'\' \\\\n."""']);
  });

  it('indent what follows the first line', () => {
    expect(wrap(`${'word '.repeat(21)}end`, '', '  ')[1]).toBe('  word end');
  });
});
