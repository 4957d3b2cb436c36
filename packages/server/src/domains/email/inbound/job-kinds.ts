/** A separate file, so that code that queues the job need not import its handler. */
export const processMailKind = 'email.process';
