import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { readAuditSearch } from './audit/audit-state.ts';
import { readDeliveriesSearch } from './deliveries/deliveries-state.ts';
import { readGraphSearch } from './graph/graph-state.ts';
import { readJobsSearch } from './jobs/jobs-state.ts';
import { NotFoundPage } from './layout/not-found-page.tsx';
import { Shell } from './layout/shell.tsx';
import { readMailSearch } from './mail/mail-state.ts';
import { readMapAddress } from './map/map-address.ts';
import { readFilters } from './memories/filters.ts';
import { MemoriesPage } from './memories/memories-page.tsx';
import { readRecordingsSearch } from './recordings/recordings-state.ts';
import { readSearch } from './search/search-state.ts';
import { readTimelineSearch } from './timeline/timeline-state.ts';

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

const graphRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/graph',
  validateSearch: readGraphSearch,
  component: lazyRouteComponent(() => import('./graph/graph-page.tsx'), 'GraphPage'),
});

const timelineRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/timeline',
  validateSearch: readTimelineSearch,
  component: lazyRouteComponent(() => import('./timeline/timeline-page.tsx'), 'TimelinePage'),
});

const recordingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/recordings',
  validateSearch: readRecordingsSearch,
  component: lazyRouteComponent(() => import('./recordings/recordings-page.tsx'), 'RecordingsPage'),
});

const deliveriesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/deliveries',
  validateSearch: readDeliveriesSearch,
  component: lazyRouteComponent(() => import('./deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
});

const mailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mail',
  validateSearch: readMailSearch,
  component: lazyRouteComponent(() => import('./mail/mail-page.tsx'), 'MailPage'),
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
  validateSearch: readJobsSearch,
  component: lazyRouteComponent(() => import('./jobs/jobs-page.tsx'), 'JobsPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./audit/audit-page.tsx'), 'AuditPage'),
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
  graphRoute,
  timelineRoute,
  recordingsRoute,
  deliveriesRoute,
  mailRoute,
  mapRoute,
  jobsRoute,
  auditRoute,
  settingsRoute,
]);

export const createConsoleRouter = () =>
  createRouter({ routeTree, basepath: '/console', defaultPreload: 'intent' });

/** So that pages open while the server restarts. */
export async function preloadPages(router: ReturnType<typeof createConsoleRouter>): Promise<void> {
  await Promise.all(Object.values(router.routesById).map((route) => router.loadRouteChunk(route)));
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
