import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { countPages } from '../../src/social/media/documents/pages.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-documents-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function pagesOf(content: string | Uint8Array): Promise<number | null> {
  const path = join(folder, 'document.pdf')
  await Bun.write(path, content)
  return (await countPages(path)).pages
}

async function draw(pages: number): Promise<Uint8Array> {
  const document = new PDFDocument()
  for (let page = 1; page < pages; page++) document.addPage().text(`Page ${page}`)
  document.end()
  return Buffer.concat(await Array.fromAsync(document))
}

/** As PDF 1.5 and later store their objects: compressed in streams. */
function compressed(objects: string[]): Buffer {
  const starts = objects.map((_, at) => `${at + 1} ${objects.slice(0, at).join('').length}`).join(' ')
  const header = `${starts} `
  const stream = deflateSync(header + objects.join(''))
  return Buffer.concat([
    Buffer.from(
      `%PDF-1.7\n9 0 obj\n<</Type /ObjStm /N ${objects.length} /First ${header.length} /Length ${stream.length}>>\nstream\n`,
    ),
    stream,
    Buffer.from('\nendstream\nendobj\n'),
  ])
}

const catalog = '<</Type /Catalog /Pages 2 0 R>>'

test('SOC-30 pages of a PDF are counted, also in compressed objects and after an update', async () => {
  expect(await pagesOf(await draw(7))).toBe(7)
  const file = compressed([catalog, '<</Type /Pages /Count 12 /Kids []>>'])
  expect(await pagesOf(file)).toBe(12)
  const update = Buffer.from('2 0 obj\n<</Type /Pages /Count 3 /Kids []>>\nendobj\n')
  expect(await pagesOf(Buffer.concat([Buffer.from(`%PDF-1.4\n1 0 obj\n${catalog}\nendobj\n`), update]))).toBe(3)
})

test('SOC-30 encrypted PDF has an unknown number of pages', async () => {
  expect(await pagesOf('%PDF-1.7\n5 0 obj\n<</Filter /Standard>>\nendobj\ntrailer\n<</Encrypt 5 0 R>>')).toBeNull()
})

test.each([
  ['truncated', (whole: Uint8Array) => whole.slice(0, 300)],
  ['without a page tree', () => Buffer.from('%PDF-1.7\n1 0 obj\n<</Type /Catalog>>\nendobj\n')],
  [
    'with a count that no document has',
    () => Buffer.from(`%PDF-1.7\n1 0 obj\n${catalog}\nendobj\n2 0 obj\n<</Count 99999999999>>\nendobj`),
  ],
  ['whose compressed objects are a bomb', () => compressed([' '.repeat(64 * 1024 * 1024)])],
])('SOC-30 PDF %s is refused in words', async (_, change) => {
  const whole = await draw(2)
  expect(pagesOf(change(whole))).rejects.toThrow('This PDF can’t be read')
})

test('SOC-30 PDF with two million objects is read within 300 MB', async () => {
  const objects = Array.from({ length: 2_000_000 }, (_, at) => `${at + 10} 0 obj\n<<>>\nendobj\n`).join('')
  const path = join(folder, 'many.pdf')
  await Bun.write(path, `%PDF-1.4\n${objects}1 0 obj\n${catalog}\nendobj\n2 0 obj\n<</Count 4 /Kids []>>\nendobj\n`)
  const program = join(import.meta.dir, '../../src/social/media/documents/read-pages.ts')
  // Started by a small process: the memory of the one that starts it counts as its own.
  const code = `
    const { stdout, resourceUsage } = Bun.spawnSync([process.execPath, '--smol', ...process.argv.slice(1)])
    console.log(JSON.stringify({ read: JSON.parse(stdout.toString()), bytes: resourceUsage.maxRSS }))`
  const { stdout } = Bun.spawnSync([process.execPath, '-e', code, program, path])
  const { read, bytes } = JSON.parse(stdout.toString())
  expect(read).toEqual({ pages: 4 })
  expect(bytes).toBeLessThan(300e6)
})
