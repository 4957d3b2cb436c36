import { Dialog } from '../ui/dialog.tsx';
import { isMac } from './shortcuts.ts';

const mod = isMac ? '⌘' : 'Ctrl';

const groups: readonly { title: string; keys: readonly (readonly [string, string])[] }[] = [
  {
    title: 'Everywhere',
    keys: [
      [`${mod} K`, 'Go to a page, a space or an action'],
      ['/', 'Search'],
      ['?', 'This list'],
    ],
  },
  {
    title: 'Memories',
    keys: [
      ['J, K', 'Next, previous'],
      ['Enter', 'Open'],
      ['N', 'New memory'],
      ['X', 'Select'],
      ['E', 'Edit'],
      ['P', 'Pin or unpin'],
      ['G', 'Show in the graph'],
      ['W', 'See why in a search'],
      ['#', 'Delete'],
      ['Z', 'Undo'],
      ['Escape', 'Close, or clear the selection'],
    ],
  },
  {
    title: 'Graph',
    keys: [
      ['Arrows', 'Go to the neighbour in that direction'],
      ['Enter', 'Expand'],
      ['Escape', 'Back'],
      ['+, −, 0', 'Zoom in, zoom out, show all'],
    ],
  },
  { title: 'While editing', keys: [[`${mod} Enter`, 'Save']] },
];

export const ShortcutList = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    {groups.map(({ title, keys }) => (
      <section key={title} className="shortcut-group">
        <h3>{title}</h3>
        <dl>
          {keys.map(([key, effect]) => (
            <div key={key}>
              <dt>{effect}</dt>
              <dd>
                <kbd className="kbd">{key}</kbd>
              </dd>
            </div>
          ))}
        </dl>
      </section>
    ))}
  </Dialog>
);
