import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const deploy = path.resolve(import.meta.dirname, '../../deploy');

export const alertRulesFile = path.join(deploy, 'prometheus/mneme-alerts.yml');

interface Dashboard {
  readonly title: string;
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

/** The queries of all dashboards, with the variables of Grafana replaced, by panel. */
export function dashboardQueries(): [panel: string, query: string][] {
  return globSync('grafana/*.json', { cwd: deploy }).flatMap((file) => {
    const { title, panels } = JSON.parse(
      readFileSync(path.join(deploy, file), 'utf8'),
    ) as Dashboard;
    return panels.flatMap((panel) =>
      panel.targets.map(({ expr }): [string, string] => [
        `${title}: ${panel.title}`,
        expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'),
      ]),
    );
  });
}

/** The expressions of all alert rules, by name. */
export function alertQueries(): [alert: string, query: string][] {
  const rules = readFileSync(alertRulesFile, 'utf8').split('- alert: ').slice(1);
  return rules.map((rule) => {
    const name = /^\S+/.exec(rule)?.[0] ?? '';
    const query = /expr: (?:>-)?([\s\S]*?)\n {8}(?:for|labels):/.exec(rule)?.[1] ?? '';
    return [name, query.trim()];
  });
}
