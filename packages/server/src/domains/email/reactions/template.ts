import Handlebars from 'handlebars';
import { blockHelperNames, templateHelpers } from './template-functions.ts';

type Node = hbs.AST.Node;
type Program = hbs.AST.Program;

/** The message says what is wrong with the template and in which line. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

const depthMax = 16;
/** Constructs that can be nested: the parser needs seconds for thousands of them. */
const nesting = /\{\{~?\s*(?:[#^]|else)|\{\{\{\{|\(/g;
const nestingMax = 100;

/**
 * Parses a Handlebars template. Throws TemplateError if it is invalid or uses raw HTML, partials,
 * decorators or unknown helpers. Templates are never compiled to code: see render.
 */
export function parseTemplate(text: string): Program {
  if ([...text.matchAll(nesting)].length > nestingMax) {
    throw new TemplateError(`has more than ${nestingMax} blocks and calls`);
  }
  let program: Program;
  try {
    program = Handlebars.parse(text);
  } catch (error) {
    // The other lines of the parser's message draw the position.
    const [line = ''] = (error as Error).message.split('\n');
    throw new TemplateError(`is not a valid Handlebars template: ${line}`.replace(/:$/, ''));
  }
  checkProgram(program, 0);
  return program;
}

function rejectNode(node: Node, what: string): never {
  throw new TemplateError(`${what}, at line ${node.loc.start.line}`);
}

function checkProgram({ body, blockParams }: Program, depth: number): void {
  for (const node of body) {
    if (depth > depthMax) rejectNode(node, `nests more than ${depthMax} blocks`);
    if ((blockParams?.length ?? 0) > 0) rejectNode(node, 'must not have block parameters');
    checkStatement(node, depth);
  }
}

function checkStatement(node: Node, depth: number): void {
  switch (node.type) {
    case 'ContentStatement':
    case 'CommentStatement':
      break;
    case 'MustacheStatement':
      checkMustache(node as hbs.AST.MustacheStatement, depth);
      break;
    case 'BlockStatement':
      checkBlock(node as hbs.AST.BlockStatement, depth);
      break;
    default:
      rejectNode(node, 'must not have partials or decorators');
  }
}

function checkMustache(node: hbs.AST.MustacheStatement, depth: number): void {
  if (!node.escaped) rejectNode(node, 'must not have raw HTML, {{{…}}} or {{&…}}');
  checkCall(node, depth);
}

function checkBlock(node: hbs.AST.BlockStatement, depth: number): void {
  const name = node.path.original;
  if (!blockHelperNames.has(name))
    rejectNode(node, `has the unknown block ${name}; use ${[...blockHelperNames].join(', ')}`);
  const [param, ...others] = node.params;
  if (param === undefined || others.length > 0)
    rejectNode(node, `must have exactly one value for ${name}`);
  if (node.hash && node.hash.pairs.length > 0) rejectNode(node, 'must not have named parameters');
  checkExpression(param, depth);
  checkProgram(node.program, depth + 1);
  // `else if` is a nested block.
  if (node.inverse) checkProgram(node.inverse, depth + 1);
}

interface Call extends Node {
  readonly path: Node;
  readonly params: Node[];
  readonly hash: hbs.AST.Hash;
}

/** A value, or a helper with its arguments. */
function checkCall(node: Call, depth: number): void {
  if (node.hash && node.hash.pairs.length > 0) rejectNode(node, 'must not have named parameters');
  if (node.params.length === 0 && node.type === 'MustacheStatement') {
    checkExpression(node.path, depth);
    return;
  }
  const name = templateNodeName(node.path);
  if (!templateHelpers.has(name)) {
    rejectNode(
      node,
      `has the unknown helper ${name}; use ${[...templateHelpers.keys()].join(', ')}`,
    );
  }
  for (const param of node.params) checkExpression(param, depth);
}

function checkExpression(node: Node, depth: number): void {
  if (depth > depthMax) rejectNode(node, `nests more than ${depthMax} calls`);
  if (node.type === 'SubExpression') checkCall(node as unknown as Call, depth + 1);
}

/** The name as written, also for a literal: to the parser, `{{"name"}}` is a path. */
export const templateNodeName = (node: Node): string =>
  String((node as Partial<hbs.AST.PathExpression>).original ?? node.type);
