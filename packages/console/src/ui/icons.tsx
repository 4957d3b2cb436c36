import type { ReactNode } from 'react';

/** Drawings on a grid of 16, with lines of 1.5. */
const drawings = {
  alert: (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M8 5v3.5M8 11v.01" />
    </>
  ),
  check: <path d="m3.5 8.5 3 3 6-7" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 3.5v-1h-8v8h1" />
    </>
  ),
  edit: <path d="m10 3.5 2.5 2.5-7 7H3v-2.5zM8.5 5 11 7.5" />,
  filter: <path d="M2.5 4h11M4.5 8h7M6.5 12h3" />,
  back: <path d="M10 3.5 5.5 8l4.5 4.5" />,
  audit: (
    <>
      <path d="M8 1.75 13 3.5v4c0 3.2-2 5.6-5 6.75C5 13.1 3 10.7 3 7.5v-4z" />
      <path d="m5.75 7.75 1.75 1.75 3-3.25" />
    </>
  ),
  down: <path d="m3.5 6 4.5 4.5L12.5 6" />,
  deliveries: (
    <>
      <path d="M13.5 2.5 2.5 7l4.25 2.25L9 13.5z" />
      <path d="m6.75 9.25 3-3" />
    </>
  ),
  forward: <path d="M6 3.5 10.5 8 6 12.5" />,
  graph: (
    <>
      <circle cx="4" cy="4" r="1.75" />
      <circle cx="12" cy="5.5" r="1.75" />
      <circle cx="6.5" cy="12" r="1.75" />
      <path d="m5.75 4.3 4.5.9M4.6 5.7l1.3 4.6M10.9 6.9l-3.3 3.7" />
    </>
  ),
  jobs: <path d="M2.5 5h7M2.5 8h11M2.5 11h5M12 3v4M10 5h4" />,
  lock: (
    <>
      <rect x="3.5" y="7" width="9" height="6.5" rx="1.5" />
      <path d="M5.5 7V5a2.5 2.5 0 0 1 5 0v2" />
    </>
  ),
  mail: (
    <>
      <rect x="2" y="3.5" width="12" height="9" rx="1.5" />
      <path d="m2.5 5 5.5 4 5.5-4" />
    </>
  ),
  map: (
    <>
      <circle cx="4.5" cy="5" r="1.75" />
      <circle cx="11.5" cy="4.5" r="1.25" />
      <circle cx="10.5" cy="11" r="2.25" />
      <circle cx="4.75" cy="11.75" r="1" />
    </>
  ),
  minus: <path d="M3 8h10" />,
  lasso: (
    <>
      <ellipse cx="8" cy="6.5" rx="5.5" ry="3.75" strokeDasharray="2.5 2" />
      <path d="M5 9.75c-1 .75-1 2.5.5 3" />
    </>
  ),
  fit: <path d="M6 2.5H2.5V6M10 2.5h3.5V6M6 13.5H2.5V10M10 13.5h3.5V10" />,
  memories: (
    <>
      <rect x="2.5" y="3" width="11" height="10" rx="2" />
      <path d="M5 6.5h6M5 9.5h4" />
    </>
  ),
  moon: <path d="M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z" />,
  pin: <path d="M6 2.5h4l-.5 4 2 2v1h-7v-1l2-2zM8 9.5v4" />,
  plus: <path d="M8 3v10M3 8h10" />,
  recordings: <path d="M2.5 6.5v3M5.25 4.5v7M8 2.5v11M10.75 5v6M13.5 6.75v2.5" />,
  restore: <path d="M3 3.5v3h3M3.2 6.5A5.25 5.25 0 1 1 2.8 9" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.25" />
      <path d="m10.25 10.25 3.25 3.25" />
    </>
  ),
  settings: (
    <>
      <path d="M2.5 5h6M12 5h1.5M2.5 11H4M7.5 11h6" />
      <circle cx="10.25" cy="5" r="1.75" />
      <circle cx="5.75" cy="11" r="1.75" />
    </>
  ),
  signOut: (
    <>
      <path d="M6 2.5H3.5a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1H6" />
      <path d="M10 5l3 3-3 3" />
      <path d="M13 8H6" />
    </>
  ),
  sun: (
    <>
      <circle cx="8" cy="8" r="2.75" />
      <path d="M8 1.5v1.25" />
      <path d="M8 13.25v1.25" />
      <path d="M1.5 8h1.25" />
      <path d="M13.25 8h1.25" />
      <path d="M3.4 3.4l.9.9" />
      <path d="M11.7 11.7l.9.9" />
      <path d="M12.6 3.4l-.9.9" />
      <path d="M4.3 11.7l-.9.9" />
    </>
  ),
  timeline: (
    <>
      <path d="M2 8h12" />
      <circle cx="4.5" cy="8" r="1.5" />
      <circle cx="10.5" cy="8" r="1.5" />
      <path d="M4.5 6.5v-3M10.5 9.5v3" />
    </>
  ),
  trash: (
    <>
      <path d="M2.5 4.5h11" />
      <path d="M6 4.5v-2h4v2" />
      <path d="M4 4.5l.5 9h7l.5-9" />
      <path d="M6.75 7v4" />
      <path d="M9.25 7v4" />
    </>
  ),
  video: (
    <>
      <rect x="1.75" y="4" width="8.5" height="8" rx="1.5" />
      <path d="m10.25 7 4-2.25v6.5L10.25 9" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof drawings;

/** Decorative: the control around it has the name. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg
    aria-hidden="true"
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    {drawings[name]}
  </svg>
);

export const Logo = ({ size = 24 }: { size?: number }) => (
  <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32" className="logo">
    <rect width="32" height="32" rx="8" />
    <path d="M8.5 22.5v-8a3.75 3.75 0 0 1 7.5 0v8m0-8a3.75 3.75 0 0 1 7.5 0v8" />
  </svg>
);
