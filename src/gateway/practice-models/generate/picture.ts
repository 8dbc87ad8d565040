import { deflateSync } from 'node:zlib'
import sharp from 'sharp'

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

export interface Picture {
  width: number
  height: number
  format: 'png' | 'jpeg' | 'webp'
}

/** The same picture for the same text: squares in two colors of it. A few hundred bytes of PNG. */
export async function drawPicture(text: string, { width, height, format }: Picture): Promise<string> {
  const png = drawPng(text, width, height)
  const bytes = format === 'png' ? png : await sharp(png).toFormat(format).toBuffer()
  return bytes.toString('base64')
}

function drawPng(text: string, width: number, height: number): Buffer {
  const seed = Bun.hash.crc32(text)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // One bit per pixel, with a palette.
  header.set([1, 3, 0, 0, 0], 8)
  const palette = Buffer.of(seed & 255, (seed >> 8) & 255, (seed >> 16) & 255, 255, 255, 255)
  const squareBytes = 4 + (seed & 7)
  const rowBytes = 1 + Math.ceil(width / 8)
  const pixels = Buffer.alloc(rowBytes * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 1; x < rowBytes; x += 1)
      if ((Math.floor(y / (squareBytes * 8)) + Math.floor((x - 1) / squareBytes)) % 2 === 0)
        pixels[y * rowBytes + x] = 255
  const parts = [chunk('IHDR', header), chunk('PLTE', palette), chunk('IDAT', deflateSync(pixels)), chunk('IEND')]
  return Buffer.concat([signature, ...parts])
}

function chunk(type: string, data: Uint8Array = new Uint8Array(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const whole = Buffer.alloc(named.length + 8)
  whole.writeUInt32BE(data.length, 0)
  named.copy(whole, 4)
  whole.writeUInt32BE(Bun.hash.crc32(named), named.length + 4)
  return whole
}
