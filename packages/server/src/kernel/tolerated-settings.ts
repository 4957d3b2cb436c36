import type { Setting } from './setting.ts';
import { type Environment, invalidSettingMessage, settings } from './settings.ts';

export interface ToleratedSettings {
  /** The environment, with only valid values of the tolerated settings. */
  readonly env: Environment;
  /** The values that differ from the original; undefined: the variable counts as unset. */
  readonly changes: Readonly<Record<string, string | undefined>>;
  /** One line for each variable that is ignored. */
  readonly warnings: readonly string[];
}

/**
 * Replaces values of settings whose specification forbids a program to stop because of them: those
 * in another case by the one in lower case, and invalid ones by their default.
 */
export function correctToleratedSettings(env: Environment): ToleratedSettings {
  const changes: Record<string, string | undefined> = {};
  const warnings: string[] = [];
  for (const [name, setting] of Object.entries<Setting>(settings)) {
    const text = env[name];
    if (!setting.isTolerated || text === undefined || text === '') continue;
    const value = setting.ignoresCase ? text.toLowerCase() : text;
    const message = invalidSettingMessage(name, setting, value);
    if (message === null) {
      if (value !== text) changes[name] = value;
      continue;
    }
    const { defaultValue } = setting;
    changes[name] = undefined;
    const effect = defaultValue === undefined ? 'it is ignored' : `${defaultValue} is used instead`;
    warnings.push(`${message}: ${effect}`);
  }
  return { env: { ...env, ...changes }, changes, warnings };
}
