import { expect, test } from 'bun:test'
import { limitBody } from '#lib/outbound/limit-body.ts'

/** The limited body of a call with this signal, and how many times it has ended. */
function limit(signal: AbortSignal, body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const ended: true[] = []
  const limited = limitBody(body, {
    signal,
    finish: () => void ended.push(true),
    failure: (error) => error,
    abort: () => {},
    maxBytes: 10,
    tooLarge: () => new Error('too large'),
    silenceMs: 60_000,
    silent: () => new Error('silent'),
  })
  return { reader: limited.getReader(), ended }
}

test('body of a finished call frees its slot, even if it is never read', async () => {
  const canceled = Promise.withResolvers<unknown>()
  const { reader, ended } = limit(AbortSignal.abort('gone'), new ReadableStream({ cancel: canceled.resolve }))
  expect(ended).toHaveLength(1)
  expect(await canceled.promise).toBe('gone')
  await expect(reader.read()).rejects.toBe('gone')
})

test('body that is aborted between two reads fails instead of ending early', async () => {
  const call = new AbortController()
  const { reader, ended } = limit(call.signal, new Blob(['12345']).stream())
  expect((await reader.read()).value).toHaveLength(5)
  call.abort('gone')
  await expect(reader.read()).rejects.toBe('gone')
  expect(ended).toHaveLength(1)
})
