import { inflateSync } from 'node:zlib'
import { writeFacts } from '../processing/reader.ts'
import type { DocumentFacts } from './pages.ts'

// A separate process that finds the number of pages in one PDF: the catalog names the root of the page tree, which
// has the count of all pages. Both are objects in the file or in its compressed object streams (ISO 32000, 7.5.7).

/** Inflated, of one object stream and of all. */
const maxInflated = { one: 16 * 1024 * 1024, all: 128 * 1024 * 1024 }

type Objects = Map<number, { root: number | null; count: number | null }>

async function read(path: string): Promise<DocumentFacts> {
  const text = Buffer.from(await Bun.file(path).arrayBuffer()).toString('latin1')
  const objects: Objects = new Map()
  collectPlain(text, objects)
  collectCompressed(text, objects)
  const catalog = [...objects.values()].findLast(({ root }) => root !== null)
  const pages = objects.get(catalog?.root ?? 0)?.count ?? null
  if (pages !== null) return { pages }
  // Object streams of an encrypted document can’t be read.
  if (/\/Encrypt\s+\d+\s+\d+\s+R\b/.test(text)) return { pages: null }
  throw new Error('It has no page tree')
}

/** Enough for a dictionary: contents of streams are left out. */
const maxDictionary = 64 * 1024

/** Of more, later ones are left out: a file can have tens of millions. */
const maxObjects = 200_000

/** What the number of pages depends on, as numbers: a slice of a text would retain the whole text. */
function keep(objects: Objects, name: string, text: string): void {
  const number = Number(name)
  const isCatalog = /\/Type\s*\/Catalog\b/.test(text)
  const [, root] = (isCatalog && /\/Pages\s+(\d+)\s+\d+\s+R\b/.exec(text)) || []
  const [, count] = /\/Count\s+(\d+)/.exec(text) ?? []
  if (!root && !count) objects.delete(number)
  else if (objects.has(number) || objects.size < maxObjects)
    objects.set(number, { root: root ? Number(root) : null, count: count ? Number(count) : null })
}

/** The last definition of an object is valid: later ones are updates. */
function collectPlain(text: string, objects: Objects): void {
  let found = 0
  for (const { 1: number = '', index } of text.matchAll(/(?<!\d)(\d{1,10})\s{1,4}\d{1,5}\s{1,4}obj\b/g)) {
    keep(objects, number, dictionaryAt(text, index))
    if (++found % objectsPerCollection === 0) Bun.gc(true)
  }
}

/** Their texts are garbage at once, which the collector notices late. */
const objectsPerCollection = 100_000

/** Most are short, and a regular expression copies what it searches. */
function dictionaryAt(text: string, index: number): string {
  for (const length of [512, maxDictionary]) {
    const body = text.slice(index, index + length)
    const end = body.search(/\bendobj\b|\bstream\b/)
    if (end >= 0) return body.slice(0, end)
  }
  return text.slice(index, index + maxDictionary)
}

function collectCompressed(text: string, objects: Objects): void {
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
      keep(objects, numbers[at] ?? '', content.slice(begins, Math.min(ends, begins + maxDictionary)))
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
