import { Socket } from 'node:net';

// The parent holds the other end and never writes: it closes when the parent exits for any reason.
const parent = new Socket({ fd: 0, readable: true, writable: false });
parent.on('error', () => undefined);
parent.on('close', () => process.kill(process.pid, 'SIGKILL'));
parent.resume();
