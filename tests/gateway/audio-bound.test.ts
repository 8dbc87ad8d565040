import { expect, test } from 'bun:test'
import { maxAudioMs } from '../../src/gateway/ai/audio/bound.ts'
import { flacOfSilence, flacSeconds, oggOfSilence } from './compressed-silence.ts'
import { silence } from './silence.ts'

const msOf = (...parts: (string | Uint8Array<ArrayBuffer> | number[])[]): Promise<number> =>
  maxAudioMs(new Blob(parts.map((part) => (Array.isArray(part) ? new Uint8Array(part) : part))))
const be = (value: number, bytes = 4) =>
  Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** (bytes - 1 - at)) % 256)
const zeros = (length: number) => new Uint8Array(length)

test('GTW-33 an uncompressed file can’t be longer than its samples', async () => {
  // Half a second, and 44 bytes of header.
  expect(await msOf(silence(4_000))).toBe(503)
})

test('GTW-33 the bound of compressed silence holds: ten hours in a few kilobytes', async () => {
  const flac = flacOfSilence(4_400)
  expect(flac.length).toBeLessThan(100_000)
  expect(await msOf(flac)).toBe(flacSeconds(4_400) * 1000)
  // A declared length doesn't count, nor does a tag before the file.
  flac.fill(0, 21, 26)
  expect(await msOf('ID3', [4, 0, 0, 0, 0, 0, 5], zeros(5), flac)).toBe(flacSeconds(4_400) * 1000)
  const pages = 10
  expect(await msOf(oggOfSilence(pages))).toBe((pages * 255 + 1) * 120)
})

test('GTW-33 the bounds of MP3, M4A and WebM are those of their frames', async () => {
  // 8 kbit/s at 16 kHz: 36 bytes, 36 ms. Between them is something that isn't a frame.
  const frame = new Uint8Array(36)
  frame.set([0xff, 0xf3, 0x18, 0xc4])
  expect(await msOf(frame, frame, [1, 2, 3], frame)).toBe(3 * 36)
  const box = (type: string, ...content: number[][]) => {
    const body = content.flat()
    return [...be(body.length + 8), ...Buffer.from(type), ...body]
  }
  const movie = box(
    'moov',
    box('mvhd', be(0), be(0, 8), be(1_000), be(500)),
    box(
      'trak',
      box('mdia', box('minf', box('stbl', box('stsd', be(0), be(1), box('mp4a')), box('stsz', be(0), be(1), be(900))))),
    ),
  )
  expect(await msOf(box('ftyp', be(0)), movie, zeros(9_000))).toBe(900 * 140)
  const element = (id: number[], content: number[]) => [...id, 0x80 + content.length, ...content]
  const opus = element([0x16, 0x54, 0xae, 0x6b], element([0xae], element([0x86], [...Buffer.from('A_OPUS')])))
  const block = element([0xa3], [0x81, 0, 0, 0x80, 0x1b, 2])
  const cluster = [0x1f, 0x43, 0xb6, 0x75, 0x01, ...Array(7).fill(0xff), ...block, ...block]
  const head = [...element([0x1a, 0x45, 0xdf, 0xa3], []), 0x18, 0x53, 0x80, 0x67, 0x01, ...Array(7).fill(0xff)]
  expect(await msOf(head, opus, cluster)).toBe(2 * 120)
})

test('GTW-33 the bound of an unknown format is what no format exceeds', async () => {
  expect(await msOf('#!AMR\n', zeros(94))).toBe(100 * 60)
  // A compressed WAV file, an empty M4A file, a broken WebM file, and less than any header.
  const wav = silence(100)
  wav[20] = 2
  expect(await msOf(wav)).toBe(244 * 60)
  expect(await msOf(be(16), 'ftypM4A ', be(0))).toBe(16 * 60)
  expect(await msOf([0x1a, 0x45, 0xdf, 0xa3, 0, 0])).toBe(6 * 60)
  expect(await msOf('a')).toBe(60)
})
