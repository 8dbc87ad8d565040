import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSlots } from '../../src/lib/outbound/slots.ts'
import { openSpool } from '../../src/lib/request/spooled-file.ts'
import { readSpooledForm } from '../../src/lib/request/spooled-form.ts'

const folder = await mkdtemp(join(tmpdir(), 'atrium-spool-'))
afterAll(() => rm(folder, { recursive: true }))

const mebibyte = new Uint8Array(1024 * 1024).map((_, at) => at % 251)

test('file on disk is read as often as needed, as a whole and as a stream, and never listed in its folder', async () => {
  const spool = openSpool({ folder, tenant: 'one' })
  await spool.write(mebibyte)
  await spool.write(new Uint8Array([1, 2, 3]))
  const file = spool.toFile('a.wav', 'audio/wav')
  expect([file.name, file.type, file.size]).toEqual(['a.wav', 'audio/wav', mebibyte.byteLength + 3])
  expect(await readdir(folder)).toEqual([])
  const whole = await file.bytes()
  expect(whole.subarray(0, mebibyte.byteLength)).toEqual(mebibyte)
  expect(await new Response(file.stream()).bytes()).toEqual(whole)
  const end = file.slice(mebibyte.byteLength - 2, mebibyte.byteLength + 99).slice(1)
  expect([end.size, ...(await end.bytes())]).toEqual([4, mebibyte.at(-1) ?? 0, 1, 2, 3])
  await spool.close()
  const late = await file.bytes().catch((error: unknown) => error)
  expect(late).toBeInstanceOf(Error)
})

test('tenant whose files take its share of the disk doesn’t refuse the files of others', async () => {
  const room = createSlots(4)
  const first = openSpool({ folder, tenant: 'first', room })
  await first.write(mebibyte)
  await first.write(mebibyte)
  const refused = await first.write(mebibyte).catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 429, code: 'concurrency_limited' })
  const second = openSpool({ folder, tenant: 'second', room })
  await second.write(mebibyte)
  await first.close()
  const again = openSpool({ folder, tenant: 'first', room })
  await again.write(mebibyte)
  for (const spool of [second, again]) await spool.close()
})

test('file that can’t be stored is refused for a moment', async () => {
  const spool = openSpool({ folder: '/proc/none', tenant: 'one' })
  expect(await spool.write(mebibyte).catch((error: unknown) => error)).toMatchObject({ status: 503, code: 'busy' })
  await spool.close()
})

test('text of a form is limited by its bytes, whatever its characters', async () => {
  const read = async (letter: string) => {
    const form = new FormData()
    for (const name of ['one', 'two', 'three']) form.set(name, letter.repeat(300_000))
    const body = new Request('http://localhost', { method: 'POST', body: form })
    const { signal } = new AbortController()
    return readSpooledForm(body, { limit: 8 * 1024 * 1024, signal, check: async () => {}, folder, tenant: 'form' })
  }
  const { fields, close } = await read('e')
  expect(Object.keys(fields)).toEqual(['one', 'two', 'three'])
  await close()
  expect(await read('é').catch((error: unknown) => error)).toMatchObject({ status: 413, code: 'body_too_large' })
})
