import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  readonly text: string;
  /** The button, which names what happens and to how many. */
  readonly action: string;
  readonly run: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** For what cannot be undone. */
export function ConfirmDialog({ title, text, action, run, onClose }: ConfirmDialogProps) {
  const [error, setError] = useState<unknown>(null);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {error ? <ErrorNotice error={error} /> : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" onClick={() => run().then(onClose, setError)}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
