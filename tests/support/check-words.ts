import { readFileSync } from 'node:fs'
import {
  forEachChild,
  isBindingElement,
  isFunctionDeclaration,
  isIdentifier,
  isInterfaceDeclaration,
  isJsxText,
  isLiteralExpression,
  isMethodSignature,
  isParameter,
  isPropertySignature,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isTypeAliasDeclaration,
  isVariableDeclaration,
  createSourceFile,
  getLeadingCommentRanges,
  getTrailingCommentRanges,
  ScriptKind,
  ScriptTarget,
  SyntaxKind,
  type Identifier,
  type Node,
  type SourceFile,
} from 'typescript'

/** Words that docs/style.md replaces, each with what to write. */
const refused: readonly [pattern: RegExp, instead: string][] = [
  [/\b(?:who(?:so)?ever|whom(?:ever)?)\b/i, 'name the person or program: the user, the caller, the client'],
  [/\b(?:some|any|every)body\b/i, 'a person, a user, anyone, everyone'],
  [/\bnobody(?:['’]s)?\b/i, 'no one, or turn the sentence around'],
  [/\bone(?:['’]s|self)\b/i, 'your, their, the user’s'],
  [/\b(?:anew|thereby|lest|hereby|therein|whereof|henceforth)\b/i, 'again, so, so that … not'],
  [/\be-mails?\b/i, 'email'],
]

/** Names of variables, functions, parameters, types and members that docs/style.md replaces. */
const refusedNames: readonly [pattern: RegExp, instead: string][] = [
  [/^(?:wish(?:es)?|told|asked)$|^Told[A-Z]/i, 'what it holds: options, input, response, query'],
  [/^(?:no|some|any|every)body(?![a-z])/i, 'unknownId, anyone'],
  [/^most[A-Z]/, 'max…'],
  [/^(?:farewell|bidFarewell|dress|goOn|leaveBy|hearing|beside|patience|patiently|keepable|begun)$/i, 'the usual term'],
  [/^(?:audited|narrowed|admitted|forgetSpent|onceOf|onceInside|onceOutside|withLastingRoot)$/, 'an imperative verb'],
]

/** Phrases that people must not read: in texts of the interface, messages, summaries and test names, not in comments. */
const refusedInTexts: readonly [pattern: RegExp, instead: string][] = [
  [/(?<![\w/.:-])workspaces?(?![\w/.:=-])/i, 'organization; /workspace is only an address'],
  [/\bown sign-in\b/i, 'single sign-on'],
  [/\blog in(?:to)?\b/i, 'sign in'],
  [/(?<!-)\bmailed\b/i, 'emailed'],
  [/\bthere is no such\b/i, 'This … doesn’t exist'],
  [/\bnothing (?:is here|matches)\b/i, 'Not found, No results'],
  [/\bneeds you\b/i, 'Needs attention'],
  [/^['"`]?keep (?:it|it here|this)['"`]?$/i, 'Cancel'],
  [/\bit is(?:n['’]t)? there\b/i, 'Mark as published, Found'],
  [/\bis there already\b/i, 'already exists'],
  [/\b(?:more acts|too many tries)\b/i, 'More actions, Too many attempts'],
  [/\b(?:go|goes) on (?:in|there|then)\b/i, 'Try again in, continue'],
  [/\bwhen not said\b/i, 'Default: …'],
  [/\b(?:did(?: not|n['’]t)|does(?: not|n['’]t)) answer\b/i, 'didn’t respond'],
  [/\b(?:time is past|lies ahead|at its minute)\b/i, 'in the past, in the future, on time'],
  [/\bany more\b/i, 'no longer, anymore'],
  [/\bneeds mending\b/i, 'is invalid'],
  [/\bpractice network\b/i, 'test network'],
  [/\bdoing it once\b/i, 'Idempotency'],
]

/** A place in a file and the rule that it breaks. */
export interface Finding {
  file: string
  line: number
  found: string
  instead: string
}

/** The refused words in comments, string literals and JSX texts of TypeScript and JavaScript, and in Markdown. */
export function findWords(file: string, text: string): Finding[] {
  const passages = file.endsWith('.md') ? [{ at: 0, text: prose(text), isText: false }] : passagesOf(file, text)
  return [
    ...passages.flatMap((passage) => findIn(file, text, passage)),
    ...(file.endsWith('.md') ? [] : findNames(file, text)),
  ]
}

function findNames(file: string, text: string): Finding[] {
  const source = createSourceFile(file, text, ScriptTarget.Latest, true, scriptKindOf(file))
  const findings: Finding[] = []
  const look = (node: Node): void => {
    if (isNamedDeclaration(node)) {
      const name = node.name.text
      const line = source.getLineAndCharacterOfPosition(node.name.getStart(source)).line + 1
      for (const [pattern, instead] of refusedNames)
        if (pattern.test(name)) findings.push({ file, line, found: name, instead })
    }
    forEachChild(node, look)
  }
  look(source)
  return findings
}

type NamedDeclaration = Node & { readonly name: Identifier }

const isNamedDeclaration = (node: Node): node is NamedDeclaration =>
  (isFunctionDeclaration(node) ||
    isVariableDeclaration(node) ||
    isParameter(node) ||
    isBindingElement(node) ||
    isInterfaceDeclaration(node) ||
    isTypeAliasDeclaration(node) ||
    isPropertySignature(node) ||
    isMethodSignature(node)) &&
  node.name !== undefined &&
  isIdentifier(node.name)

const scriptKindOf = (file: string): ScriptKind => (file.endsWith('x') ? ScriptKind.TSX : ScriptKind.TS)

interface Passage {
  at: number
  text: string
  /** Whether people read it. */
  isText: boolean
}

function findIn(file: string, whole: string, { at, text, isText }: Passage): Finding[] {
  return [...refused, ...(isText ? refusedInTexts : [])].flatMap(([pattern, instead]) =>
    [...text.matchAll(new RegExp(pattern, 'gi'))].map((match) => ({
      file,
      line: whole.slice(0, at + match.index).split('\n').length,
      found: match[0],
      instead,
    })),
  )
}

/** Markdown with its code blanked out, at the same offsets. */
const prose = (text: string): string =>
  text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, (code) => code.replaceAll(/[^\n]/g, ' '))

function passagesOf(file: string, text: string): Passage[] {
  const source = createSourceFile(file, text, ScriptTarget.Latest, true, scriptKindOf(file))
  const found = new Map<number, Passage>()
  const add: Add = (at, end, isText = false) => found.set(at, { at, text: text.slice(at, end), isText })
  visit(source, source, add)
  return [...found.values()]
}

type Add = (at: number, end: number, isText?: boolean) => void

function visit(node: Node, source: SourceFile, add: Add): void {
  if (!isJsxText(node)) {
    for (const { pos, end } of getLeadingCommentRanges(source.text, node.pos) ?? []) add(pos, end)
    for (const { pos, end } of getTrailingCommentRanges(source.text, node.end) ?? []) add(pos, end)
  }
  if (isJsxText(node) || (isLiteralExpression(node) && node.kind !== SyntaxKind.RegularExpressionLiteral))
    add(
      node.getStart(source),
      node.end,
      isJsxText(node) || (/\s/.test(node.text) && !isTaggedTemplateExpression(node.parent)),
    )
  if (isTemplateExpression(node)) {
    const isText = !isTaggedTemplateExpression(node.parent)
    add(node.head.getStart(source), node.head.end, isText)
    for (const { literal } of node.templateSpans) add(literal.getStart(source), literal.end, isText)
  }
  forEachChild(node, (child) => visit(child, source, add))
}

/** Files whose words are not ours, and the list of the refused ones. */
const left =
  /^(?:drizzle\/|packages\/|docs\/style\.md$|tests\/support\/check-words|src\/identity\/organizations\/slugs\/reserved)/

if (import.meta.main) {
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '*.ts', '*.tsx', '*.js', '*.md'])
  const requested = process.argv.slice(2)
  const files = stdout
    .toString()
    .split('\n')
    .filter(
      (file) =>
        file && !left.test(file) && (requested.length === 0 || requested.some((folder) => file.startsWith(folder))),
    )
  const findings = files.flatMap((file) => findWords(file, readFileSync(file, 'utf8')))
  for (const { file, line, found, instead } of findings) console.log(`${file}:${line} “${found}”: write ${instead}`)
  console.log(`${findings.length} refused words in ${files.length} files`)
  process.exit(findings.length === 0 ? 0 : 1)
}
