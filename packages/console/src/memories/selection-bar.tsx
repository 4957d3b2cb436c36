import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TagInput } from '../ui/tag-input.tsx';
import { countOf } from './action-context.ts';

interface SelectionBarProps {
  readonly count: number;
  /** They can be restored, or deleted permanently. */
  readonly areDeleted?: boolean;
  readonly onTag: (add: string[], remove: string[]) => void;
  readonly onDelete: () => void;
  readonly onRestore?: () => void;
  readonly onClear: () => void;
  /** Ways to select more. */
  readonly children?: ReactNode;
}

/** What can be done with the selected memories; shown while there are some. */
export function SelectionBar(props: SelectionBarProps) {
  const { count, areDeleted = false, onTag, onDelete, onRestore, onClear, children } = props;
  const [isTagging, setIsTagging] = useState(false);
  if (count === 0) return null;
  return (
    <section className="selection-bar" aria-label="Selection">
      <strong role="status">{countOf(count)} selected</strong>
      {areDeleted ? (
        <Button writes icon="restore" onClick={onRestore}>
          Restore
        </Button>
      ) : (
        <Button writes icon="plus" onClick={() => setIsTagging(true)}>
          Tag
        </Button>
      )}
      <Button writes icon="trash" onClick={onDelete}>
        {areDeleted ? 'Delete permanently' : 'Delete'}
      </Button>
      {children}
      <Button kind="quiet" onClick={onClear}>
        Clear
      </Button>
      {isTagging && <TagDialog count={count} onClose={() => setIsTagging(false)} onTag={onTag} />}
    </section>
  );
}

interface TagDialogProps {
  readonly count: number;
  readonly onClose: () => void;
  readonly onTag: (add: string[], remove: string[]) => void;
}

function TagDialog({ count, onClose, onTag }: TagDialogProps) {
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (add.length + remove.length > 0) onTag(add, remove);
    onClose();
  };
  return (
    <Dialog title={`Tag ${countOf(count)}`} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <div className="field">
          <label htmlFor="tags-to-add">Add tags</label>
          <TagInput id="tags-to-add" label="Add tags" value={add} onChange={setAdd} />
        </div>
        <div className="field">
          <label htmlFor="tags-to-remove">Remove tags</label>
          <TagInput id="tags-to-remove" label="Remove tags" value={remove} onChange={setRemove} />
        </div>
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            Tag {countOf(count)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
