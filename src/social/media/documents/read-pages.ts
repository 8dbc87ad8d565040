import { inflateSync } from 'node:zlib'
import { writeFacts } from '../processing/reader.ts'
import type { DocumentFacts } from './pages.ts'

// A separate process that finds the number of pages in one PDF: the catalog names the root of the page tree, which
// has the count of all pages. Both are objects in the file or in its compressed object streams (ISO 32000, 7.5.7).

/** Inflated, of one object stream and of all. */
const maxInflated = { one: 16 * 1024 * 1024, all: 128 * 1024 * 1024 }

async function read(path: string): Promise<DocumentFacts> {
  const text = Buffer.from(await Bun.file(path).arrayBuffer()).toString('latin1')
  const objects = new Map<string, string>()
  collectPlain(text, objects)
  collectCompressed(text, objects)
  const catalog = [...objects.values()].findLast((object) => /\/Type\s*\/Catalog\b/.test(object))
  const [, root = ''] = /\/Pages\s+(\d+)\s+\d+\s+R\b/.exec(catalog ?? '') ?? []
  const [, count] = /\/Count\s+(\d+)/.exec(objects.get(root) ?? '') ?? []
  if (count) return { pages: Number(count) }
  // Object streams of an encrypted document can’t be read.
  if (/\/Encrypt\s+\d+\s+\d+\s+R\b/.test(text)) return { pages: null }
  throw new Error('It has no page tree')
}

/** Enough for a dictionary: contents of streams are left out. */
const maxDictionary = 64 * 1024

/** The last definition of an object is valid: later ones are updates. */
function collectPlain(text: string, objects: Map<string, string>): void {
  for (const { 1: number = '', index } of text.matchAll(/(?<!\d)(\d{1,10})\s{1,4}\d{1,5}\s{1,4}obj\b/g)) {
    const body = text.slice(index, index + maxDictionary)
    const end = body.search(/\bendobj\b|\bstream\b/)
    objects.set(number, end < 0 ? body : body.slice(0, end))
  }
}

function collectCompressed(text: string, objects: Map<string, string>): void {
  let inflated = 0
  for (const { index } of text.matchAll(/\/Type\s{0,4}\/ObjStm\b/g)) {
    const starts = text.lastIndexOf(' obj', index)
    const dictionary = text.slice(starts, index + maxDictionary)
    const [, first] = /\/First\s+(\d+)/.exec(dictionary) ?? []
    const begin = /\bstream\r?\n/.exec(dictionary)
    if (!first || !begin || inflated > maxInflated.all) continue
    const from = starts + begin.index + begin[0].length
    const end = text.indexOf('endstream', from)
    const content = inflate(text.slice(from, end < 0 ? undefined : end))
    inflated += content.length
    const numbers = content.slice(0, Number(first)).trim().split(/\s+/)
    for (let at = 0; at + 1 < numbers.length; at += 2) {
      const begins = Number(first) + Number(numbers[at + 1])
      const ends = Number(first) + Number(numbers[at + 3] ?? content.length)
      objects.set(numbers[at] ?? '', content.slice(begins, Math.min(ends, begins + maxDictionary)))
    }
  }
}

function inflate(stream: string): string {
  try {
    return inflateSync(Buffer.from(stream, 'latin1'), { maxOutputLength: maxInflated.one }).toString('latin1')
  } catch {
    return ''
  }
}

await writeFacts(read)
