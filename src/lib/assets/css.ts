import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'

const layers = 'tokens, reset, base, layout, components, screens, utilities'

/** The stylesheet of every page: all layers but the screens' rules, which load with their screen. */
export function appStylesheet(folder: string): string {
  const components = [...new Glob('components/*.css').scanSync(folder)].sort()
  const files = ['tokens.css', 'reset.css', 'base.css', 'layout.css', ...components, 'utilities.css']
  return `@layer ${layers};${files.map((file) => readFileSync(join(folder, file), 'utf8')).join('')}`
}

/**
 * CSS without comments, needless spaces, zeros and quotes. Nothing else is touched: minifiers that compile
 * `light-dark()` away break the color schemes.
 */
export const minified = (css: string): string =>
  css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,<>]) ?/g, '$1')
    .replace(/(?<=[\s:,(-])0(?=\.\d)/g, '')
    // A nested selector is relative to its parent without the ampersand, too.
    .replace(/(?<=[{};])&(?: (?=[.[:])|(?=>))/g, '')
    .replaceAll(' / ', '/')
    .replace(/='([a-z][\w-]*)'\]/g, '=$1]')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
    .trim()
