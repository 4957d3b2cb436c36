import { runProgram } from './program.ts';

/** Runs a command of `mneme-server` in this process. */
export async function runCommand(
  parameters: readonly string[],
  env: Record<string, string> = {},
): Promise<{ printed: string; warned: string[]; code: number }> {
  const printed: string[] = [];
  const warned: string[] = [];
  let code = 0;
  await runProgram(
    {
      env,
      setVariables: () => undefined,
      version: '1.2.3',
      isInteractive: false,
      print: (line) => void printed.push(line),
      warn: (line) => void warned.push(line),
      showProgress: () => undefined,
      setExitCode: (to) => {
        code = to;
      },
      fail: (error) => Promise.reject(error),
    },
    parameters,
  );
  return { printed: printed.join('\n'), warned, code };
}
