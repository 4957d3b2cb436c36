import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { spacesQuery } from '../api/queries.ts';
import { signOut, useClient } from '../session/session-context.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { useIsReadOnly } from '../ui/read-only.ts';
import { applyTheme } from '../ui/theme.ts';
import { destinationsFor } from './destinations.ts';

interface Command {
  readonly name: string;
  readonly icon: IconName;
  readonly run: () => unknown;
}

interface PaletteProps {
  readonly onClose: () => void;
  readonly showShortcuts: () => void;
}

function useCommands({ onClose, showShortcuts }: PaletteProps, text: string): readonly Command[] {
  const client = useClient();
  const navigate = useNavigate();
  const isReadOnly = useIsReadOnly();
  const spaces = useQuery(spacesQuery(client));
  const pages = destinationsFor(isReadOnly).map(({ to, label, icon }) => ({
    name: label,
    icon,
    run: () => navigate({ to }),
  }));
  const ofSpaces = (spaces.data ?? []).map(({ id, name }) => ({
    name: `Memories in ${name}`,
    icon: 'memories' as const,
    run: () => navigate({ to: '/memories', search: { space: id } }),
  }));
  const actions: Command[] = [
    { name: 'Keyboard shortcuts', icon: 'settings', run: showShortcuts },
    { name: 'Use light colours', icon: 'sun', run: () => applyTheme('light') },
    { name: 'Use dark colours', icon: 'moon', run: () => applyTheme('dark') },
    { name: 'Use the colours of the system', icon: 'settings', run: () => applyTheme('system') },
    { name: 'Sign out', icon: 'signOut', run: () => signOut(client) },
  ];
  const words = text.toLowerCase().split(/\s+/);
  const found = [...pages, ...ofSpaces, ...actions].filter(({ name }) =>
    words.every((word) => name.toLowerCase().includes(word)),
  );
  const search: Command = {
    name: `Search memories for “${text}”`,
    icon: 'search',
    run: () => navigate({ to: '/search', search: { q: text } }),
  };
  return (text.trim() === '' ? found : [...found, search]).map((command) => ({
    ...command,
    run: () => {
      if (command.run !== showShortcuts) onClose();
      return command.run();
    },
  }));
}

/** A combobox over pages, spaces and actions. */
export function CommandPalette(props: PaletteProps) {
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const commands = useCommands(props, text);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const active = Math.min(index, commands.length - 1);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setIndex((active + step + commands.length) % commands.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      commands[active]?.run();
    }
  };
  return (
    <Dialog title="Go to" hidesTitle className="palette" onClose={props.onClose}>
      <input
        className="palette-input"
        role="combobox"
        aria-label="Page, space or action"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={`${listId}${active}`}
        placeholder="Go to a page, a space or an action…"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setIndex(0);
        }}
        onKeyDown={handleKey}
      />
      <div ref={list} id={listId} role="listbox" aria-label="Results" className="palette-list">
        {commands.map(({ name, icon, run }, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
          <div
            key={name}
            id={`${listId}${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === active}
            onClick={run}
            onMouseMove={() => setIndex(i)}
          >
            <Icon name={icon} />
            {name}
          </div>
        ))}
      </div>
    </Dialog>
  );
}
