import type { IconName } from '../ui/icons.tsx';

interface Destination {
  readonly to:
    | '/memories'
    | '/search'
    | '/graph'
    | '/map'
    | '/timeline'
    | '/recordings'
    | '/deliveries'
    | '/mail'
    | '/jobs'
    | '/audit'
    | '/settings';
  readonly label: string;
  readonly icon: IconName;
}

const destinations: readonly Destination[] = [
  { to: '/memories', label: 'Memories', icon: 'memories' },
  { to: '/search', label: 'Search', icon: 'search' },
  { to: '/graph', label: 'Graph', icon: 'graph' },
  { to: '/map', label: 'Map', icon: 'map' },
  { to: '/timeline', label: 'Timeline', icon: 'timeline' },
  { to: '/recordings', label: 'Recordings', icon: 'recordings' },
  { to: '/deliveries', label: 'Deliveries', icon: 'deliveries' },
  { to: '/mail', label: 'Mail', icon: 'mail' },
  { to: '/jobs', label: 'Jobs', icon: 'jobs' },
  { to: '/audit', label: 'Audit', icon: 'audit' },
  { to: '/settings', label: 'Settings', icon: 'settings' },
];

/** The audit log requires the scope admin, which a session that only reads does not have. */
export const destinationsFor = (isReadOnly: boolean): readonly Destination[] =>
  isReadOnly ? destinations.filter(({ to }) => to !== '/audit') : destinations;
