import type { IconName } from '../ui/icons.tsx';

interface Destination {
  readonly to: '/memories' | '/search' | '/map' | '/jobs' | '/settings';
  readonly label: string;
  readonly icon: IconName;
}

/** The pages of the navigation. */
export const destinations: readonly Destination[] = [
  { to: '/memories', label: 'Memories', icon: 'memories' },
  { to: '/search', label: 'Search', icon: 'search' },
  { to: '/map', label: 'Map', icon: 'map' },
  { to: '/jobs', label: 'Jobs', icon: 'jobs' },
  { to: '/settings', label: 'Settings', icon: 'settings' },
];
