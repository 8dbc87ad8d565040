import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'
import { z } from 'zod'

export interface Import {
  /** The importing file: a path from the project's root. */
  file: string
  /** The target: a path from the project's root, or the name of a package. */
  target: string
  /** As written in the source. */
  specifier: string
  /** Type-only: nothing of the target runs. */
  typeOnly: boolean
}

const { imports: aliases } = z
  .object({ imports: z.record(z.string(), z.string()) })
  .parse(await Bun.file('package.json').json())

const scanners = { ts: new Bun.Transpiler({ loader: 'ts' }), tsx: new Bun.Transpiler({ loader: 'tsx' }) }

/** The code files of a folder. */
export const sources = (folder: string): string[] => [...new Glob(`${folder}/**/*.{ts,tsx}`).scanSync('.')].sort()

/** Every import of a file with this text, type-only ones too. */
export function importsOf(file: string, text: string): Import[] {
  const scanner = file.endsWith('.tsx') ? scanners.tsx : scanners.ts
  const run = new Set(written(scanner, text))
  return [...new Set(written(scanner, withoutTypeOnly(text)))].map((specifier) => ({
    file,
    specifier,
    target: resolve(file, specifier),
    typeOnly: !run.has(specifier),
  }))
}

/** The JSX transform's own require is not in the source. */
const written = (scanner: Bun.Transpiler, source: string): string[] =>
  scanner
    .scanImports(source)
    .filter(({ kind }) => kind !== 'require-call')
    .map(({ path }) => path)

/** Bun's scanner skips type-only imports; without the keyword they are reported. */
const withoutTypeOnly = (source: string): string =>
  source.replace(/\b(import|export)\s+(type\s+)?[^'"();=]*\bfrom\b/g, (statement) =>
    statement.replace(/\btype\s+(?=[\w{*])/g, ''),
  )

function resolve(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return normalize(join(dirname(file), specifier))
  for (const [alias, target] of Object.entries(aliases)) {
    const [before = '', after] = alias.split('*')
    if (after === undefined ? specifier === alias : specifier.startsWith(before)) {
      return normalize(target.replace('*', specifier.slice(before.length)))
    }
  }
  return specifier
}
