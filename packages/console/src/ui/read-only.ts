import { createContext, useContext } from 'react';

/** Whether the session can only read: what changes something is left out then. */
export const ReadOnlyContext = createContext(false);

export const useIsReadOnly = (): boolean => useContext(ReadOnlyContext);
