import { readFileSync } from 'node:fs'
import {
  forEachChild,
  isJsxText,
  isLiteralExpression,
  isTemplateExpression,
  createSourceFile,
  getLeadingCommentRanges,
  getTrailingCommentRanges,
  ScriptKind,
  ScriptTarget,
  SyntaxKind,
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

/** A place in a file and the rule that it breaks. */
export interface Finding {
  file: string
  line: number
  found: string
  instead: string
}

/** The refused words in comments, string literals and JSX texts of TypeScript and JavaScript, and in Markdown. */
export function findWords(file: string, text: string): Finding[] {
  const passages = file.endsWith('.md') ? [{ at: 0, text: prose(text) }] : passagesOf(file, text)
  return passages.flatMap((passage) => findIn(file, text, passage))
}

interface Passage {
  at: number
  text: string
}

function findIn(file: string, whole: string, { at, text }: Passage): Finding[] {
  return refused.flatMap(([pattern, instead]) =>
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
  const kind = file.endsWith('x') ? ScriptKind.TSX : ScriptKind.TS
  const source = createSourceFile(file, text, ScriptTarget.Latest, true, kind)
  const found = new Map<number, Passage>()
  const add = (at: number, end: number) => found.set(at, { at, text: text.slice(at, end) })
  visit(source, source, add)
  return [...found.values()]
}

type Add = (at: number, end: number) => void

function visit(node: Node, source: SourceFile, add: Add): void {
  if (!isJsxText(node)) {
    for (const { pos, end } of getLeadingCommentRanges(source.text, node.pos) ?? []) add(pos, end)
    for (const { pos, end } of getTrailingCommentRanges(source.text, node.end) ?? []) add(pos, end)
  }
  if (isJsxText(node) || (isLiteralExpression(node) && node.kind !== SyntaxKind.RegularExpressionLiteral))
    add(node.getStart(source), node.end)
  if (isTemplateExpression(node)) {
    add(node.head.getStart(source), node.head.end)
    for (const { literal } of node.templateSpans) add(literal.getStart(source), literal.end)
  }
  forEachChild(node, (child) => visit(child, source, add))
}

/** Files whose words are not ours, and the list of the refused ones. */
const left = /^(?:drizzle\/|packages\/|docs\/style\.md$|tests\/support\/check-words)/

if (import.meta.main) {
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '*.ts', '*.tsx', '*.js', '*.md'])
  const asked = process.argv.slice(2)
  const files = stdout
    .toString()
    .split('\n')
    .filter(
      (file) => file && !left.test(file) && (asked.length === 0 || asked.some((folder) => file.startsWith(folder))),
    )
  const findings = files.flatMap((file) => findWords(file, readFileSync(file, 'utf8')))
  for (const { file, line, found, instead } of findings) console.log(`${file}:${line} “${found}”: write ${instead}`)
  console.log(`${findings.length} refused words in ${files.length} files`)
  process.exit(findings.length === 0 ? 0 : 1)
}
