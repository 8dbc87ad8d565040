import { parseFragment, serialize, parse } from 'parse5'

const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

/** The tags of a markup in order: `p`, `/p`. */
function tagsOf(markup: string): string[] {
  const found = markup
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .matchAll(/<(\/?)([a-z][\w-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi)
  return [...found].flatMap(([, slash = '', name = '', rest = '']) => {
    const tag = `${slash}${name.toLowerCase()}`
    if (voids.has(tag)) return [tag]
    return rest.endsWith('/') && !slash ? [tag, `/${tag}`] : [tag]
  })
}

/**
 * Where a browser's parser would change the structure of a markup: an element that is closed, moved or added by it, such
 * as a `<div>` within a `<p>`. Null for well-formed markup.
 */
export function nestingFault(given: string): string | null {
  // As htmx reads it.
  const markup = given.replaceAll(/<(\/?)hx-partial\b/g, '<$1template')
  const isDocument = /^<!doctype/i.test(markup)
  const errors: string[] = []
  const options = { onParseError: ({ code }: { code: string }) => void errors.push(code) }
  const parsed = serialize(isDocument ? parse(markup, options) : parseFragment(markup, options))
  const [written, read] = [tagsOf(markup), tagsOf(parsed)]
  const at = written.findIndex((tag, index) => tag !== read[index])
  if (at >= 0)
    return `<${written.slice(Math.max(0, at - 3), at + 3).join('> <')}> is read as <${read.slice(Math.max(0, at - 3), at + 3).join('> <')}>`
  if (read.length > written.length) return `The parser adds <${read[written.length]}>`
  return errors[0] ?? null
}
