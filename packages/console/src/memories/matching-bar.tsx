import type { BulkChangeFilter, Space } from '@mneme/sdk';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import type { IconName } from '../ui/icons.tsx';
import { countOf } from './action-context.ts';
import { type MatchingAction, MatchingDialog, verbs } from './matching-dialog.tsx';
import type { MemoryActions } from './use-memory-actions.ts';

interface MatchingBarProps {
  readonly count: number;
  readonly filter: BulkChangeFilter;
  readonly showsDeleted: boolean;
  readonly spaces: readonly Space[];
  readonly actions: MemoryActions;
  readonly onClear: () => void;
}

const icons: Readonly<Record<MatchingAction, IconName>> = {
  tag: 'plus',
  move: 'memories',
  pin: 'pin',
  protect: 'lock',
  delete: 'trash',
  restore: 'restore',
};
const types: readonly MatchingAction[] = ['tag', 'move', 'pin', 'protect', 'delete'];

/** What can be done with all memories that match the filters, loaded or not. */
export function MatchingBar(props: MatchingBarProps) {
  const { count, filter, showsDeleted, spaces, actions, onClear } = props;
  const [type, setType] = useState<MatchingAction | null>(null);
  const shown = showsDeleted ? ([...types, 'restore'] as const) : types;
  return (
    <section className="selection-bar" aria-label="Selection">
      <strong role="status">All {countOf(count)} that match</strong>
      {shown.map((each) => (
        <Button writes key={each} icon={icons[each]} onClick={() => setType(each)}>
          {verbs[each]}
        </Button>
      ))}
      <Button kind="quiet" onClick={onClear}>
        Clear
      </Button>
      {type !== null && (
        <MatchingDialog
          type={type}
          filter={filter}
          spaces={spaces}
          actions={actions}
          onClose={() => setType(null)}
          onDone={onClear}
        />
      )}
    </section>
  );
}
