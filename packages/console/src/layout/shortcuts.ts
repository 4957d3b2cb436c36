import { useEffect, useRef } from 'react';

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Functions by key in lower case, such as `j`, `?`, `escape` or `mod+k`. */
export type Shortcuts = Readonly<Record<string, ((event: KeyboardEvent) => void) | undefined>>;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, a, [role="tab"]') !== null;

const nameOf = (event: KeyboardEvent): string =>
  (isMac ? event.metaKey : event.ctrlKey)
    ? `mod+${event.key.toLowerCase()}`
    : event.key.toLowerCase();

/**
 * Handles keys while the component is shown. Keys without a modifier are left to fields and to
 * dialogs, which have their own.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    const handle = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return;
      const name = nameOf(event);
      const isPlain = !name.startsWith('mod+');
      if (isPlain && (event.ctrlKey || event.metaKey)) return;
      // Enter on a button or a link is theirs.
      if (name === 'enter' && isControl(event.target)) return;
      if (isPlain && (isTyping(event.target) || document.querySelector('dialog[open]'))) return;
      const action = current.current[name];
      if (action === undefined) return;
      event.preventDefault();
      action(event);
    };
    addEventListener('keydown', handle);
    return () => removeEventListener('keydown', handle);
  }, []);
}
