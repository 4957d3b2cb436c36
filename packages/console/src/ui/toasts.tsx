import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { Icon } from './icons.tsx';

interface Toast {
  readonly text: string;
  /** Reverts what the text reports. */
  readonly undo?: () => Promise<unknown>;
}

type ShowToast = (toast: Toast) => void;

const ToastContext = createContext<ShowToast>(() => undefined);
export const useToast = (): ShowToast => useContext(ToastContext);

/** Long enough to read and to reach the button with the keyboard. */
const shownMs = 10_000;
const toastsMax = 3;

interface ShownToast extends Toast {
  readonly id: number;
}

let lastId = 0;

/** Reports what happened, with a way back, at the bottom of the page. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([]);
  const close = useCallback((id: number) => {
    setToasts((shown) => shown.filter((toast) => toast.id !== id));
  }, []);
  const show = useCallback<ShowToast>(
    (toast) => {
      lastId += 1;
      const id = lastId;
      setToasts((shown) => [...shown.slice(1 - toastsMax), { ...toast, id }]);
      setTimeout(() => close(id), shownMs);
    },
    [close],
  );
  return (
    <ToastContext value={show}>
      {children}
      <section className="toasts" aria-label="Notifications" aria-live="polite">
        {toasts.map((toast) => (
          <ToastItem key={toast.id} toast={toast} close={() => close(toast.id)} show={show} />
        ))}
      </section>
    </ToastContext>
  );
}

function ToastItem(props: { toast: Toast; close: () => void; show: ShowToast }) {
  const { toast, close, show } = props;
  const undo = useMemo(
    () =>
      toast.undo &&
      (async () => {
        close();
        await toast.undo?.().catch((error: Error) => show({ text: error.message }));
      }),
    [toast, close, show],
  );
  return (
    <div className="toast">
      <span>{toast.text}</span>
      {undo && (
        <button type="button" onClick={undo} data-undo="">
          Undo
        </button>
      )}
      <button type="button" data-icon="" aria-label="Close notification" onClick={close}>
        <Icon name="close" size={14} />
      </button>
    </div>
  );
}
