import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { NotFoundPage } from './layout/not-found-page.tsx';
import { Shell } from './layout/shell.tsx';
import { readMapAddress } from './map/map-address.ts';
import { readFilters } from './memories/filters.ts';
import { MemoriesPage } from './memories/memories-page.tsx';
import { readSearch } from './search/search-state.ts';

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage });

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/memories', replace: true });
  },
});

const memoriesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/memories',
  validateSearch: readFilters,
  component: MemoriesPage,
});

const searchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/search',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./search/search-page.tsx'), 'SearchPage'),
});

const mapRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/map',
  validateSearch: readMapAddress,
  component: lazyRouteComponent(() => import('./map/map-page.tsx'), 'MapPage'),
});

const jobsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/jobs',
  component: lazyRouteComponent(() => import('./jobs/jobs-page.tsx'), 'JobsPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
});

const routeTree = rootRoute.addChildren([
  indexRoute,
  memoriesRoute,
  searchRoute,
  mapRoute,
  jobsRoute,
  settingsRoute,
]);

export const createConsoleRouter = () =>
  createRouter({ routeTree, basepath: '/console', defaultPreload: 'intent' });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
