/**
 * Applies names.json to the sources: renames declared names with all their references, then moves
 * files and mends the paths of imports. Members of types wait for `--members`: some are columns,
 * which take a migration. The notes in names.json say what has to follow by hand.
 *
 *   npm install --prefix <folder> typescript@6      (version 7 has no API for programs)
 *   node tools/renames/apply.mjs --typescript <folder>/node_modules/typescript [--members]
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { typescript: { type: 'string' }, members: { type: 'boolean', default: false } },
});
const ts = createRequire(import.meta.url)(path.resolve(values.typescript ?? 'typescript'));
const repo = path.resolve(import.meta.dirname, '../..');
const names = JSON.parse(fs.readFileSync(new URL('names.json', import.meta.url), 'utf8'));
const all = {
  files: Object.entries(names.files).map(([from, to]) => ({ from, to })),
  symbols: values.members
    ? Object.entries(names.members).flatMap(([file, types]) =>
        Object.entries(types).flatMap(([type, renamed]) =>
          Object.entries(renamed).map(([old, to]) => ({ file, old, new: to, in: type })),
        ),
      )
    : Object.entries(names.symbols).flatMap(([file, renamed]) =>
        Object.entries(renamed).map(([old, to]) => ({ file, old, new: to })),
      ),
};
const cfgPath = path.join(repo, 'tsconfig.json');
const cfg = ts.parseJsonConfigFileContent(
  ts.readConfigFile(cfgPath, ts.sys.readFile).config,
  ts.sys,
  repo,
);
const program = ts.createProgram(cfg.fileNames, cfg.options);
const checker = program.getTypeChecker();
const own = program.getSourceFiles().filter((f) => !f.fileName.includes('node_modules'));
const rel = (f) => path.relative(repo, f.fileName);
const byRel = new Map(own.map((f) => [rel(f), f]));

const targets = new Map(); // declaration node -> {old,new}
const oldNames = new Set();
const misses = [];
const nameOf = (n) =>
  n.name &&
  (ts.isIdentifier(n.name) || ts.isPrivateIdentifier(n.name) || ts.isStringLiteral(n.name))
    ? n.name.text
    : undefined;
function membersOf(node) {
  const out = [];
  const visit = (n) => {
    if (
      ts.isPropertySignature(n) ||
      ts.isMethodSignature(n) ||
      ts.isPropertyDeclaration(n) ||
      ts.isMethodDeclaration(n) ||
      ts.isGetAccessor(n) ||
      ts.isSetAccessor(n) ||
      (ts.isParameter(n) &&
        n.parent &&
        ts.isConstructorDeclaration(n.parent) &&
        n.modifiers?.length) ||
      ts.isPropertyAssignment(n) ||
      ts.isShorthandPropertyAssignment(n) ||
      ts.isEnumMember(n)
    )
      out.push(n);
    ts.forEachChild(n, visit);
  };
  ts.forEachChild(node, visit);
  return out;
}
function topLevel(sf, name) {
  const found = [];
  const visit = (n) => {
    if (ts.isVariableStatement(n))
      for (const d of n.declarationList.declarations) {
        if (nameOf(d) === name) found.push(d);
        if (d.name && ts.isObjectBindingPattern(d.name))
          for (const e of d.name.elements) if (nameOf(e) === name) found.push(e);
      }
    if (
      (ts.isFunctionDeclaration(n) ||
        ts.isClassDeclaration(n) ||
        ts.isInterfaceDeclaration(n) ||
        ts.isTypeAliasDeclaration(n) ||
        ts.isEnumDeclaration(n)) &&
      nameOf(n) === name
    )
      found.push(n);
  };
  for (const statement of sf.statements) visit(statement);
  return found;
}
function anywhere(sf, name) {
  const found = [];
  const visit = (n) => {
    if (
      (ts.isVariableDeclaration(n) || ts.isFunctionDeclaration(n) || ts.isParameter(n)) &&
      nameOf(n) === name
    )
      found.push(n);
    ts.forEachChild(n, visit);
  };
  visit(sf);
  return found;
}
for (const s of all.symbols) {
  const sf = byRel.get(s.file) ?? byRel.get(names.files[s.file]);
  if (!sf) {
    misses.push(`no file ${s.file} (${s.old})`);
    continue;
  }
  let decls;
  if (s.in) {
    const containers = topLevel(sf, s.in);
    decls = containers
      .flatMap((c) => membersOf(c))
      .filter((m) => nameOf(m) === s.old || nameOf(m) === s.old.replace(/^#/, ''));
    if (s.old.startsWith('#'))
      decls = containers
        .flatMap((c) => membersOf(c))
        .filter((m) => m.name && ts.isPrivateIdentifier(m.name) && m.name.text === s.old);
  } else {
    decls = topLevel(sf, s.old);
    if (decls.length === 0) decls = anywhere(sf, s.old);
  }
  if (decls.length === 0) {
    misses.push(`no symbol ${s.file} ${s.in ? `${s.in}.` : ''}${s.old}`);
    continue;
  }
  for (const d of decls) targets.set(d, { old: s.old, new: s.new });
  oldNames.add(s.old);
}
// members that implement or extend renamed ones
const classLikes = [];
for (const sf of own) {
  const v = (n) => {
    if (ts.isClassLike(n) || ts.isInterfaceDeclaration(n)) classLikes.push(n);
    ts.forEachChild(n, v);
  };
  v(sf);
}
for (let changed = true; changed; ) {
  changed = false;
  for (const c of classLikes)
    for (const h of c.heritageClauses ?? [])
      for (const t of h.types) {
        const base = checker.getTypeAtLocation(t);
        for (const m of c.members) {
          const n = nameOf(m);
          if (!n || !oldNames.has(n) || targets.has(m)) continue;
          const p = base.getProperty(n);
          const hit = p?.declarations?.map((d) => targets.get(d)).find((x) => x && x.old === n);
          if (hit) {
            targets.set(m, hit);
            changed = true;
          }
        }
      }
}
const hitOf = (symbol, text) => {
  if (!symbol) return undefined;
  let s = symbol;
  if (s.flags & ts.SymbolFlags.Alias) {
    try {
      s = checker.getAliasedSymbol(s);
    } catch {
      return undefined;
    }
  }
  for (const d of s.declarations ?? []) {
    const t = targets.get(d);
    if (t && t.old === text) return t.new;
  }
  return undefined;
};
const propHit = (type, text) => {
  if (!type) return undefined;
  const expand = (t, depth = 0) => {
    if (!t || depth > 4) return [];
    if (t.isUnionOrIntersection()) return [t, ...t.types.flatMap((x) => expand(x, depth + 1))];
    if (
      t.flags &
      (ts.TypeFlags.TypeParameter |
        ts.TypeFlags.Conditional |
        ts.TypeFlags.IndexedAccess |
        ts.TypeFlags.Index |
        ts.TypeFlags.Substitution)
    )
      return [t, ...expand(checker.getBaseConstraintOfType(t), depth + 1)];
    return [t];
  };
  for (const t of expand(type)) {
    const h = hitOf(t.getProperty?.(text), text);
    if (h) return h;
  }
  return undefined;
};
const ctxHit = (obj, text) =>
  propHit(checker.getContextualType(obj), text) ?? propHit(checker.getContextualType(obj, 4), text);
const edits = new Map();
const edit = (sf, start, end, text) => {
  const e = edits.get(sf) ?? [];
  e.push({ start, end, text });
  edits.set(sf, e);
};
// locals that shadow a renamed property in destructuring: rename with it
const scopeHas = (node, name) => {
  try {
    return checker.getSymbolsInScope(node, ts.SymbolFlags.Value).some((s) => s.name === name);
  } catch {
    return false;
  }
};
for (const sf of own) {
  const visit = (n) => {
    if (
      ts.isBindingElement(n) &&
      !n.propertyName &&
      ts.isIdentifier(n.name) &&
      oldNames.has(n.name.text) &&
      ts.isObjectBindingPattern(n.parent) &&
      !targets.has(n)
    ) {
      const type = checker.getTypeAtLocation(n.parent);
      const h = propHit(type, n.name.text);
      if (h && !scopeHas(n, h) && !n.dotDotDotToken) {
        targets.set(n, { old: n.name.text, new: h, both: true });
      }
    }
    ts.forEachChild(n, visit);
  };
  visit(sf);
}
/** A reference: an identifier in whatever position. */
function renameIdentifier(sf, n) {
  const p = n.parent;
  const text = n.text;
  const [a, b] = [n.getStart(sf), n.getEnd()];
  if (ts.isShorthandPropertyAssignment(p) && p.name === n) {
    const value = hitOf(checker.getShorthandAssignmentValueSymbol(p), text);
    const prop = ctxHit(p.parent, text) ?? targets.get(p)?.new;
    if (value && prop) edit(sf, a, b, value === prop ? value : `${prop}: ${value}`);
    else if (value) edit(sf, a, b, `${text}: ${value}`);
    else if (prop) edit(sf, a, b, `${prop}: ${text}`);
  } else if (
    ts.isBindingElement(p) &&
    p.name === n &&
    !p.propertyName &&
    ts.isObjectBindingPattern(p.parent)
  ) {
    const type = checker.getTypeAtLocation(p.parent);
    const prop = propHit(type, text);
    const own_ = targets.get(p);
    if (prop && own_) edit(sf, a, b, own_.new === prop ? prop : `${prop}: ${own_.new}`);
    else if (prop) edit(sf, a, b, `${prop}: ${text}`);
    else if (own_) edit(sf, a, b, `${text}: ${own_.new}`);
  } else if (ts.isBindingElement(p) && p.propertyName === n) {
    const prop = propHit(checker.getTypeAtLocation(p.parent), text);
    if (prop) edit(sf, a, b, prop);
  } else if (
    (ts.isPropertyAssignment(p) && p.name === n) ||
    (ts.isMethodDeclaration(p) && p.name === n && ts.isObjectLiteralExpression(p.parent)) ||
    ((ts.isGetAccessor(p) || ts.isSetAccessor(p)) &&
      p.name === n &&
      ts.isObjectLiteralExpression(p.parent))
  ) {
    const h = targets.get(p)?.new ?? ctxHit(p.parent, text);
    if (h) edit(sf, a, b, h);
  } else if (ts.isExportSpecifier(p) || ts.isImportSpecifier(p)) {
    // `a as b`: only the first; plain: the name
    if (p.propertyName && p.name === n) {
      /* keeps its alias */
    } else {
      const h = hitOf(
        ts.isExportSpecifier(p)
          ? (checker.getExportSpecifierLocalTargetSymbol(p) ?? checker.getSymbolAtLocation(n))
          : checker.getSymbolAtLocation(n),
        text,
      );
      if (h) edit(sf, a, b, h);
    }
  } else {
    const symbol = checker.getSymbolAtLocation(n);
    const h =
      (targets.get(p)?.old === text && p.name === n ? targets.get(p).new : undefined) ??
      hitOf(symbol, text);
    if (h) edit(sf, a, b, h);
  }
}

/** `Pick<X, 'a'>` and `X['a']`. */
function renameLiteral(sf, n) {
  let h;
  if (ts.isLiteralTypeNode(n.parent)) {
    let q = n.parent.parent;
    if (q && ts.isUnionTypeNode(q)) q = q.parent;
    if (q && ts.isTypeReferenceNode(q) && q.typeArguments?.length)
      h = propHit(checker.getTypeFromTypeNode(q.typeArguments[0]), n.text);
    else if (q && ts.isIndexedAccessTypeNode(q))
      h = propHit(checker.getTypeFromTypeNode(q.objectType), n.text);
  } else h = propHit(checker.getTypeAtLocation(n.parent.expression), n.text);
  if (h) edit(sf, n.getStart(sf) + 1, n.getEnd() - 1, h);
}

for (const sf of own) {
  const visit = (n) => {
    if ((ts.isIdentifier(n) || ts.isPrivateIdentifier(n)) && oldNames.has(n.text)) {
      renameIdentifier(sf, n);
    } else if (
      ts.isStringLiteral(n) &&
      oldNames.has(n.text) &&
      (ts.isLiteralTypeNode(n.parent) || ts.isElementAccessExpression(n.parent))
    ) {
      renameLiteral(sf, n);
    }
    // JSDoc links and names are prose: left to people.
    ts.forEachChild(n, visit);
  };
  visit(sf);
}
let count = 0;
for (const [sf, list] of edits) {
  let text = sf.text;
  const seen = new Set();
  for (const { start, end, text: t } of list.sort((x, y) => y.start - x.start)) {
    if (seen.has(start)) continue;
    seen.add(start);
    text = text.slice(0, start) + t + text.slice(end);
    count++;
  }
  fs.writeFileSync(sf.fileName, text);
}
// moves
const moves = new Map(
  (values.members ? [] : all.files).map(({ from, to }) => [
    path.join(repo, from),
    path.join(repo, to),
  ]),
);
for (const [from] of moves)
  if (!fs.existsSync(from)) {
    misses.push(`no file to move ${path.relative(repo, from)}`);
    moves.delete(from);
  }
if (moves.size > 0) {
  const files = execFileSync('git', ['-C', repo, 'ls-files', '-z'], { maxBuffer: 1 << 28 })
    .toString()
    .split('\0')
    .filter((f) => /\.(ts|mjs|js)$/.test(f))
    .map((f) => path.join(repo, f))
    .filter((f) => fs.existsSync(f));
  const newOf = (f) => moves.get(f) ?? f;
  for (const f of files) {
    const text = fs.readFileSync(f, 'utf8');
    const out = text.replace(
      /(['"`])(\.\.?\/[^'"`\n]*?\.(?:ts|mjs|js|json|sql))\1/g,
      (whole, q, spec) => {
        const target = path.resolve(path.dirname(f), spec);
        const to = newOf(target);
        if (to === target && newOf(f) === f) return whole;
        if (to === target && !fs.existsSync(target)) return whole;
        let r = path.relative(path.dirname(newOf(f)), to);
        if (!r.startsWith('.')) r = `./${r}`;
        return `${q}${r}${q}`;
      },
    );
    if (out !== text) fs.writeFileSync(f, out);
  }
  for (const [from, to] of moves) {
    fs.mkdirSync(path.dirname(to), { recursive: true });
    execFileSync('git', ['-C', repo, 'mv', path.relative(repo, from), path.relative(repo, to)]);
  }
}
console.log(`${count} edits in ${edits.size} files, ${moves.size} moves, ${misses.length} misses`);
for (const m of misses) console.log(`  ${m}`);
