import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { transform } from 'lightningcss'

const layers = 'tokens, reset, base, layout, components, screens, utilities'

export function appStylesheet(folder: string): string {
  const components = [...new Glob('components/*.css').scanSync(folder)].sort()
  const files = ['tokens.css', 'reset.css', 'base.css', 'layout.css', ...components, 'utilities.css']
  return `@layer ${layers};${readAll(folder, files)}`
}

/** All of the public pages, whose visitors mostly open one: each further file would delay its first paint. */
export const siteStylesheet = (folder: string): string =>
  appStylesheet(folder) + readAll(folder, ['screens/site.css', 'screens/front.css', 'screens/plans.css'])

const readAll = (folder: string, files: string[]): string =>
  files.map((file) => readFileSync(join(folder, file), 'utf8')).join('')

/** Without targets nothing is lowered, so `light-dark()`, layers, nesting and OKLCH stay. @throws for a syntax error */
export const minifyCss = (path: string, css: string): Uint8Array<ArrayBuffer> =>
  Buffer.from(transform({ filename: path, code: Buffer.from(css), minify: true }).code)
