export type Theme = 'system' | 'light' | 'dark';

const storageKey = 'mneme.theme';

export function readTheme(): Theme {
  const stored = localStorage.getItem(storageKey);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Stores the choice, which is no secret, and applies it. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(storageKey);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(storageKey, theme);
    document.documentElement.dataset.theme = theme;
  }
}

export const isDark = (): boolean =>
  readTheme() === 'dark' ||
  (readTheme() === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
