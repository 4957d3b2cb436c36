import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { countOf } from './action-context.ts';
import type { MemoryActions } from './use-memory-actions.ts';

export interface Deletion {
  readonly ids: readonly string[];
  readonly isPermanent: boolean;
}

interface DeleteDialogProps {
  readonly deletion: Deletion;
  readonly actions: MemoryActions;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** For what cannot be undone, and for memories that somebody protected. */
export function DeleteDialog({ deletion, actions, onClose, onDone }: DeleteDialogProps) {
  const { ids, isPermanent } = deletion;
  const [error, setError] = useState<unknown>(null);
  const confirm = async () => {
    try {
      await (isPermanent ? actions.erase(ids) : actions.remove(ids, true));
      onDone();
      onClose();
    } catch (reason) {
      setError(reason);
    }
  };
  const what = countOf(ids.length);
  return (
    <Dialog title={`${isPermanent ? 'Permanently delete' : 'Delete'} ${what}?`} onClose={onClose}>
      <p>
        {isPermanent
          ? 'The text, its history and what was derived from it are erased. This cannot be undone.'
          : 'Some are protected against deletion. You can restore them later.'}
      </p>
      {error ? <ErrorNotice error={error} /> : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" onClick={confirm}>
          {isPermanent ? `Permanently delete ${what}` : `Delete ${what}`}
        </Button>
      </div>
    </Dialog>
  );
}
