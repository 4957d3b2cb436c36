import { allRoutes, type Route } from '@mneme/contract';

/** The methods of a path below /v1; empty for an unknown path. */
export function allowedMethods(path: string): string[] {
  const matching = routesMatching(path);
  // A literal path takes precedence over a parameter: /memories/bulk is not a memory.
  const literal = matching.filter((route) => !route.path.includes(':'));
  return methodsOfRoutes(literal.length > 0 ? literal : matching);
}

/** Methods of literal paths that the router would match to a parameter: GET /memories/bulk. */
export function shadowedMethods(): { path: string; methods: string[] }[] {
  const literals = new Set(allRoutes.map(({ path }) => path).filter((path) => !path.includes(':')));
  return [...literals].flatMap((path) => {
    const own = allowedMethods(path);
    const others = methodsOfRoutes(routesMatching(path)).filter((method) => !own.includes(method));
    return others.length > 0 ? [{ path, methods: others }] : [];
  });
}

const methodsOfRoutes = (routes: readonly Route[]): string[] => [
  ...new Set(routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
];

/** The routes by the number of their segments: all are compared with all at each start. */
const routesByLength = Map.groupBy(
  allRoutes.map((route) => ({ route, parts: route.path.split('/') })),
  ({ parts }) => parts.length,
);

function routesMatching(path: string): Route[] {
  const segments = path.split('/');
  const candidates = routesByLength.get(segments.length) ?? [];
  return candidates
    .filter(({ parts }) =>
      parts.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i])),
    )
    .map(({ route }) => route);
}
