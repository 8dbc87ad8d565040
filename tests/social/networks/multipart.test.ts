import { expect, test } from 'bun:test'
import { createMultipart } from '../../../src/social/networks/multipart.ts'

test('SOC-26 files of a form are read in pieces while it is sent, and arrive whole', async () => {
  const content = crypto.getRandomValues(Buffer.alloc(60_000)).toString('hex').repeat(25)
  const bytes = new TextEncoder().encode(content)
  const pieces: number[] = []
  const slice = async (start: number, end: number) => {
    const piece = bytes.slice(start, end)
    pieces.push(piece.length)
    return piece
  }
  const media = { contentType: 'image/png', size: bytes.length, slice }
  const { headers, body } = createMultipart({ payload: 'Grüße' }, [{ field: 'files[0]', name: 'a.png', media }])
  for (const _ of [1, 2]) {
    const form = await new Response(body(), { headers }).formData()
    expect(form.get('payload')).toBe('Grüße')
    const file = form.get('files[0]')
    if (!(file instanceof File)) throw new Error('The file is missing')
    expect([file.name, file.type, (await file.text()) === content]).toEqual(['a.png', 'image/png', true])
  }
  expect(Math.max(...pieces)).toBe(1024 * 1024)
})
