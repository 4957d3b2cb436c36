import { nameOf } from './template.ts';
import { helpers, isTruthy, toText } from './template-functions.ts';

type Node = hbs.AST.Node;
type Program = hbs.AST.Program;

/** Where an expression is evaluated. */
interface EvaluationContext {
  /** `this`, and what `../` goes back to, the nearest last. */
  readonly contexts: readonly unknown[];
  /** @index, @key, @first, @last, @root. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a step costs, in characters; those that helpers are given count, too. */
const stepCost = 100;
const workMax = 2_000_000;

/** The text is as long as it may be, or took as much work. */
class OutputLimitReached extends Error {}

/**
 * The text of a template that parseTemplate has let through. It is walked, never compiled, so that
 * a tenant's text is no code, sees own fields alone, and ends: after `charactersMax`, or a bound
 * amount of work, the text is cut with an ellipsis.
 */
export function render(program: Program, values: object, charactersMax: number): string {
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

  run({ body }: Program, place: EvaluationContext): void {
    for (const node of body) {
      this.#step();
      if (node.type === 'ContentStatement') {
        this.#write((node as hbs.AST.ContentStatement).value);
      } else if (node.type === 'MustacheStatement') {
        this.#write(toText(this.#evaluateMustache(node as hbs.AST.MustacheStatement, place)));
      } else if (node.type === 'BlockStatement') {
        this.#block(node as hbs.AST.BlockStatement, place);
      }
    }
  }

  #step(characters = 0): void {
    this.#work += stepCost + characters;
    if (this.#work > workMax) throw new OutputLimitReached();
  }

  #write(text: string): void {
    const left = this.#charactersMax - this.text.length;
    this.text += text.slice(0, left);
    if (text.length > left) throw new OutputLimitReached();
  }

  #block(
    { path, params, program, inverse }: hbs.AST.BlockStatement,
    place: EvaluationContext,
  ): void {
    const [param] = params;
    const value = param === undefined ? undefined : this.#value(param, place);
    const name = path.original;
    const holds = name === 'unless' ? !isTruthy(value) : isTruthy(value);
    if (!holds) {
      if (inverse) this.run(inverse, place);
    } else if (name === 'each') this.#each(program, inverse, value, place);
    else if (name === 'with') this.run(program, nestContext(place, value));
    else this.run(program, place);
  }

  #each(
    program: Program,
    inverse: Program | undefined,
    value: unknown,
    place: EvaluationContext,
  ): void {
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (entries.length === 0 && inverse) this.run(inverse, place);
    for (const [index, [key, one]] of entries.entries()) {
      this.#step();
      const data = { index, key, first: index === 0, last: index === entries.length - 1 };
      this.run(
        program,
        nestContext(place, one, Array.isArray(value) ? { ...data, key: index } : data),
      );
    }
  }

  /** A helper's answer where there are values for one, else the value itself. */
  #evaluateMustache(
    { path, params }: Pick<hbs.AST.MustacheStatement, 'path' | 'params'>,
    place: EvaluationContext,
  ) {
    if (params.length === 0) return this.#value(path, place);
    return this.#callHelper(path, params, place);
  }

  #callHelper(path: Node, params: readonly Node[], place: EvaluationContext): unknown {
    this.#step();
    const helper = helpers.get(nameOf(path));
    if (!helper) throw new Error('a template calls a helper that its check let through');
    const values = params.map((param) => this.#value(param, place));
    for (const value of values) this.#step(charactersOf(value));
    return helper(...values);
  }

  #value(node: Node, place: EvaluationContext): unknown {
    this.#step();
    switch (node.type) {
      case 'PathExpression':
        return resolvePath(node as hbs.AST.PathExpression, place);
      case 'SubExpression': {
        const { path, params } = node as hbs.AST.SubExpression;
        return this.#callHelper(path, params, place);
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

/** How much a helper has to read of a value. */
const charactersOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' ? toText(value).length : 0;
};

const nestContext = (
  place: EvaluationContext,
  context: unknown,
  data: object = {},
): EvaluationContext => ({
  contexts: [...place.contexts, context],
  data: { ...place.data, ...data },
});

/** Own fields alone: what objects inherit is nobody's value. */
function resolvePath(
  { data, depth, parts }: hbs.AST.PathExpression,
  place: EvaluationContext,
): unknown {
  let value = data ? place.data : place.contexts.at(-1 - depth);
  for (const part of parts) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, part);
    if (!isThere) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}
