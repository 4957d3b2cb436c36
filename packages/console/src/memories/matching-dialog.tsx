import type { BulkAction, BulkChangeFilter, Space } from '@mneme/sdk';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { TagInput } from '../ui/tag-input.tsx';
import { countOf } from './action-context.ts';
import type { MemoryActions } from './use-memory-actions.ts';

export type MatchingAction = Exclude<BulkAction['type'], 'unpin'>;

export const verbs: Readonly<Record<MatchingAction, string>> = {
  tag: 'Tag',
  move: 'Move',
  pin: 'Pin',
  protect: 'Protect',
  delete: 'Delete',
  restore: 'Restore',
};

interface MatchingDialogProps {
  readonly type: MatchingAction;
  readonly filter: BulkChangeFilter;
  readonly spaces: readonly Space[];
  readonly actions: MemoryActions;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Names how many memories change, and takes what the action needs. */
export function MatchingDialog({ type, filter, spaces, ...props }: MatchingDialogProps) {
  const { actions, onClose, onDone } = props;
  const client = useClient();
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const [space, setSpace] = useState('default');
  const [isConfirmed, setIsConfirmed] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const counted = useQuery({
    queryKey: ['matching', type === 'restore', filter],
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const action = { type: type === 'restore' ? type : ('delete' as const) };
      const body = { filter, action, count_only: true };
      const answer = await client.memories.startChange({ body }, { signal });
      return 'count' in answer ? answer : { count: 0, soft_protected: 0, hard_protected: 0 };
    },
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    try {
      const action = toAction(type, { add, remove, space });
      const expected_count = counted.data?.count ?? 0;
      await actions.changeMatching({ filter, action, confirm: isConfirmed, expected_count });
      onDone();
      onClose();
    } catch (reason) {
      setError(reason);
      setIsBusy(false);
    }
  };
  const what = counted.data === undefined ? '…' : countOf(counted.data.count);
  const isComplete = type !== 'tag' || add.length + remove.length > 0;
  return (
    <Dialog title={`${verbs[type]} ${what}?`} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        {counted.isError && <ErrorNotice error={counted.error} />}
        {type === 'tag' && <TagFields {...{ add, setAdd, remove, setRemove }} />}
        {type === 'move' && <SpaceField spaces={spaces} value={space} onChange={setSpace} />}
        <p className="hint">
          These are all memories that match, also those that are not loaded yet. You can undo this
          for 24 hours with the message that follows.
        </p>
        {type !== 'protect' && type !== 'restore' && counted.data && (
          <Protected {...counted.data} isConfirmed={isConfirmed} onConfirm={setIsConfirmed} />
        )}
        {error ? <ErrorNotice error={error} /> : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind={type === 'delete' ? 'danger' : 'primary'}
            type="submit"
            disabled={isBusy || !isComplete || (counted.data?.count ?? 0) === 0}
          >
            {isBusy ? 'Working…' : `${verbs[type]} ${what}`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface Fields {
  readonly add: string[];
  readonly remove: string[];
  readonly space: string;
}

function toAction(type: MatchingAction, { add, remove, space }: Fields): BulkAction {
  if (type === 'tag') return { type, add, remove };
  if (type === 'move') return { type, space_id: space };
  if (type === 'protect') return { type, protection_level: 'soft' };
  return { type };
}

interface TagFieldsProps {
  readonly add: readonly string[];
  readonly setAdd: (tags: string[]) => void;
  readonly remove: readonly string[];
  readonly setRemove: (tags: string[]) => void;
}

const TagFields = ({ add, setAdd, remove, setRemove }: TagFieldsProps) => (
  <>
    <div className="field">
      <label htmlFor="matching-add">Add tags</label>
      <TagInput id="matching-add" label="Add tags" value={add} onChange={setAdd} />
    </div>
    <div className="field">
      <label htmlFor="matching-remove">Remove tags</label>
      <TagInput id="matching-remove" label="Remove tags" value={remove} onChange={setRemove} />
    </div>
  </>
);

interface SpaceFieldProps {
  readonly spaces: readonly Space[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}

const SpaceField = ({ spaces, value, onChange }: SpaceFieldProps) => (
  <label className="field">
    <span>To the space</span>
    <select className="select" value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="default">No space</option>
      {spaces.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  </label>
);

interface ProtectedProps {
  readonly soft_protected: number;
  readonly hard_protected: number;
  readonly isConfirmed: boolean;
  readonly onConfirm: (isConfirmed: boolean) => void;
}

const Protected = ({ soft_protected, hard_protected, isConfirmed, onConfirm }: ProtectedProps) => (
  <>
    {soft_protected > 0 && (
      <label className="checkbox">
        <input
          type="checkbox"
          checked={isConfirmed}
          onChange={(event) => onConfirm(event.target.checked)}
        />
        <span>Include {countOf(soft_protected)} that are protected</span>
      </label>
    )}
    {hard_protected > 0 && (
      <p className="hint">{countOf(hard_protected)} with hard protection stay as they are.</p>
    )}
  </>
);
