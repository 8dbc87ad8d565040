import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { writeZip } from '../../src/platform/exports/archive.ts'

const home = mkdtempSync(join(tmpdir(), 'atrium-export-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const mebibyte = 1024 * 1024
const at = new Date('2026-11-22T06:00:00Z')

test('PLT-39 export waits for the disk and holds only part of a large file in memory', async () => {
  const path = join(home, 'large.zip')
  const zip = await writeZip(path)
  const chunks = 24
  let most = 0
  // oxlint-disable-next-line typescript/require-await
  async function* large() {
    for (let made = 0; made < chunks; made++) {
      most = Math.max(most, made * mebibyte - (statSync(path, { throwIfNoEntry: false })?.size ?? 0))
      yield new Uint8Array(mebibyte)
    }
  }
  await zip.add('large.bin', large(), { compress: false, at })
  await zip.add('small.json', Bun.file(import.meta.path).stream(), { compress: true, at })
  await zip.close()
  expect(most).toBeLessThan((chunks / 3) * mebibyte)
  const files = unzipSync(await Bun.file(path).bytes())
  expect(files['large.bin']?.length).toBe(chunks * mebibyte)
  expect(strFromU8(files['small.json'] ?? new Uint8Array())).toContain('PLT-39')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('PLT-39 export fails with the error from the rows or the disk, and does not hang', async () => {
  const zip = await writeZip(join(home, 'broken.zip'))
  // oxlint-disable-next-line typescript/require-await
  async function* broken() {
    yield 'half'
    throw new Error('The database went away')
  }
  await expect(zip.add('rows.json', broken(), { compress: true, at })).rejects.toThrow('The database went away')
  zip.abort()
  const taken = await writeZip(join(home, 'large.zip'))
  // oxlint-disable-next-line typescript/require-await
  async function* rows() {
    yield 'rows'
  }
  await expect(taken.add('rows.json', rows(), { compress: true, at }).then(() => taken.close())).rejects.toThrow(
    'EEXIST',
  )
})
