import type { Import } from './imports.ts'

/**
 * What a page can import as a value: operations, contracts, views, the parts of `lib` that don't query, zod, and helpers
 * for cookies and headers in the folder `http` of its context. An endpoint that redirects at once, such as OAuth's, keeps
 * what it does in a file `*.redirect.ts`, and `draw-*.tsx` asks and draws what a page shares with the mutations that it
 * makes.
 */
const allowed = [
  /\.operations\.tsx?$/,
  /\.redirect\.ts$/,
  /\/draw-[\w-]+\.tsx$/,
  /(^|\/)([\w-]+-)?contract(\/[\w-]+)?\.ts$/,
  /^src\/(?!lib\/)\w+\/http\/[\w-]+\.ts$/,
  /^views\//,
  /^src\/lib\/(actor|authorize|call|context|cookies|errors|ids|openapi|page|paginate|reply|text|time)\.ts$/,
  /^src\/lib\/(http\/routes|openapi\/\w+)\.ts$/,
  /^zod$/,
]

/** Domain functions of the helpers, which only views use. */
const helperExceptions: Readonly<Record<string, readonly string[]>> = {
  'src/social/http/place.ts': ['src/social/brands/brands.ts', 'src/lib/db.ts'],
}

export const isPage = (file: string): boolean => file.endsWith('.pages.tsx')

/** Whether a page can import this file as a helper. */
export const isHelper = (file: string): boolean => /^src\/(?!lib\/)\w+\/http\/[\w-]+\.tsx?$/.test(file)

/** Whether a page, or a helper of pages, can have this import. */
export const isPageImport = ({ file, target, typeOnly }: Pick<Import, 'file' | 'target' | 'typeOnly'>): boolean =>
  typeOnly || allowed.some((pattern) => pattern.test(target)) || (helperExceptions[file]?.includes(target) ?? false)

/** Whether this code queries or calls another context: pages ask operations. */
export const queries = (code: string): boolean =>
  /\b(db|database|tx)\b|\bcall\.(identity|mail|queue|storage)\b|\bidentity\.\w+\(/.test(
    code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|^import .*$/gm, ''),
  )
