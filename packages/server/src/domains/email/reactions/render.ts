import { templateNodeName } from './template.ts';
import { isTruthy, templateHelpers, toText } from './template-functions.ts';

type Node = hbs.AST.Node;
type Program = hbs.AST.Program;

interface EvaluationContext {
  /** `this` and its parents for `../`, the nearest last. */
  readonly contexts: readonly unknown[];
  /** @index, @key, @first, @last, @root. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The cost of a step in characters. Characters passed to helpers count, too. */
const stepCost = 100;
const workMax = 2_000_000;

/** The output is too long, or rendering takes too much work. */
class OutputLimitReached extends Error {}

/**
 * Renders a template that parseTemplate has accepted. The tree is interpreted and never compiled:
 * a tenant's text never becomes code, reads only own properties and always ends. At `charactersMax`
 * or a fixed amount of work, the output is truncated with an ellipsis.
 */
export function renderTemplate(program: Program, values: object, charactersMax: number): string {
  const rendering = new TemplateRenderer(charactersMax);
  try {
    rendering.run(program, { contexts: [values], data: { root: values } });
  } catch (error) {
    if (!(error instanceof OutputLimitReached)) throw error;
    return `${rendering.text}…`;
  }
  return rendering.text;
}

class TemplateRenderer {
  readonly #charactersMax: number;
  #work = 0;
  text = '';

  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax;
  }

  run({ body }: Program, scope: EvaluationContext): void {
    for (const node of body) {
      this.#step();
      if (node.type === 'ContentStatement') {
        this.#write((node as hbs.AST.ContentStatement).value);
      } else if (node.type === 'MustacheStatement') {
        this.#write(toText(this.#evaluateMustache(node as hbs.AST.MustacheStatement, scope)));
      } else if (node.type === 'BlockStatement') {
        this.#block(node as hbs.AST.BlockStatement, scope);
      }
    }
  }

  #step(characters = 0): void {
    this.#work += stepCost + characters;
    if (this.#work > workMax) throw new OutputLimitReached();
  }

  #write(text: string): void {
    const remaining = this.#charactersMax - this.text.length;
    this.text += text.slice(0, remaining);
    if (text.length > remaining) throw new OutputLimitReached();
  }

  #block(
    { path, params, program, inverse }: hbs.AST.BlockStatement,
    scope: EvaluationContext,
  ): void {
    const [param] = params;
    const value = param === undefined ? undefined : this.#value(param, scope);
    const name = path.original;
    const isConditionTrue = name === 'unless' ? !isTruthy(value) : isTruthy(value);
    if (!isConditionTrue) {
      if (inverse) this.run(inverse, scope);
    } else if (name === 'each') this.#each(program, inverse, value, scope);
    else if (name === 'with') this.run(program, nestContext(scope, value));
    else this.run(program, scope);
  }

  #each(
    program: Program,
    inverse: Program | undefined,
    value: unknown,
    scope: EvaluationContext,
  ): void {
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (entries.length === 0 && inverse) this.run(inverse, scope);
    for (const [index, [key, item]] of entries.entries()) {
      this.#step();
      const data = { index, key, first: index === 0, last: index === entries.length - 1 };
      this.run(
        program,
        nestContext(scope, item, Array.isArray(value) ? { ...data, key: index } : data),
      );
    }
  }

  /** With parameters, calls a helper; otherwise returns the value of the path. */
  #evaluateMustache(
    { path, params }: Pick<hbs.AST.MustacheStatement, 'path' | 'params'>,
    scope: EvaluationContext,
  ) {
    if (params.length === 0) return this.#value(path, scope);
    return this.#callHelper(path, params, scope);
  }

  #callHelper(path: Node, params: readonly Node[], scope: EvaluationContext): unknown {
    this.#step();
    const helper = templateHelpers.get(templateNodeName(path));
    if (!helper)
      throw new Error(
        'the template calls an unknown helper, which parseTemplate should have rejected',
      );
    const values = params.map((param) => this.#value(param, scope));
    for (const value of values) this.#step(charactersOf(value));
    return helper(...values);
  }

  #value(node: Node, scope: EvaluationContext): unknown {
    this.#step();
    switch (node.type) {
      case 'PathExpression':
        return resolvePath(node as hbs.AST.PathExpression, scope);
      case 'SubExpression': {
        const { path, params } = node as hbs.AST.SubExpression;
        return this.#callHelper(path, params, scope);
      }
      case 'StringLiteral':
      case 'NumberLiteral':
      case 'BooleanLiteral':
        return (node as hbs.AST.StringLiteral | hbs.AST.NumberLiteral).value;
      default:
        return undefined;
    }
  }
}

/** The number of characters that a helper reads of a value. */
const charactersOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' ? toText(value).length : 0;
};

const nestContext = (
  scope: EvaluationContext,
  context: unknown,
  data: object = {},
): EvaluationContext => ({
  contexts: [...scope.contexts, context],
  data: { ...scope.data, ...data },
});

/** Reads own properties only, never inherited ones. */
function resolvePath(
  { data, depth, parts }: hbs.AST.PathExpression,
  scope: EvaluationContext,
): unknown {
  let value = data ? scope.data : scope.contexts.at(-1 - depth);
  for (const part of parts) {
    const exists = typeof value === 'object' && value !== null && Object.hasOwn(value, part);
    if (!exists) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}
