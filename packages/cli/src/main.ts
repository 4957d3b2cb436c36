import { exitCodes, runCommandLine } from './run-command-line.ts';

const { stdin, stdout, stderr, env: environment } = process;

// A reader such as `head` closes the pipe early. Without this exit `events --follow` would
// continue without a reader.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(exitCodes.done);
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  ...{ stdin, stdout, stderr },
  environment,
});
