import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { openStorage } from '#lib/storage.ts'

const home = mkdtempSync(join(tmpdir(), 'atrium-storage-'))
const s3 = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: join(home, 's3'),
  configureBuckets: [{ name: 'files', configs: [] }],
})
const { port } = await s3.run()

afterAll(async () => {
  await s3.close()
  rmSync(home, { recursive: true, force: true })
})

const onDisk = { DATA_DIR: join(home, 'data'), S3_REGION: 'us-east-1' }
const onS3 = {
  ...onDisk,
  S3_ENDPOINT: `http://127.0.0.1:${port}`,
  S3_BUCKET: 'files',
  S3_ACCESS_KEY_ID: 'S3RVER',
  S3_SECRET_ACCESS_KEY: 'S3RVER',
}
const bytes = (text: string) => new TextEncoder().encode(text)

describe.each([
  ['on disk', onDisk],
  ['in S3', onS3],
])('PLT-36 %s', (where, settings) => {
  const storage = openStorage(settings)

  test('stored file is read as bytes and as a stream, with its size', async () => {
    const key = 'social/brand/file-1.preview'
    const content = crypto.getRandomValues(new Uint8Array(60_000))
    await storage.put(key, content, 'image/webp')
    const file = await storage.read(key)
    expect(file?.size).toBe(60_000)
    expect(await file?.bytes()).toEqual(content)
    const streamed = file && (await new Response(file.stream()).bytes())
    expect(streamed).toEqual(content)
    const part = file && (await new Response(file.stream({ from: 1000, end: 1010 })).bytes())
    expect(part).toEqual(content.slice(1000, 1010))
    expect(await storage.exists(key)).toBe(true)
  })

  test('chunks of a file make up its content', async () => {
    const content = crypto.getRandomValues(new Uint8Array(1_000_000))
    await storage.put('large/chunks', content, 'video/mp4')
    const file = await storage.read('large/chunks')
    const [copied, buffers] = [new Uint8Array(content.byteLength), new Set<ArrayBuffer>()]
    let size = 0
    for await (const chunk of file?.chunks() ?? []) {
      copied.set(chunk, size)
      size += chunk.byteLength
      buffers.add(chunk.buffer)
    }
    expect([size, copied]).toEqual([content.byteLength, content])
    // Those of a disk are all in one buffer, so reading leaves nothing to the garbage collector.
    if (where === 'on disk') expect(buffers.size).toBe(1)
    await storage.delete('large/chunks')
  })

  test('stream of any length is stored completely or not at all', async () => {
    const piece = crypto.getRandomValues(new Uint8Array(65_536))
    const pieces = 200
    const hash = new Bun.CryptoHasher('sha256')
    for (let at = 0; at < pieces; at++) hash.update(piece)
    const streamed = (end: (controller: ReadableStreamDefaultController) => void) => {
      let sent = 0
      return new ReadableStream<Uint8Array>({
        pull: (controller) => (sent++ < pieces ? controller.enqueue(piece) : end(controller)),
      })
    }
    await storage.put(
      'large/file',
      streamed((controller) => controller.close()),
      'video/mp4',
    )
    const file = await storage.read('large/file')
    const kept = (await file?.bytes()) ?? new Uint8Array(0)
    expect(kept.byteLength).toBe(pieces * piece.byteLength)
    expect(new Bun.CryptoHasher('sha256').update(kept).digest('hex')).toBe(hash.digest('hex'))
    const broken = streamed((controller) => controller.error(new Error('The sender is gone')))
    await expect(storage.put('broken/file', broken, 'video/mp4')).rejects.toThrow()
    expect(await storage.read('broken/file')).toBeNull()
  })

  test('file is replaced as a whole, and an empty file is allowed', async () => {
    await storage.put('a/b', bytes('first, and long'), 'text/plain')
    await storage.put('a/b', bytes('second'), 'text/plain')
    const second = await storage.read('a/b')
    expect(second && new TextDecoder().decode(await second.bytes())).toBe('second')
    await storage.put('a/b', new Uint8Array(0), 'text/plain')
    expect((await storage.read('a/b'))?.size).toBe(0)
  })

  test('PLT-39 content of a local file is stored unchanged, and the file is kept', async () => {
    const path = join(home, `local-${onDisk === settings ? 'disk' : 's3'}`)
    const content = crypto.getRandomValues(new Uint8Array(60_000))
    await Bun.write(path, content)
    await storage.putFile('exports/one.zip', path, 'application/zip')
    const file = await storage.read('exports/one.zip')
    expect(await file?.bytes()).toEqual(content)
    expect(existsSync(path)).toBe(true)
    await storage.delete('exports/one.zip')
  })

  test('missing file reads as null, and can be deleted', async () => {
    await storage.put('gone', bytes('x'), 'text/plain')
    await storage.delete('gone')
    await storage.delete('gone')
    expect(await storage.read('gone')).toBeNull()
    expect(await storage.read('never/was')).toBeNull()
    expect(await storage.exists('gone')).toBe(false)
  })

  test('PLT-35 every key is listed, except those of unfinished uploads', async () => {
    const before = await Array.fromAsync(storage.keys())
    const keys = ['listed/one', 'listed/deep/two']
    for (const key of keys) await storage.put(key, bytes('x'), 'text/plain')
    expect((await Array.fromAsync(storage.keys())).sort()).toEqual([...before, ...keys].sort())
  })

  test.each(['', '/', '../x', 'a/../x', 'a/..', '/etc/passwd', 'a//b', 'a/', '.x', 'a/.x', 'A', 'a\\b', 'a\0', 'a b'])(
    'key can’t point outside the storage folder: %j',
    async (key) => {
      const acts = [
        () => storage.put(key, bytes('x'), 'text/plain'),
        () => storage.read(key),
        () => storage.delete(key),
        () => storage.exists(key),
      ]
      for (const act of acts) await expect(act()).rejects.toThrow('Invalid storage key')
    },
  )

  test('files are stored in the configured folder', async () => {
    await storage.put(`where/${where === 'in S3' ? 's3' : 'disk'}`, bytes('x'), 'text/plain')
    expect(existsSync(join(home, 'data/files/where/disk'))).toBe(true)
    expect(existsSync(join(home, 'data/files/where/s3'))).toBe(false)
  })
})

test('PLT-36 file on disk is readable only by its owner, and a failed write leaves nothing', async () => {
  const storage = openStorage(onDisk)
  await storage.put('folder/file', bytes('x'), 'text/plain')
  expect(statSync(join(home, 'data/files/folder/file')).mode & 0o777).toBe(0o600)
  for (const folder of ['', 'folder', '.incoming'])
    expect(statSync(join(home, 'data/files', folder)).mode & 0o777).toBe(0o700)
  await expect(storage.put('folder', bytes('x'), 'text/plain')).rejects.toThrow()
  expect(readdirSync(join(home, 'data/files/.incoming'))).toEqual([])
})

test('PLT-36 unreachable store throws instead of reporting a missing file', async () => {
  const storage = openStorage({ ...onS3, S3_ENDPOINT: 'http://127.0.0.1:1' })
  await expect(storage.read('a/b')).rejects.toThrow()
  await expect(storage.put('a/b', bytes('x'), 'text/plain')).rejects.toThrow()
})

test('PLT-35 keys are listed page by page in the store’s order', async () => {
  const page = (key: string, more: string) =>
    `<ListBucketResult><Contents><Key>${key}</Key></Contents>${more}</ListBucketResult>`
  const store = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) =>
      new Response(
        new URL(url).searchParams.get('continuation-token') === 'go on'
          ? page('b', '<IsTruncated>false</IsTruncated>')
          : page('a', '<IsTruncated>true</IsTruncated><NextContinuationToken>go on</NextContinuationToken>'),
      ),
  })
  const storage = openStorage({ ...onS3, S3_ENDPOINT: store.url.origin })
  expect(await Array.fromAsync(storage.keys())).toEqual(['a', 'b'])
  await store.stop(true)
})
