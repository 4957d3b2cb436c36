import { type ReactNode, useEffect, useId, useRef } from 'react';

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  readonly className?: string;
  /** Hidden from sight where the content shows what the dialog is. */
  readonly hidesTitle?: boolean;
}

/** A modal dialog of the browser: it holds the focus, and Escape closes it. */
export function Dialog({ title, children, onClose, className = '', hidesTitle }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    // A click on the backdrop reaches the dialog itself; the keyboard has Escape for it.
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is handled by the browser.
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      {hidesTitle ? (
        <h2 id={titleId} className="visually-hidden">
          {title}
        </h2>
      ) : null}
      {hidesTitle ? (
        children
      ) : (
        <div className="dialog-body">
          <h2 id={titleId}>{title}</h2>
          {children}
        </div>
      )}
    </dialog>
  );
}
