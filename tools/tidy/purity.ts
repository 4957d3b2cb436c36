import { createFinding, type Finding, type SourceFile } from './finding.ts';
import {
  isCodeFile,
  isTestFile,
  memberAccess,
  type Node,
  type NodeWithParent,
  parseFile,
} from './source.ts';

const isSource = (path: string): boolean => /^packages\/[^/]+\/src\//.test(path);

/** The kernel of a package: a folder in the server, one file in the small packages. */
const isKernel = (path: string): boolean => /^packages\/[^/]+\/src\/kernel(?:\/|\.ts$)/.test(path);

const isMain = (path: string): boolean => /^packages\/(?:server|cli)\/src\/main\.ts$/.test(path);

const randomNames = ['randomUUID', 'randomBytes', 'getRandomValues'];

/** Time, chance and the environment come in through the kernel and main.ts only. */
export function checkPurity(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => isCodeFile(file) && isSource(file.path) && !isTestFile(file.path))
    .flatMap((file) => {
      const { nodes, imports, lineOf } = parseFile(file);
      const say = (line: number, what: string, where: string): Finding =>
        createFinding('impure', file.path, line, `${what} outside of ${where}`);
      const found: Finding[] = [];
      for (const placed of nodes) {
        const line = lineOf(placed.node.start);
        const [chance, surroundings] = [randomnessIn(placed), environmentAccessIn(placed)];
        if (chance && !isKernel(file.path)) found.push(say(line, chance, 'the kernel'));
        if (surroundings && !isMain(file.path)) found.push(say(line, surroundings, 'main.ts'));
      }
      for (const { names, line, specifier } of imports) {
        const random = names.find((name) => randomNames.includes(name));
        if (random && /^(?:node:)?crypto$/.test(specifier) && !isKernel(file.path)) {
          found.push(say(line, random, 'the kernel'));
        }
        const taken = names.find((name) => name === 'env' || name === 'argv');
        if (taken && /^(?:node:)?process$/.test(specifier) && !isMain(file.path)) {
          found.push(say(line, `process.${taken}`, 'main.ts'));
        }
      }
      return found;
    });
}

function randomnessIn(placed: NodeWithParent): string | null {
  const { node } = placed;
  const callee = node.callee as Node | undefined;
  if (node.type === 'NewExpression' && callee?.type === 'Identifier' && callee.name === 'Date') {
    return (node.arguments as Node[]).length === 0 ? 'new Date()' : null;
  }
  const read = memberAccess(placed);
  if (!read) return null;
  if (read.object === 'Date' && read.property === 'now') return 'Date.now';
  if (read.object === 'Math' && read.property === 'random') return 'Math.random';
  return randomNames.includes(read.property) ? read.property : null;
}

function environmentAccessIn(placed: NodeWithParent): string | null {
  const read = memberAccess(placed);
  if (read?.object !== 'process') return null;
  return read.property === 'env' || read.property === 'argv' ? `process.${read.property}` : null;
}

/** What a running service has to say goes through the log; only the CLI speaks to people. */
export function checkConsole(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => isCodeFile(file) && isSource(file.path))
    .filter(({ path }) => !path.startsWith('packages/cli/') && !path.endsWith('/main.ts'))
    .flatMap((file) => {
      const { nodes, lineOf } = parseFile(file);
      return nodes
        .filter((placed) => memberAccess(placed)?.object === 'console')
        .map(({ node }) =>
          createFinding(
            'console',
            file.path,
            lineOf(node.start),
            'console outside of cli and main.ts',
          ),
        );
    });
}
