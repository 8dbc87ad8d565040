import type { Import } from './imports.ts'

/**
 * What a page can import as a value: operations, contracts, views, `lib`, zod, and helpers for cookies and headers in the
 * folder `http` of its context. An endpoint that redirects at once, such as OAuth's, keeps what it does in a file
 * `*.redirect.ts`.
 */
const allowed = [
  /\.operations\.tsx?$/,
  /\.redirect\.ts$/,
  /(^|\/)([\w-]+-)?contract(\/[\w-]+)?\.ts$/,
  /^src\/\w+\/http\/[\w-]+\.ts$/,
  /^views\//,
  /^src\/lib\/(?!(schema|db)(\.ts$|\/))/,
  /^zod$/,
]

/** Whether a file that declares pages can have this import. */
export const isPageImport = ({ target, typeOnly }: Pick<Import, 'target' | 'typeOnly'>): boolean =>
  typeOnly || allowed.some((pattern) => pattern.test(target))

/** Whether this code queries: pages ask operations. */
export const queries = (code: string): boolean =>
  /\b(db|database|tx)\b|\bcall\.(identity|mail|queue|storage)\b/.test(
    code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|^import .*$/gm, ''),
  )
