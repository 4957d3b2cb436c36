/** Apart, so that whoever queues the job need not import what runs it. */
export const processMailKind = 'email.process';
