import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { transform } from 'lightningcss'

const layers = 'tokens, reset, base, layout, components, screens, utilities'

/** The stylesheet of every page. The rules of screens are loaded with their screen. */
export function appStylesheet(folder: string): string {
  const components = [...new Glob('components/*.css').scanSync(folder)].sort()
  const files = ['tokens.css', 'reset.css', 'base.css', 'layout.css', ...components, 'utilities.css']
  return `@layer ${layers};${files.map((file) => readFileSync(join(folder, file), 'utf8')).join('')}`
}

/**
 * Minifies a stylesheet. Without targets the compiler lowers nothing, so `light-dark()`, layers, nesting and OKLCH stay.
 * @throws for a stylesheet that can't be parsed
 */
export const minifyCss = (path: string, css: string): Uint8Array<ArrayBuffer> =>
  Buffer.from(transform({ filename: path, code: Buffer.from(css), minify: true }).code)
